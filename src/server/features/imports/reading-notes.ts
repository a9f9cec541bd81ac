import type { TextForm } from '#server/spreadsheet/reading/table-rows.ts'
import { columnLetters } from '#server/spreadsheet/workbook.ts'
import type { ReadingChoices, ReadingNote } from '#shared/imports/import-response.ts'

export interface ReadSheet {
  name: string
  isVisible: boolean
  rows: number
  /** The first row below its headings, as rows are counted here. */
  from: number
  /** The number of headings that were recognized. */
  known: number
}

/** What was found while the rows were read. */
export interface Seen {
  hiddenRows: number[]
  hiddenColumns: number[]
  left: { number: number; text: string }[]
  repaired: number
  example: { before: string; after: string } | null
}

const mostNamed = 10
const mostQuoted = 5
const longestQuote = 24

interface Noted {
  taken: readonly ReadSheet[]
  rest: readonly ReadSheet[]
  seen: Seen
  choices: ReadingChoices
}

/** What was guessed or left out, in a line each, with what to press for the other way. */
export function writeNotes({ taken, rest, seen, choices }: Noted): ReadingNote[] {
  const notes: ReadingNote[] = [...sheetNotes(taken, rest, choices)]
  const { hidden, others } = choices
  const hiding = {
    label: hidden ? 'Leave them out' : 'Read them too',
    choices: { ...choices, hidden: !hidden },
  }
  const hid = hidden ? 'are read too' : 'are left out'
  if (seen.hiddenRows.length > 0)
    notes.push({ text: `Hidden rows ${hid}: ${listed(seen.hiddenRows)}.`, press: hiding })
  if (seen.hiddenColumns.length > 0) {
    const letters = seen.hiddenColumns.map(columnLetters)
    notes.push({ text: `Hidden columns ${hid}: ${listed(letters)}.`, press: hiding })
  }
  if (seen.left.length > 0) {
    const lines = seen.left.map(({ number, text }) => `${number} “${shortened(text)}”`)
    const named =
      lines.length > mostQuoted ? numbersText(seen.left.map(({ number }) => number)) : lines.join(', ')
    notes.push({
      text: others
        ? `Rows that may be no people are read too: ${named}.`
        : `Rows left out, because they are no people: ${named}.`,
      press: {
        label: others ? 'Leave them out' : 'Read them too',
        choices: { ...choices, others: !others },
      },
    })
  }
  if (seen.example) {
    const cells = seen.repaired === 1 ? '1 cell' : `${seen.repaired} cells`
    const { before, after } = seen.example
    notes.push({
      text: `Broken letters repaired in ${cells}: “${shortened(before)}” is “${shortened(after)}”.`,
      press: null,
    })
  }
  return notes
}

function sheetNotes(
  taken: readonly ReadSheet[],
  rest: readonly ReadSheet[],
  choices: ReadingChoices,
): ReadingNote[] {
  const [main, ...further] = taken
  if (!main) return []
  const notes: ReadingNote[] = []
  const shown = rest.filter(({ isVisible }) => isVisible)
  const hidden = rest.filter(({ isVisible }) => !isVisible)
  const notRead = shown.map(withRows).join(', ')
  if (further.length > 0) {
    const sheets = [main, ...further].map(
      ({ name, rows, from }) => `${name} (${rowsText(rows)}, from row ${from})`,
    )
    notes.push({
      text: `Sheets ${sheets.join(', ')} are read as one${notRead && ` · not read: ${notRead}`}.`,
      press: { label: `Read only ${main.name}`, choices: { ...choices, sheets: 'one' } },
    })
  } else if (shown.length > 0) {
    const isTried = choices.sheets === 'all'
    notes.push({
      text: `Sheet ${main.name}, ${rowsText(main.rows)} · not read${isTried ? ', without known headings' : ''}: ${notRead}.`,
      press: isTried
        ? null
        : {
            label: shown.length === 1 ? 'Read both' : `Read all ${shown.length + 1}`,
            choices: { ...choices, sheets: 'all' },
          },
    })
  }
  if (hidden.length > 0) {
    notes.push({
      text: `Hidden sheets left out: ${hidden.map(withRows).join(', ')}.`,
      press:
        choices.hidden && choices.sheets === 'all'
          ? null
          : { label: 'Read them too', choices: { ...choices, hidden: true, sheets: 'all' } },
    })
  }
  return notes
}

const delimiterNames: Readonly<Record<string, string>> = { ';': 'semicolons', '\t': 'tabs', '|': 'bars' }
const encodingNames: Readonly<Record<string, string>> = {
  'windows-1252': 'Windows-1252',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16',
}

export function textNotes(form: TextForm | null): ReadingNote[] {
  if (!form) return []
  const delimiter = form.delimiter === ',' ? null : (delimiterNames[form.delimiter] ?? `“${form.delimiter}”`)
  const encoding = encodingNames[form.encoding]
  return [
    ...(delimiter ? [{ text: `The columns are parted by ${delimiter}.`, press: null }] : []),
    ...(encoding ? [{ text: `The letters are read as ${encoding}.`, press: null }] : []),
  ]
}

const rowsText = (rows: number) => (rows === 1 ? '1 row' : `${rows} rows`)
const withRows = ({ name, rows }: ReadSheet) => `${name} (${rowsText(rows)})`

const shortened = (text: string) => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > longestQuote ? `${line.slice(0, longestQuote)}…` : line
}

function listed(words: readonly (string | number)[]): string {
  const more = words.length - mostNamed
  return more > 0 ? `${words.slice(0, mostNamed).join(', ')} and ${more} more` : words.join(', ')
}

export function numbersText(numbers: readonly number[]): string {
  return `${numbers.length === 1 ? 'row' : 'rows'} ${listed(numbers)}`
}
