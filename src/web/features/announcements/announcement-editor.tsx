import { useState } from 'react'
import type { ManagedAnnouncement } from '#shared/announcements.ts'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { Modal } from '#web/components/modal.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import { AnnouncementForm } from './announcement-form.tsx'
import type { OpenedReading } from './announcements-data.ts'
import { newAnnouncement } from './manager-address.ts'

interface AnnouncementEditorProps {
  /** Which form is open, as in the address; null for none. */
  opened: string | null
  /** What is known of the announcement; null while it is being read, and for a new one. */
  reading: OpenedReading | null
  onClose: () => void
}

/** The modal with the form. */
export function AnnouncementEditor({ opened, reading, onClose }: AnnouncementEditorProps) {
  const { held, turn, startFrom } = useHeld(opened, reading)
  // The form knows what its buttons can do; they stand in the modal's foot.
  const [foot, setFoot] = useState<HTMLElement | null>(null)
  const isNew = held.opened === newAnnouncement
  return (
    <Modal
      open={opened !== null}
      onClose={onClose}
      size="lg"
      title={isNew ? 'New announcement' : 'Edit announcement'}
      footer={<div ref={setFoot} className="contents" />}
    >
      {isNew || held.announcement ? (
        <AnnouncementForm
          key={turn}
          held={held.announcement}
          foot={foot}
          onTakeOver={startFrom}
          onClose={onClose}
        />
      ) : reading && 'failure' in reading ? (
        <ErrorBanner message={reading.failure} />
      ) : (
        <FormSkeleton />
      )}
    </Modal>
  )
}

interface Held {
  opened: string | null
  announcement: ManagedAnnouncement | null
}

/**
 * The announcement as it was when the form was opened: a later version is met when the form is saved. While the
 * modal fades out it still shows what it showed.
 */
function useHeld(opened: string | null, reading: OpenedReading | null) {
  const read = reading && 'announcement' in reading ? reading.announcement : null
  const fitting = read?.id === opened ? read : null
  const [{ held, turn, isOpen }, setState] = useState({
    held: { opened, announcement: fitting } satisfies Held as Held,
    turn: 0,
    isOpen: opened !== null,
  })
  const start = (next: Held) => setState({ held: next, turn: turn + 1, isOpen: true })
  if (opened === null && isOpen) setState({ held, turn, isOpen: false })
  else if (opened !== null && (!isOpen || opened !== held.opened)) start({ opened, announcement: fitting })
  else if (opened !== null && !held.announcement && fitting) start({ opened, announcement: fitting })
  return { held, turn, startFrom: (announcement: ManagedAnnouncement) => start({ opened, announcement }) }
}

function FormSkeleton() {
  return (
    <div role="status" className="flex flex-col gap-4">
      <span className="sr-only">Loading the announcement</span>
      <Skeleton className="h-9" />
      <Skeleton className="h-64" />
      <Skeleton className="h-9" />
    </div>
  )
}
