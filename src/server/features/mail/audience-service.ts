import type { Queryable } from '#server/database/schema.ts'
import type { createStudentMailing } from '#server/features/students/mailing-service.ts'
import type { Access } from '#server/lib/access.ts'
import type { Staff } from '#server/lib/actor.ts'
import type { Audit } from '#server/lib/audit.ts'
import { AppError, tooBig } from '#server/lib/errors.ts'
import { createWorkQueue } from '#server/lib/work-queue.ts'
import { isMisnamed, tableRows } from '#server/spreadsheet/reading/table-rows.ts'
import type { TableRow } from '#server/spreadsheet/reading/workbook-rows.ts'
import { fileSentences, unreadable } from '#server/spreadsheet/reading/zip-parts.ts'
import { importSentences, maxImportBytes, maxImportRows } from '#shared/imports/imports.ts'
import { mailLimits } from '#shared/mail/mail.ts'
import { addressKey, isMailAddress, trimAddress } from '#shared/mail/mail-address.ts'
import type { StudentAudience } from '#shared/mail/mail-batch.ts'
import { collectRecipients, type GivenRecipient, recipientMessages } from '#shared/mail/mail-recipients.ts'
import type { AudiencePreview, RecipientList, RecipientRecord } from '#shared/mail/mail-response.ts'
import type { PlaceholderValues } from './mailer.ts'

const sampleSize = 5

export type OptedOutOf = (db: Queryable, keys: readonly string[]) => Promise<ReadonlySet<string>>

export type StudentMailing = ReturnType<typeof createStudentMailing>
type MailedStudent = Awaited<ReturnType<StudentMailing['withAddresses']>>[number]

interface Reading {
  access: Access
  // Whether the students stay locked until the transaction ends.
  lock: boolean
}

interface AudiencesOptions {
  db: Queryable
  audit: Audit
  students: StudentMailing
  optedOutOf: OptedOutOf
  headings: Headings
}

/** Finds the columns of a list as the import of students does. */
export interface Headings {
  findHeader: (rows: readonly TableRow[]) => number
  guessColumns: (headings: readonly string[]) => readonly (string | null)[]
}

export type Audiences = ReturnType<typeof createAudiences>

export function createAudiences({ db, audit, students, optedOutOf, headings }: AudiencesOptions) {
  // Each address once; the first entry wins.
  async function splitCandidates(on: Queryable, candidates: readonly Addressee[]) {
    const valid = candidates.filter(({ email }) => isMailAddress(email))
    const first = new Map<string, Addressee>()
    for (const candidate of valid) {
      const key = addressKey(candidate.email)
      if (!first.has(key)) first.set(key, candidate)
    }
    const optedOutKeys = await optedOutOf(on, [...first.keys()])
    const addressees: Addressee[] = []
    const optedOut: Addressee[] = []
    for (const [key, addressee] of first) {
      const isLeftOut = addressee.isRestricted || optedOutKeys.has(key)
      ;(isLeftOut ? optedOut : addressees).push(addressee)
    }
    return {
      addressees,
      optedOut,
      duplicateCount: valid.length - first.size,
      invalidCount: candidates.length - valid.length,
    }
  }

  async function ofStudents(on: Queryable, audience: StudentAudience, limits: Reading) {
    // One more than the limit shows that there are too many.
    const found = await students.addressed(on, audience, { limit: mailLimits.recipients + 1, ...limits })
    if (found.length > mailLimits.recipients) throw tooBig('audience', recipientMessages.tooManyStudents)
    const candidates = found.map(
      (student): Addressee => ({
        email: trimAddress(student.email),
        studentId: student.id,
        isRestricted: student.restriction !== null,
        values: valuesOf(student),
      }),
    )
    return await splitCandidates(on, candidates)
  }

  async function recordsOf(on: Queryable, addresses: readonly string[], reading: Reading) {
    const records = new Map<string, MailedStudent>()
    for (const student of await students.withAddresses(on, addresses.map(addressKey), reading)) {
      const key = addressKey(trimAddress(student.email))
      if (!records.has(key) || student.restriction !== null) records.set(key, student)
    }
    return records
  }

  async function noteRead(list: string, affected: number, page: string, actor: Staff): Promise<void> {
    await audit.recordView(db, { action: 'students-listed', actor, affected, detail: { list } }, page)
  }

  return {
    // Reads the recipients of a file, and stores nothing of it.
    readFile: (file: Buffer, fileName: string): Promise<RecipientList> =>
      files.run(() => readRecipientFile(file, fileName, headings)),

    /**
     * @param tx the transaction that writes the messages
     * @param options.isFilled whether student records fill the placeholders that the list lacks
     */
    async ofRecipients(
      tx: Queryable,
      list: RecipientList | undefined,
      { access, isFilled }: { access: Access; isFilled: boolean },
    ) {
      const { recipients, duplicates, invalid } = list ?? { recipients: [], duplicates: [], invalid: [] }
      const addresses = recipients.map(({ email }) => email)
      const records = await recordsOf(tx, addresses, { access, lock: true })
      const candidates = recipients.map(({ email, firstName }): Addressee => {
        const found = records.get(addressKey(email))
        const isRestricted = found !== undefined && found.restriction !== null
        const student = found && access.includes(found.nstpComponent) ? found : undefined
        const fields = student && isFilled ? valuesOf(student) : {}
        return { email, studentId: student?.id ?? null, isRestricted, values: { ...fields, firstName } }
      })
      const split = await splitCandidates(tx, candidates)
      return { ...split, duplicateCount: duplicates.length, invalidCount: invalid.length }
    },

    async recordOf(address: string, actor: Staff): Promise<RecipientRecord> {
      const { access } = actor
      const found = (await recordsOf(db, [address], { access, lock: false })).get(addressKey(address))
      const student = found && access.includes(found.nstpComponent) ? found : undefined
      await noteRead('recipients', student ? 1 : 0, address, actor)
      return { values: student ? valuesOf(student) : null }
    },

    /** @throws AppError `too_big` above the limit of one bulk e-mail */
    ofStudents: (tx: Queryable, audience: StudentAudience, access: Access) =>
      ofStudents(tx, audience, { access, lock: true }),

    async preview(audience: StudentAudience, actor: Staff): Promise<AudiencePreview> {
      const found = await ofStudents(db, audience, { access: actor.access, lock: false })
      const { addressees, optedOut, duplicateCount, invalidCount } = found
      const sample = addressees.slice(0, sampleSize)
      await noteRead('audience', sample.length, JSON.stringify(audience), actor)
      return {
        count: addressees.length,
        optedOut: optedOut.length,
        duplicates: duplicateCount,
        invalid: invalidCount,
        sample: sample.map(({ studentId, email, values }) => ({ id: studentId ?? '', email, ...values })),
      }
    },
  }
}

export interface Addressee {
  email: string
  studentId: string | null
  // Blocked, or without consent: left out like an opt-out.
  isRestricted: boolean
  values: PlaceholderValues
}

function valuesOf({ nstpComponent, ...student }: MailedStudent): PlaceholderValues {
  const { firstName, lastName, course, academicYear, reference } = student
  return { firstName, lastName, component: nstpComponent, course, academicYear, reference }
}

// Each file may unpack to many megabytes.
const maxConcurrentFiles = 2
// ms: a file that takes longer is treated as hostile.
const parseTimeoutMs = 60_000
const headerSearchRows = 15

const noAddresses =
  'This file has no column with e-mail addresses. Please give the column the heading "Email" and choose the file again.'

interface RecipientColumns {
  email: number
  firstName: number
  skipped: number
}

function columnsOf(first: readonly TableRow[], headings: Headings, problem: string): RecipientColumns {
  const header = headings.findHeader(first)
  const fields = headings.guessColumns(first[header]?.cells ?? [])
  const email = fields.indexOf('email')
  if (email >= 0) return { email, firstName: fields.indexOf('firstName'), skipped: header + 1 }
  // A list without headings: the first column with an address.
  const row = first.findIndex(({ cells }) => cells.some(isAddressCell))
  if (row < 0) throw unreadable(problem)
  return { email: first[row]?.cells.findIndex(isAddressCell) ?? 0, firstName: -1, skipped: row }
}

const files = createWorkQueue({ atOnce: maxConcurrentFiles, maxWaiting: 0, busy: fileSentences.busy })

async function readRecipientFile(file: Buffer, fileName: string, headings: Headings): Promise<RecipientList> {
  if (file.length > maxImportBytes) throw new AppError('too_big', importSentences.tooBig)
  const end = Date.now() + parseTimeoutMs
  const rows: TableRow[] = []
  for await (const row of tableRows(file)) {
    rows.push(row)
    if (rows.length > maxImportRows + headerSearchRows) {
      throw new AppError('too_big', importSentences.tooManyRows)
    }
    if (Date.now() > end) throw unreadable(fileSentences.tooLarge)
  }
  if (rows.length === 0) throw unreadable(fileSentences.empty)
  // A wrong file extension is accepted as long as there are addresses.
  const problem = isMisnamed(file, fileName) ? fileSentences.otherType : noAddresses
  const columns = columnsOf(rows.slice(0, headerSearchRows), headings, problem)
  const given = rows.slice(columns.skipped).flatMap((row) => recipientOf(row, columns))
  if (given.length === 0) throw unreadable(fileSentences.empty)
  return collectRecipients(given, 'row')
}

function recipientOf({ number, cells }: TableRow, columns: RecipientColumns): GivenRecipient[] {
  const filled = cells.find((cell) => cell.trim() !== '')
  if (filled === undefined) return []
  const email = cells[columns.email] ?? ''
  const firstName = columns.firstName < 0 ? '' : (cells[columns.firstName] ?? '')
  return [{ position: number, text: email.trim() || filled.trim(), email, firstName }]
}

function isAddressCell(cell: string): boolean {
  return isMailAddress(trimAddress(cell))
}
