import type { BackupStatus } from '#shared/backup.ts'

const dayMs = 24 * 60 * 60 * 1000
/** From then on the panel asks for a new backup. */
const oldAfterDays = 30

/** What is to be said of the last backup's age; null while it is young enough. */
export function ageWarning({ last }: BackupStatus, now: Date): string | null {
  if (!last) return 'No backup has been made yet.'
  const days = Math.floor((now.getTime() - Date.parse(last.at)) / dayMs)
  return days > oldAfterDays ? `The last backup is ${days} days old. Please make a new one.` : null
}
