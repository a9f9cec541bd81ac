import type { TextForm } from '#server/spreadsheet/reading/table-rows.ts'
import { columnLetters } from '#server/spreadsheet/workbook.ts'
import type { ReadingChoices, ReadingNote } from '#shared/imports/import-response.ts'
import type { Encoding } from '#shared/imports/imports.ts'

type Press = ReadingNote['presses'][number]

export interface ReadSheet {
  name: string
  isVisible: boolean
  rows: number
  /** The first row below its headings, as rows are counted here. */
  from: number
  /** Its place in the workbook. */
  at: number
  /** Headings that were recognized. */
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
    notes.push({ text: `Hidden rows ${hid}: ${listed(seen.hiddenRows)}.`, presses: [hiding] })
  if (seen.hiddenColumns.length > 0) {
    const letters = seen.hiddenColumns.map(columnLetters)
    notes.push({ text: `Hidden columns ${hid}: ${listed(letters)}.`, presses: [hiding] })
  }
  if (seen.left.length > 0) {
    const lines = seen.left.map(({ number, text }) => `${number} ${quoted(text)}`)
    const named =
      lines.length > mostQuoted ? numbersText(seen.left.map(({ number }) => number)) : lines.join(', ')
    notes.push({
      text: others
        ? `Rows that may not be students are read too: ${named}.`
        : `Rows left out, because they are not students: ${named}.`,
      presses: [
        {
          label: others ? 'Leave them out' : 'Read them too',
          choices: { ...choices, others: !others },
        },
      ],
    })
  }
  if (seen.example) {
    const cells = seen.repaired === 1 ? '1 cell' : `${seen.repaired} cells`
    const { before, after } = seen.example
    notes.push({
      text: `Broken letters repaired in ${cells}: ${quoted(before)} is ${quoted(after)}.`,
      presses: [],
    })
  }
  return notes
}

function sheetNotes(
  [main, ...further]: readonly ReadSheet[],
  rest: readonly ReadSheet[],
  choices: ReadingChoices,
): ReadingNote[] {
  if (!main) return []
  const shown = rest.filter(({ isVisible }) => isVisible)
  const hidden = rest.filter(({ isVisible }) => !isVisible)
  return [
    ...(further.length > 0
      ? [joinedNote([main, ...further], shown, choices)]
      : oneSheetNotes(main, shown, choices)),
    ...hiddenSheetNotes(hidden, choices),
  ]
}

function joinedNote(
  taken: readonly [ReadSheet, ...ReadSheet[]],
  shown: readonly ReadSheet[],
  choices: ReadingChoices,
): ReadingNote {
  const sheets = taken.map(({ name, rows, from }) => `${name} (${rowsText(rows)}, from row ${from})`)
  const notRead = shown.length > 0 ? ` · not read: ${shown.map(withRows).join(', ')}` : ''
  const [main] = taken
  return {
    text: `Sheets ${sheets.join(', ')} are read as one${notRead}.`,
    presses: [readOnly(main, choices)],
  }
}

function oneSheetNotes(main: ReadSheet, shown: readonly ReadSheet[], choices: ReadingChoices): ReadingNote[] {
  // The next sheet of the workbook: pressed again and again, each sheet is read once.
  const next = shown.find(({ at }) => at > main.at) ?? shown[0]
  if (!next) return []
  const isTried = choices.sheets === 'all'
  const all: Press = {
    label: shown.length === 1 ? 'Read both' : `Read all ${shown.length + 1}`,
    choices: { ...choices, sheets: 'all' },
  }
  return [
    {
      text: `Sheet ${main.name}, ${rowsText(main.rows)} · not read${isTried ? ', without known headings' : ''}: ${shown.map(withRows).join(', ')}.`,
      presses: [...(isTried ? [] : [all]), readOnly(next, { ...choices, headings: null })],
    },
  ]
}

function hiddenSheetNotes(hidden: readonly ReadSheet[], choices: ReadingChoices): ReadingNote[] {
  if (hidden.length === 0) return []
  const isTried = choices.hidden && choices.sheets === 'all'
  const reading: Press = { label: 'Read them too', choices: { ...choices, hidden: true, sheets: 'all' } }
  return [
    {
      text: `Hidden sheets left out: ${hidden.map(withRows).join(', ')}.`,
      presses: isTried ? [] : [reading],
    },
  ]
}

const readOnly = ({ name }: ReadSheet, choices: ReadingChoices): Press => ({
  label: `Read only ${name}`,
  choices: { ...choices, sheets: 'one', sheet: name },
})

const delimiterNames: Readonly<Record<string, string>> = {
  ',': 'commas',
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'bars',
}
const encodingNames: Readonly<Record<Encoding, string>> = {
  'utf-8': 'UTF-8',
  'windows-1252': 'Windows-1252',
  macintosh: 'Mac OS Roman',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16',
}

/** Commas and UTF-8 are usual, and said only where somebody chose them. */
export function textNotes(form: TextForm | null, choices: ReadingChoices): ReadingNote[] {
  if (!form) return []
  const { delimiter, encoding, isWrapped, otherDelimiters, otherEncodings } = form
  const notes: ReadingNote[] = []
  if (isWrapped)
    notes.push({ text: 'Every line is one cell in quotes: the columns inside it are read.', presses: [] })
  if (delimiter !== ',' || choices.delimiter !== null)
    notes.push({
      text: `The columns are separated by ${delimiterNames[delimiter] ?? `“${delimiter}”`}.`,
      presses: otherDelimiters.map((other) => ({
        label: `Use ${delimiterNames[other]}`,
        choices: { ...choices, delimiter: other },
      })),
    })
  if (encoding !== 'utf-8' || choices.encoding !== null)
    notes.push({
      text: `The letters are read as ${encodingNames[encoding]}.`,
      presses: otherEncodings.map((other) => ({
        label: `Read as ${encodingNames[other]}`,
        choices: { ...choices, encoding: other },
      })),
    })
  return notes
}

const rowsText = (rows: number) => (rows === 1 ? '1 row' : `${rows} rows`)
const withRows = ({ name, rows }: ReadSheet) => `${name} (${rowsText(rows)})`

export const quoted = (text: string) => `“${shortened(text)}”`

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
