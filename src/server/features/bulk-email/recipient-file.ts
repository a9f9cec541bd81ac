import { AppError } from '#server/errors.ts'
import type { TableRow } from '#server/spreadsheet/reading/sheet-rows.ts'
import { isMisnamed, tableRows } from '#server/spreadsheet/reading/table-rows.ts'
import { fileSentences, unreadable } from '#server/spreadsheet/reading/unreadable.ts'
import { importSentences, maxImportBytes, maxImportRows } from '#shared/imports.ts'
import { isMailAddress, trimAddress } from '#shared/mail-address.ts'
import { collectRecipients, type GivenRecipient, type RecipientList } from '#shared/mail-recipients.ts'

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
