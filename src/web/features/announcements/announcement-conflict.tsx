import type { ManagedAnnouncement } from '#shared/announcements.ts'
import { ConflictPanel } from '#web/components/conflict-panel.tsx'
import { useInstantTexts } from '#web/lib/instant-texts.ts'
import { readManaged } from './announcements-data.ts'
import { otherChanges } from './edit-conflict.ts'

interface AnnouncementConflictProps {
  /** As the form saw the announcement. */
  seen: ManagedAnnouncement
  onTakeOver: (now: ManagedAnnouncement) => void
  onSaveOver: (now: ManagedAnnouncement) => void
}

/** After a save of an announcement that somebody else changed meanwhile. */
export function AnnouncementConflict({ seen, onTakeOver, onSaveOver }: AnnouncementConflictProps) {
  const { momentOf } = useInstantTexts()
  return (
    <ConflictPanel
      what="announcement"
      read={(signal) => readManaged(seen.id, signal)}
      changesOf={(now) => otherChanges(seen, now, momentOf)}
      saveLabel="Save mine over it"
      onTakeOver={onTakeOver}
      onSaveOver={onSaveOver}
    />
  )
}
