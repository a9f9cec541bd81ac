import { Link } from 'react-router'
import { announcementPath } from '#shared/announcement-paths.ts'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { LightDialog } from '#web/components/light-dialog.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import { showToast } from '#web/components/toaster.tsx'
import type { AnnouncementCard } from './announcement-card.ts'
import { AnnouncementFacts } from './announcement-facts.tsx'
import { AnnouncementPicture } from './announcement-picture.tsx'
import { AnnouncementText } from './announcement-text.tsx'
import { AttachmentBlock } from './attachment-block.tsx'
import { useAnnouncement } from './use-announcement.ts'

interface AnnouncementModalProps {
  id: string
  /** What its card shows already; absent when it isn't among the cards. */
  card: AnnouncementCard | undefined
  onClose: () => void
}

const titleId = 'announcement-title'

/** An announcement over the list it was opened from (spec §2). */
export function AnnouncementModal({ id, card, onClose }: AnnouncementModalProps) {
  const { announcement, failure, readAgain } = useAnnouncement(id, () => {
    showToast({ type: 'info', message: 'This announcement is no longer available.' })
    onClose()
  })
  const shown = announcement ?? card
  return (
    <LightDialog labelledBy={titleId} title={shown?.title ?? 'Loading the announcement…'} onClose={onClose}>
      <div className="flex flex-col gap-4">
        {shown && <AnnouncementFacts {...shown} />}
        {shown && (
          <AnnouncementPicture
            image={shown.image}
            title={shown.title}
            sizes="(min-width: 720px) 630px, 90vw"
          />
        )}
        {failure !== null && <ErrorBanner message={failure} onRetry={readAgain} />}
        {announcement ? (
          <AnnouncementText html={announcement.contentHtml} />
        ) : (
          failure === null && <TextSkeleton />
        )}
        {shown && <AttachmentBlock {...shown} />}
        <Link
          to={announcementPath(id)}
          className="inline-flex min-h-11 items-center self-start font-semibold text-primary underline underline-offset-4"
        >
          Open as a page of its own
        </Link>
      </div>
    </LightDialog>
  )
}

function TextSkeleton() {
  return (
    <div role="status" className="flex flex-col gap-2.5">
      <span className="sr-only">Loading the announcement…</span>
      <Skeleton />
      <Skeleton />
      <Skeleton className="h-4 w-2/3" />
    </div>
  )
}
