import type { Queryable } from '#server/database/schema.ts'
import { AppError } from '#server/lib/errors.ts'
import type { TableRow } from '#server/spreadsheet/reading/sheet-rows.ts'
import { isMisnamed, tableRows } from '#server/spreadsheet/reading/table-rows.ts'
import { fileSentences, unreadable } from '#server/spreadsheet/reading/xml-scanner.ts'
import { importSentences, maxImportBytes, maxImportRows } from '#shared/imports/imports.ts'
import { type BulkRecipient, mailLimits, type StudentAudience } from '#shared/mail/mail.ts'
import { addressKey, isMailAddress, trimAddress } from '#shared/mail/mail-address.ts'
import type { AudiencePreview, RecipientRecord } from '#shared/mail/mail-history.ts'
import {
  collectRecipients,
  type GivenRecipient,
  type RecipientList,
  recipientMessages,
} from '#shared/mail/mail-recipients.ts'
import type { PlaceholderValues } from './mailer.ts'

/** Students of an audience that are shown to preview the mail with. */
const sampleSize = 5

/** Which of some addresses, by `addressKey`, want no announcements by mail. */
export type OptedOutOf = (db: Queryable, keys: readonly string[]) => Promise<ReadonlySet<string>>

export interface AudiencesOptions {
  db: Queryable
  /** The students that the list shows by the same filters, in its order, at most so many. */
  addressed: (
    db: Queryable,
    audience: StudentAudience,
    options: { limit: number; keep: boolean },
  ) => Promise<MailedStudent[]>
  /** The active students of some addresses, by `addressKey`, the newest first. */
  withAddresses: (
    db: Queryable,
    keys: readonly string[],
    options: { keep: boolean },
  ) => Promise<MailedStudent[]>
  optedOutOf: OptedOutOf
}

export type Audiences = ReturnType<typeof createAudiences>

/** Works out whom a bulk e-mail goes to. */
export function createAudiences({ db, addressed, withAddresses, optedOutOf }: AudiencesOptions) {
  function ofList(on: Queryable, candidates: readonly Addressee[]): Promise<Addressees> {
    return sortOut(candidates, (keys) => optedOutOf(on, keys))
  }

  async function ofStudents(on: Queryable, audience: StudentAudience, keep: boolean): Promise<Addressees> {
    // One more tells that there are too many.
    const students = await addressed(on, audience, { limit: mailLimits.recipients + 1, keep })
    if (students.length > mailLimits.recipients) {
      const message = recipientMessages.tooManyStudents
      throw new AppError('too_big', { detail: message, errors: [{ path: 'audience', message }] })
    }
    return await ofList(on, students.map(addresseeOfStudent))
  }

  /** Who has which address, by `addressKey`: of several students the newest, as of an audience. */
  async function recordsOf(on: Queryable, addresses: readonly string[], keep: boolean) {
    const records = new Map<string, MailedStudent>()
    for (const student of await withAddresses(on, addresses.map(addressKey), { keep })) {
      const key = addressKey(trimAddress(student.email))
      if (!records.has(key)) records.set(key, student)
    }
    return records
  }

  return {
    /**
     * Whom a mail to a list goes to. A recipient whose address is a student's counts as that student.
     *
     * @param tx the transaction that writes to them
     * @param filled whether the records fill what the list says nothing of
     */
    async ofRecipients(
      tx: Queryable,
      recipients: readonly BulkRecipient[],
      filled: boolean,
    ): Promise<Addressees> {
      const addresses = recipients.map(({ email }) => email)
      const records = await recordsOf(tx, addresses, true)
      return await ofList(
        tx,
        recipients.map((one) => addresseeOfRecipient(one, records.get(addressKey(one.email)), filled)),
      )
    },

    /** What the record of an address fills in, to preview the mail with. */
    async recordOf(address: string): Promise<RecipientRecord> {
      const student = (await recordsOf(db, [address], false)).get(addressKey(address))
      return { values: student ? valuesOf(student) : null }
    },

    /**
     * Whom a mail to students of these filters goes to.
     *
     * @param tx the transaction that writes to them
     * @throws AppError `too_big` for more than one bulk e-mail goes to
     */
    ofStudents: (tx: Queryable, audience: StudentAudience) => ofStudents(tx, audience, true),

    /** The numbers beforehand, and the first students. */
    async preview(audience: StudentAudience): Promise<AudiencePreview> {
      const { addressees, optedOut, duplicateCount, invalidCount } = await ofStudents(db, audience, false)
      return {
        count: addressees.length,
        optedOut: optedOut.length,
        duplicates: duplicateCount,
        invalid: invalidCount,
        sample: addressees.slice(0, sampleSize).map(({ studentId, email, values }) => ({
          id: studentId ?? '',
          email,
          ...values,
        })),
      }
    },
  }
}

/** Somebody that a mail goes to. */
export interface Addressee {
  email: string
  /** Null for somebody from a list whom no record is known of. */
  studentId: string | null
  /** What stands in for the placeholders. */
  values: PlaceholderValues
}

/** Whom a mail goes to, and how many it does not go to for which reason. */
export interface Addressees {
  addressees: Addressee[]
  optedOut: Addressee[]
  duplicateCount: number
  invalidCount: number
}

/** What a student's record holds for a mail. */
interface MailedStudent {
  id: string
  email: string
  firstName: string
  lastName: string
  nstpComponent: string
  course: string
  academicYear: string
  reference: string
}

/** What a student's record puts in place of the placeholders. */
function valuesOf({ nstpComponent, ...student }: MailedStudent): PlaceholderValues {
  const { firstName, lastName, course, academicYear, reference } = student
  return { firstName, lastName, component: nstpComponent, course, academicYear, reference }
}

/** A student as somebody that a mail goes to. */
function addresseeOfStudent(student: MailedStudent): Addressee {
  return { email: trimAddress(student.email), studentId: student.id, values: valuesOf(student) }
}

/**
 * The same of a recipient from a list, which decides about the first name.
 *
 * @param student whose address it is, if it is known as one's
 * @param filled whether the record fills the other placeholders
 */
function addresseeOfRecipient(
  { email, firstName }: BulkRecipient,
  student: MailedStudent | undefined,
  filled: boolean,
): Addressee {
  const known = student && filled ? valuesOf(student) : {}
  return { email, studentId: student?.id ?? null, values: { ...known, firstName } }
}

/**
 * Sorts out who gets the mail: each address once, for whom it stands with first.
 *
 * @param optedOutOf which of some addresses want none, by `addressKey`
 */
async function sortOut(
  candidates: readonly Addressee[],
  optedOutOf: (keys: readonly string[]) => Promise<ReadonlySet<string>>,
): Promise<Addressees> {
  const valid = candidates.filter(({ email }) => isMailAddress(email))
  const first = new Map<string, Addressee>()
  for (const candidate of valid) {
    const key = addressKey(candidate.email)
    if (!first.has(key)) first.set(key, candidate)
  }
  const unwanted = await optedOutOf([...first.keys()])
  const addressees: Addressee[] = []
  const optedOut: Addressee[] = []
  for (const [key, addressee] of first) (unwanted.has(key) ? optedOut : addressees).push(addressee)
  return {
    addressees,
    optedOut,
    duplicateCount: valid.length - first.size,
    invalidCount: candidates.length - valid.length,
  }
}

/** Files read at the same time: each may unpack to many megabytes. */
const mostFiles = 2
/** A file that keeps the reader busy for longer is meant to. In milliseconds. */
const readingLimitMs = 60_000
/** Schools put their name, the list's title and a date above the headings. */
const headerSearchRows = 15

const noAddresses =
  'This file has no column with e-mail addresses. Please give the column the heading "Email" and choose the file again.'

interface RecipientFilesOptions {
  /** Which of a table's first rows holds the headings. */
  findHeader: (rows: readonly TableRow[]) => number
  /** The fields that headings name. */
  guessColumns: (headings: readonly string[]) => readonly (string | null)[]
}

interface RecipientColumns {
  email: number
  /** -1 for none. */
  firstName: number
  /** How many rows lie above the first recipient. */
  skipped: number
}

export type ReadRecipientFile = ReturnType<typeof createRecipientFiles>

/** Makes the function that reads recipients from a spreadsheet. Nothing of it is kept. */
export function createRecipientFiles({ findHeader, guessColumns }: RecipientFilesOptions) {
  let running = 0

  /** @param problem what is said when there are no addresses */
  function columnsOf(first: readonly TableRow[], problem: string): RecipientColumns {
    const header = findHeader(first)
    const fields = guessColumns(first[header]?.cells ?? [])
    const email = fields.indexOf('email')
    if (email >= 0) return { email, firstName: fields.indexOf('firstName'), skipped: header + 1 }
    // A list without headings: whichever column an address stands in.
    const row = first.findIndex(({ cells }) => cells.some(isAddressCell))
    if (row < 0) throw unreadable(problem)
    return { email: first[row]?.cells.findIndex(isAddressCell) ?? 0, firstName: -1, skipped: row }
  }

  async function read(file: Buffer, fileName: string): Promise<RecipientList> {
    const end = Date.now() + readingLimitMs
    const rows: TableRow[] = []
    for await (const row of tableRows(file)) {
      rows.push(row)
      if (rows.length > maxImportRows + headerSearchRows) {
        throw new AppError('too_big', { detail: importSentences.tooManyRows })
      }
      if (Date.now() > end) throw unreadable(fileSentences.tooLarge)
    }
    if (rows.length === 0) throw unreadable(fileSentences.empty)
    // A name can be wrong, as long as there are addresses.
    const problem = isMisnamed(file, fileName) ? fileSentences.otherType : noAddresses
    const columns = columnsOf(rows.slice(0, headerSearchRows), problem)
    const given = rows.slice(columns.skipped).flatMap((row) => recipientOf(row, columns))
    if (given.length === 0) throw unreadable(fileSentences.empty)
    return collectRecipients(given, 'row')
  }

  /**
   * The recipients of an .xlsx or CSV file, and what is wrong with which rows.
   *
   * @throws AppError `invalid` for a file without a list of addresses, `too_big`, `too_many_requests`
   */
  return async (file: Buffer, fileName: string): Promise<RecipientList> => {
    if (file.length > maxImportBytes) throw new AppError('too_big', { detail: importSentences.tooBig })
    if (running >= mostFiles) {
      const detail = 'Other files are being read at the moment. Please try again in a few seconds.'
      throw new AppError('too_many_requests', { detail, retryAfter: 5 })
    }
    running += 1
    try {
      return await read(file, fileName)
    } finally {
      running -= 1
    }
  }
}

/** The recipient of a row; none for one without anything in it. */
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
