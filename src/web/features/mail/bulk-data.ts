import { parseAsString } from 'nuqs/server'
import type { Location } from 'react-router'
import * as z from 'zod/mini'
import { batchBody, batchSubject, type StudentAudience } from '#shared/mail/mail-batch.ts'
import { readRecipients } from '#shared/mail/mail-recipients.ts'
import type { RecipientFile, RecipientList } from '#shared/mail/mail-response.ts'
import type { FieldError } from '#shared/problem.ts'
import { type NstpComponent, nstpComponents } from '#shared/students/student-choices.ts'
import { archiveFilters } from '#shared/students/students.ts'
import { problemsOfSchema } from '#web/components/form.tsx'
import { createAddress } from '#web/lib/address.ts'
import { tabPath } from '#web/lib/admin-tab.ts'
import { messagesParsers } from './email-data.ts'

export const bulkAddress = createAddress(tabPath('email', { pane: 'bulk' }), {
  ...messagesParsers,
  batch: parseAsString.withDefault(''),
})

export type BulkAddress = ReturnType<typeof bulkAddress.read>

type RecipientWay = 'students' | 'list' | 'file'

export const ownText = 'custom'

/** Input of one way is preserved while another is chosen. */
export interface BulkValues {
  /** Null at first: a mail to all students must not be the default. */
  way: RecipientWay | null
  /** The students selected in the list; null if filters choose them. */
  ids: string[] | null
  component: string
  academicYear: string
  course: string
  archive: string
  list: string
  file: { source: File; list: RecipientFile } | null
  subject: string
  template: string
  body: string
}

export const emptyBulkValues: BulkValues = {
  way: null,
  ids: null,
  component: '',
  academicYear: '',
  course: '',
  archive: 'active',
  list: '',
  file: null,
  subject: '',
  template: ownText,
  body: '',
}

const selectionState = (accountId: string) =>
  z.object({
    studentIds: z.array(z.string()),
    by: z.literal(accountId),
    text: z.optional(z.object({ subject: z.string(), body: z.string() })),
  })

/**
 * A list of students leads here with its selection, a training day also with a text to begin from, in the history's state: the address has no room for it. The next
 * account of a shared browser doesn't get it.
 */
export function startOf(
  { state, search }: Pick<Location, 'state' | 'search'>,
  accountId: string,
): BulkValues {
  const { data } = selectionState(accountId).safeParse(state)
  if (data) return { ...emptyBulkValues, way: 'students', ids: data.studentIds, ...data.text }
  const component = componentOf(search)
  return component ? { ...emptyBulkValues, way: 'students', component } : emptyBulkValues
}

/** Ctrl K puts it into the address, as in `?component=CWTS`. */
export function componentOf(search: string): NstpComponent | undefined {
  const wanted = new URLSearchParams(search).get('component')
  return nstpComponents.find((one) => one === wanted)
}

type AudienceValues = Pick<BulkValues, 'ids' | 'component' | 'academicYear' | 'course' | 'archive'>

export function audienceOf(values: AudienceValues): StudentAudience {
  const { ids, component, academicYear, course, archive } = values
  // The students of a closed term are archived by then, and must be found too.
  if (ids) return { ids, archive: 'all' }
  return {
    component: nstpComponents.find((one) => one === component),
    academicYear: academicYear || undefined,
    course: course || undefined,
    archive: archiveFilters.find((one) => one === archive),
  }
}

export function textOf({ subject, template, body }: Pick<BulkValues, 'subject' | 'template' | 'body'>) {
  const isOwn = template === ownText
  return { subject, template: isOwn ? '' : template, useCustomTemplate: isOwn, ...(isOwn ? { body } : {}) }
}

export function bodyOf(values: BulkValues) {
  const { way, list, file } = values
  const message = textOf(values)
  if (way === 'students') return { ...message, audience: audienceOf(values) }
  // Addresses are sent as typed: the server excludes and counts invalid ones.
  return { ...message, recipients: way === 'list' ? list : (file?.list.recipients ?? []) }
}

const storedMessage = z.object({ subject: batchSubject })
const ownMessage = z.extend(storedMessage, { body: batchBody })

export function problemsOf(values: BulkValues): FieldError[] {
  return [
    ...recipientProblems(values),
    ...problemsOfSchema(values.template === ownText ? ownMessage : storedMessage, values),
  ]
}

function recipientProblems({ way, list, file }: BulkValues): FieldError[] {
  if (way === null) return [{ path: 'way', message: 'Please choose the recipients.' }]
  if (way === 'students') return []
  if (way === 'file' && file === null) return [{ path: 'way', message: 'Please choose a spreadsheet.' }]
  const { problem } = way === 'list' ? readList(list) : (file?.list ?? readList(''))
  return problem === '' ? [] : [{ path: 'way', message: problem }]
}

let lastRead = { text: '', list: readRecipients('') }

/** Caches the last result: thousands of lines aren't parsed again when only the subject changes. */
export function readList(text: string): RecipientList {
  if (text !== lastRead.text) lastRead = { text, list: readRecipients(text) }
  return lastRead.list
}

/** Maps a path of the API's answer to the form's field; recipients have theirs at the way. */
export function fieldOf(path: string): string {
  const [first = ''] = path.split('.')
  return first === 'audience' || first === 'recipients' ? 'way' : first
}

export function isOfStudentsOnly(text: string): boolean {
  return /\{(?:lastName|component|course|academicYear|reference)\}/.test(text)
}

// Prefixed: other parts of the page use the same names.
export const idOf = (name: string) => `bulk-${name}`

/** The control whose input a path is about. */
export function controlIdOf(path: string, way: RecipientWay | null): string {
  return idOf(
    path === 'way' && way !== null ? { students: 'component', list: 'list', file: 'file' }[way] : path,
  )
}
