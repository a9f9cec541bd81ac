import type { TableRow } from '#server/spreadsheet/reading/workbook-rows.ts'
import type { ReadingChoices, ReadingNote } from '#shared/imports/import-response.ts'
import { isMailAddress } from '#shared/mail/mail-address.ts'
import { findHeadings, type Headings, isFilled, joinedHeadings, recognizedIn } from './headings.ts'
import { numbersText } from './reading-notes.ts'

const none: Headings = { first: -1, last: -1, cells: [] }

/** The headings that somebody chose, else those that are found. */
export function headingsOf(rows: readonly TableRow[], { headings }: ReadingChoices): Headings {
  if (headings === null) {
    const found = findHeadings(rows)
    return recognizedIn(found.cells) === 0 && looksLikePerson(rows) ? none : found
  }
  if (headings.length === 0) return none
  const places = headings.map((wanted) => rows.findIndex(({ number }) => number === wanted))
  const [first = -1, last = first] = places
  if (first < 0 || last < first) return findHeadings(rows)
  const [upper, lower] = [rows[first]?.cells ?? [], rows[last]?.cells ?? []]
  return { first, last, cells: first === last ? upper : joinedHeadings(upper, lower) }
}

const studentNumber = /^\d[\d -]{5,}$/

/** A file without headings: no known word in its first row, but an address or a number as people have them. */
function looksLikePerson([first]: readonly TableRow[]): boolean {
  const cells = (first?.cells ?? []).filter(isFilled).map((cell) => cell.trim())
  return recognizedIn(cells) === 0 && cells.some((cell) => isMailAddress(cell) || studentNumber.test(cell))
}

/** How to correct a wrong guess: the rows beside, one of two rows alone, or none. */
export function headingNotes(
  rows: readonly TableRow[],
  { first, last, cells }: Headings,
  choices: ReadingChoices,
): ReadingNote[] {
  const isChosen = choices.headings !== null
  const use = (label: string, headings: number[] | null) => ({ label, choices: { ...choices, headings } })
  const rowPress = (row: TableRow | undefined, alone = '') =>
    row ? [use(`Use row ${row.number}${alone}`, [row.number])] : []
  const again = isChosen ? [use('Find them again', null)] : []
  const titles = rows.slice(0, Math.max(0, first)).map(({ number }) => number)
  const above = titles.length > 0 ? ` · above, not read: ${numbersText(titles)}` : ''
  const [upper, lower] = [rows[first], rows[last]]
  if (!upper || !lower) {
    const text = isChosen ? 'No row is read as headings' : 'The file seems to have no headings'
    return [{ text: `${text}.`, presses: [...rowPress(rows[0]), ...again] }]
  }
  if (first !== last) {
    const text = `Headings of rows ${upper.number} and ${lower.number} are joined${above}.`
    return [{ text, presses: [...rowPress(upper, ' alone'), ...rowPress(lower, ' alone'), ...again] }]
  }
  const [before, after] = [rows[first - 1], rows[last + 1]]
  const join = (one: TableRow, other: TableRow) =>
    use(`Join rows ${one.number} and ${other.number}`, [one.number, other.number])
  const beside = [
    ...rowPress(before),
    ...rowPress(after),
    ...(mayBeHeadings(before) ? [join(before, upper)] : []),
    ...(mayBeHeadings(after) ? [join(upper, after)] : []),
  ]
  if (isChosen || above !== '')
    return [{ text: `Headings in row ${upper.number}${above}.`, presses: [...beside, ...again] }]
  if (recognizedIn(cells) > 0) return []
  return [
    {
      text: `No known headings: row ${upper.number} is read as headings.`,
      presses: [use('It is no heading', []), ...beside],
    },
  ]
}

const mayBeHeadings = (row: TableRow | undefined): row is TableRow =>
  row !== undefined && row.cells.filter(isFilled).length > 1 && !row.cells.some((cell) => /[\d@]/.test(cell))
