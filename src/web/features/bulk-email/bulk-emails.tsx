import type { BulkEmailsData } from './bulk-data.ts'

export function BulkEmails(_props: { data: BulkEmailsData | null; failed: boolean; disabled: boolean }) {
  return null
}
