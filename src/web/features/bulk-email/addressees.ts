import type { PlaceholderTexts } from '#shared/mail-placeholders.ts'
import { type BulkValues, readList } from './bulk-values.ts'
import type { AudienceReading } from './use-audience.ts'

/** Somebody whom the mail can be previewed for. */
export interface Sample extends PlaceholderTexts {
  email: string
}

/** Who would get the mail, as far as it is known. */
export interface Addressees {
  /** Null while it is being read, and when that has failed. */
  count: number | null
  /** All of a list; the first few of the students. */
  sample: readonly Sample[]
}

/** Whom the chosen way of the form names. */
export function addresseesOf(values: BulkValues, { preview }: AudienceReading): Addressees {
  if (values.way === 'students') return { count: preview?.count ?? null, sample: preview?.sample ?? [] }
  const recipients = values.way === 'list' ? readList(values.list).recipients : values.file?.list.recipients
  return { count: recipients?.length ?? 0, sample: recipients ?? [] }
}
