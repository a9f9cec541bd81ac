import { AppError } from '#server/lib/errors.ts'
import { createWorkQueue } from '#server/lib/work-queue.ts'
import { isMisnamed } from '#server/spreadsheet/reading/table-rows.ts'
import type { TableRow } from '#server/spreadsheet/reading/workbook-rows.ts'
import { fileSentences, unreadable } from '#server/spreadsheet/reading/zip-parts.ts'
import type { ReadingChoices, ReadingNote } from '#shared/imports/import-response.ts'
import { importSentences, maxImportBytes, maxImportRows } from '#shared/imports/imports.ts'
import { defaultFirstName } from '#shared/mail/mail.ts'
import { isMailAddress, trimAddress } from '#shared/mail/mail-address.ts'
import { collectRecipients, type GivenRecipient, nameAndAddress } from '#shared/mail/mail-recipients.ts'
import type { RecipientFile } from '#shared/mail/mail-response.ts'
import { splitFullName } from '#shared/students/person-names.ts'

/** Reads a table as the import of students does. */
export interface Tables {
  read: (
    file: Buffer,
    choices?: ReadingChoices,
  ) => Promise<{
    headers: () => readonly string[]
    rows: AsyncIterable<TableRow>
    notes: () => Promise<ReadingNote[]>
  } | null>
  guessColumns: (headings: readonly string[]) => readonly (string | null)[]
}

// Each file may unpack to many megabytes.
const maxConcurrentFiles = 2
// ms: a file that takes longer is treated as hostile.
const parseTimeoutMs = 60_000
// Among which there is an address.
const searchedRows = 15

const noAddresses =
  'This file has no column with e-mail addresses. Please give the column the heading "Email" and choose the file again.'

const files = createWorkQueue({ atOnce: maxConcurrentFiles, maxWaiting: 0, busy: fileSentences.busy })

interface SentFile {
  bytes: Buffer
  fileName: string
  choices: ReadingChoices | undefined
}

/** Nothing of the file is stored. @throws AppError `invalid` or `too_big` */
export const readRecipientFile = (file: SentFile, tables: Tables): Promise<RecipientFile> =>
  files.run(() => read(file, tables))

async function read({ bytes, fileName, choices }: SentFile, tables: Tables): Promise<RecipientFile> {
  if (bytes.length > maxImportBytes) throw new AppError('too_big', importSentences.tooBig)
  const end = Date.now() + parseTimeoutMs
  const table = await tables.read(bytes, choices)
  if (!table) throw unreadable(fileSentences.empty)
  const rows: TableRow[] = []
  for await (const row of table.rows) {
    rows.push(row)
    if (rows.length > maxImportRows) throw new AppError('too_big', importSentences.tooManyRows)
    if (Date.now() > end) throw unreadable(fileSentences.tooLarge)
  }
  const fields = tables.guessColumns(table.headers())
  const columns: RecipientColumns = {
    email: fields.includes('email') ? fields.indexOf('email') : addressColumn(rows),
    firstName: fields.indexOf('firstName'),
    fullName: fields.indexOf('fullName'),
  }
  // A wrong file extension is accepted as long as there are addresses.
  if (columns.email < 0) throw unreadable(isMisnamed(bytes, fileName) ? fileSentences.otherType : noAddresses)
  if (rows.length === 0) throw unreadable(fileSentences.empty)
  const given = rows.flatMap((row) => recipientOf(row, columns))
  return {
    ...collectRecipients(given, 'row'),
    readingNotes: [
      ...(await table.notes()),
      ...addressNotes(fields.includes('email'), table.headers()[columns.email]),
      ...nameNotes(rows, columns),
    ],
  }
}

// -1 where there is none.
interface RecipientColumns {
  email: number
  firstName: number
  fullName: number
}

/** A list without headings has the addresses in the first column that contains one. */
function addressColumn(rows: readonly TableRow[]): number {
  const first = rows.slice(0, searchedRows).find(({ cells }) => cells.some(isAddressCell))
  return first?.cells.findIndex(isAddressCell) ?? -1
}

function isAddressCell(cell: string): boolean {
  return isMailAddress(nameAndAddress(trimAddress(cell)).email)
}

/** A guessed column may be that of somebody else, such as a guardian. */
function addressNotes(isHeaded: boolean, heading = ''): ReadingNote[] {
  if (isHeaded) return []
  const column = heading.trim() === '' ? 'a column without a heading' : `the column “${heading.trim()}”`
  return [{ text: `No column is headed Email: the addresses are those of ${column}.`, presses: [] }]
}

function recipientOf({ number, cells }: TableRow, columns: RecipientColumns): GivenRecipient[] {
  const filled = cells.find((cell) => cell.trim() !== '')
  if (filled === undefined) return []
  const { email, firstName: named } = nameAndAddress(trimAddress(cells[columns.email] ?? ''))
  const ofName = splitFullName(cells[columns.fullName] ?? '')?.firstName
  const firstName = cells[columns.firstName]?.trim() || ofName || named
  return [{ position: number, text: email.trim() || filled.trim(), email, firstName }]
}

/** Without a comma nobody can tell the first name by program. */
function nameNotes(rows: readonly TableRow[], { firstName, fullName }: RecipientColumns): ReadingNote[] {
  if (firstName >= 0 || fullName < 0) return []
  const whole = rows.flatMap(({ cells }) => {
    const name = cells[fullName]?.trim() ?? ''
    return name !== '' && splitFullName(name) === null ? [name] : []
  })
  const count = whole.length === 1 ? '1 name has' : `${whole.length} names have`
  return whole.length === 0
    ? []
    : [
        {
          text: `${count} no comma behind the last name, such as “${whole[0]}”: {firstName} is ${defaultFirstName} there.`,
          presses: [],
        },
      ]
}
