import type { PlaceholderTexts } from '#shared/mail-placeholders.ts'
import { sourceText } from './batch-texts.ts'
import { audienceOf, type BulkValues, readList } from './bulk-values.ts'
import type { AudienceReading } from './use-audience.ts'

/** Somebody whom the mail can be previewed for. */
export interface Sample extends PlaceholderTexts {
  email: string
}

/** Who would get the mail, as far as it is known. */
export interface Addressees {
  /** Null while nobody is chosen, while it is being read, and when that has failed. */
  count: number | null
  /** All of a list; the first few of the students. */
  sample: readonly Sample[]
}

/** Whom the chosen way of the form names. */
export function addresseesOf(values: BulkValues, { preview }: AudienceReading): Addressees {
  if (values.way === null) return { count: null, sample: [] }
  if (values.way === 'students') return { count: preview?.count ?? null, sample: preview?.sample ?? [] }
  const recipients = values.way === 'list' ? readList(values.list).recipients : values.file?.list.recipients
  return { count: recipients?.length ?? 0, sample: recipients ?? [] }
}

/** Whom the form names, in words: 'Students: ROTC, 2026-2027, not archived'. */
export function whomText(values: BulkValues): string {
  if (values.way === 'students') {
    return sourceText({ kind: 'students', audience: audienceOf(values) })
  }
  return values.way === 'list' ? 'The list that you typed' : `The spreadsheet ${values.file?.name ?? ''}`
}

/** Why the mail can't be sent to anybody yet, as a sentence; null when it can. */
export function missingAddressees(values: BulkValues, { preview, failure }: AudienceReading): string | null {
  const { way, list, file } = values
  switch (way) {
    case null:
      return 'Choose in step 1 who gets this e-mail. Then it can be sent.'
    case 'students':
      if (failure !== null) return 'The students could not be counted. Please try again.'
      if (preview === null) return 'The students are being counted.'
      return preview.count === 0 ? 'No student matches. Please choose other students.' : null
    case 'list':
      if (list.trim() === '') return 'Enter the recipients in step 1. Then the e-mail can be sent.'
      return readList(list).problem || null
    case 'file':
      return file ? file.list.problem || null : 'Choose a spreadsheet in step 1. Then the e-mail can be sent.'
  }
}
