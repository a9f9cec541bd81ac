import { X } from 'lucide-react'
import {
  type MouseEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import { Link } from 'react-router'
import type { Announcement } from '#shared/announcements/announcement-response.ts'
import { announcementPath } from '#shared/announcements/announcements.ts'
import { IconButton } from '#web/components/button.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { EventBlock } from '#web/components/event-block.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { ApiProblem } from '#web/lib/api-problem.ts'
import { useIgnoreOpeningKey } from '#web/lib/focus.ts'
import { useLiveTopics } from '#web/lib/live.ts'
import { closeDialog, openDialog } from '#web/lib/older-browsers.ts'
import { abortable } from '#web/lib/timers.ts'
import { useTranslation } from '#web/lib/translation.tsx'
import { AnnouncementPicture, AnnouncementText, AttachmentBlock } from './announcement-body.tsx'
import { type AnnouncementCard, AnnouncementFacts } from './announcement-facts.tsx'

interface AnnouncementModalProps {
  id: string
  card: AnnouncementCard | undefined
  onClose: () => void
}

const titleId = 'announcement-title'

export function AnnouncementModal({ id, card, onClose }: AnnouncementModalProps) {
  const { announcement, failure, readAgain } = useAnnouncement(id, () => {
    showToast('info', 'This announcement is no longer available.')
    onClose()
  })
  const t = useTranslation()
  const known = announcement ?? card
  return (
    <LightDialog
      labelledBy={titleId}
      title={known?.title ?? t('Loading the announcement…')}
      onClose={onClose}
    >
      <div className="flex flex-col gap-4">
        {known && <AnnouncementFacts {...known} />}
        {known && (
          <AnnouncementPicture
            image={known.image}
            title={known.title}
            sizes="(min-width: 720px) 630px, 90vw"
          />
        )}
        {failure !== null && <ErrorBanner message={failure} onRetry={readAgain} />}
        {announcement ? (
          <AnnouncementText html={announcement.contentHtml} />
        ) : (
          failure === null && (
            <div role="status" className="flex flex-col gap-2.5">
              <span className="sr-only">{t('Loading the announcement…')}</span>
              <Skeleton />
              <Skeleton />
              <Skeleton className="h-4 w-2/3" />
            </div>
          )
        )}
        {known && <EventBlock {...known} />}
        {known && <AttachmentBlock {...known} />}
        <Link
          to={announcementPath(id)}
          className="inline-flex min-h-11 items-center self-start font-semibold text-primary underline underline-offset-4"
        >
          {t('Open in full page')}
        </Link>
      </div>
    </LightDialog>
  )
}

interface LoadedAnnouncement {
  announcement: Announcement | null
  failure: string | null
}

/**
 * Reads again after each change; the last value stays when a later reading fails. @param onMissing
 * it isn't public any more
 */
function useAnnouncement(id: string, onMissing: () => void) {
  const [loaded, setLoaded] = useState<LoadedAnnouncement>({ announcement: null, failure: null })
  const [readCount, setReadCount] = useState(0)
  const readAgain = useCallback(() => setReadCount((count) => count + 1), [])
  useLiveTopics(['announcements'], readAgain)

  const readNow = useEffectEvent(async (signal: AbortSignal) => {
    const next = await read(id, signal)
    if (signal.aborted) return
    if (next === 'missing') onMissing()
    else setLoaded((last) => ({ ...next, announcement: next.announcement ?? last.announcement }))
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: again after each change
  useEffect(() => abortable(({ signal }) => void readNow(signal)), [readCount])

  return { ...loaded, readAgain }
}

async function read(id: string, signal: AbortSignal): Promise<LoadedAnnouncement | 'missing'> {
  try {
    const announcement = await callApi(api.announcements[':id'].$get({ param: { id } }, { init: { signal } }))
    // The administrator may read it; the public may not.
    if ('state' in announcement && announcement.state !== 'published') return 'missing'
    return {
      announcement: { ...announcement, publishAt: announcement.publishAt ?? announcement.createdAt },
      failure: null,
    }
  } catch (error) {
    // Closed while loading.
    if (signal.aborted) return { announcement: null, failure: null }
    if (!(error instanceof ApiProblem)) throw error
    return error.problem.code === 'not_found'
      ? 'missing'
      : { announcement: null, failure: `Failed to load the announcement: ${error.message}` }
  }
}

interface LightDialogProps {
  labelledBy: string
  title: ReactNode
  onClose: () => void
  children: ReactNode
}

/**
 * The native `<dialog>`, to keep the public pages small. Closes on Escape, its button and a press
 * outside. The caller restores the focus.
 */
function LightDialog({ labelledBy, title, onClose, children }: LightDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const ignoreOpeningKey = useIgnoreOpeningKey()
  // Where the press began: a text selection that ends outside doesn't close it.
  const pressedOutside = useRef(false)

  useEffect(() => {
    const element = dialog.current
    if (!element) return
    openDialog(element)
    return () => closeDialog(element)
  }, [])

  const isOutside = ({ target, currentTarget }: MouseEvent) => target === currentTarget
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the mouse's way to close it; the keyboard's is Escape
    <dialog
      {...ignoreOpeningKey}
      ref={dialog}
      aria-labelledby={labelledBy}
      // The browser closes the dialog itself; after close() from here the event comes when it is closed already.
      onClose={({ currentTarget }) => {
        if (dialog.current === currentTarget && !currentTarget.open) onClose()
      }}
      onMouseDown={(event) => {
        pressedOutside.current = isOutside(event)
      }}
      onClick={(event) => {
        if (pressedOutside.current && isOutside(event)) onClose()
      }}
      // The dialog is as large as the screen: what isn't the panel is outside.
      className="fixed inset-0 m-0 size-full max-h-none max-w-none grid-cols-1 grid-rows-[minmax(0,1fr)] place-items-center bg-transparent p-[min(0.75rem,12px)] text-fg backdrop:bg-pine-deep/60 open:grid sm:p-6"
    >
      <div className="panel-in flex max-h-full w-full max-w-2xl flex-col rounded-box border bg-card shadow-card">
        <header className="flex items-start gap-3 border-b py-2.5 pr-[min(0.625rem,10px)] pl-[min(1.25rem,20px)]">
          <h2
            id={labelledBy}
            dir="auto"
            className="min-w-0 flex-1 self-center py-1 text-lg leading-snug font-bold wrap-anywhere"
          >
            {title}
          </h2>
          <IconButton label="Close" size="md" onClick={onClose} icon={X} />
        </header>
        <section
          aria-labelledby={labelledBy}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
          tabIndex={0}
          className="min-h-0 flex-1 overflow-y-auto overscroll-contain p-[min(1.25rem,20px)] -outline-offset-2"
        >
          {children}
        </section>
      </div>
    </dialog>
  )
}
