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

/** 1234567 → '1.2 MB'. */
export function sizeText(bytes: number): string {
  if (bytes < 1e6) return `${Math.ceil(bytes / 1e3)} kB`
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(2)} GB`
}
