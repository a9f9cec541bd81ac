import type { ReadingChoices, ReadingNote } from '#shared/imports/import-response.ts'
import { type DateOrder, dateFields } from '#shared/imports/imports.ts'
import { guessColumns } from './column-guess.ts'
import { quoted } from './reading-notes.ts'

interface Seen {
  header: string
  /** What a sheet holds as a date: it has no order. */
  dates: number
  // Dates whose day may as well be the month.
  swappable: number
  texts: number
  dayFirst: number
  monthFirst: number
  both: number
  // The first text of each kind.
  text: string
  dayFirstText: string
  monthFirstText: string
  bothText: string
}

const isoDate = /^(\d{4})-(\d{2})-(\d{2})(?= |$)/
const slashed = /^(\d{1,2})[-/. ](\d{1,2})[-/. ]\d{2,4}/
const months = 12

interface DateColumnsOptions {
  choices: ReadingChoices
  /** Whether the file tells a date from a text, as a workbook does; null where a program wrote all of them. */
  hasDates: boolean | null
}

/** What the columns with dates say about the order of day and month. */
export function createDateColumns(headers: readonly string[], { choices, hasDates }: DateColumnsOptions) {
  const columns = new Map<number, Seen>()
  for (const [index, field] of guessColumns(headers).entries())
    if (field && dateFields.includes(field)) columns.set(index, unseen(headers[index] ?? ''))

  const sum = (kind: 'dayFirst' | 'monthFirst' | 'both') =>
    [...columns.values()].reduce((total, seen) => total + seen[kind], 0)
  const order = (): DateOrder => (sum('dayFirst') > sum('monthFirst') ? 'day-first' : 'month-first')
  // Nothing in the file tells, or it tells both.
  const isOpen = () => hasDates !== null && sum('both') > 0 && sum('dayFirst') > 0 === sum('monthFirst') > 0

  return {
    /** @returns the cells, with day and month swapped where somebody chose that */
    read(cells: string[]): string[] {
      let read = cells
      for (const [index, seen] of columns) {
        const cell = cells[index]?.trim() ?? ''
        const isDate = hasDates && isoDate.test(cell)
        if (isDate) read = read.with(index, seeDate(seen, cell, choices))
        else if (cell !== '') seeText(seen, cell)
      }
      return read
    },
    order,
    isOpen,
    notes(): ReadingNote[] {
      if (hasDates === null) return []
      const read = isOpen() ? null : order()
      return [...columns.values()].flatMap((seen) => {
        const parts = [...datesAndTexts(seen, choices), ...against(seen), ...ambiguous(seen, read)]
        return parts.length > 0
          ? [{ text: `${seen.header}: ${parts.join(' ')}`, presses: swap(seen, choices) }]
          : []
      })
    },
  }
}

const unseen = (header: string): Seen => ({
  ...{ header, dates: 0, swappable: 0, texts: 0, dayFirst: 0, monthFirst: 0, both: 0 },
  ...{ text: '', dayFirstText: '', monthFirstText: '', bothText: '' },
})

/** @returns the date, swapped where somebody chose that */
function seeDate(seen: Seen, date: string, { swappedDates }: ReadingChoices): string {
  seen.dates += 1
  if (Number(isoDate.exec(date)?.[3]) > months) return date
  seen.swappable += 1
  return swappedDates.includes(seen.header) ? date.replace(isoDate, '$1-$3-$2') : date
}

function seeText(seen: Seen, text: string) {
  seen.texts += 1
  seen.text ||= text
  const [, first = '', second = ''] = slashed.exec(text) ?? []
  if (first === '' || Number(first) === Number(second)) return
  if (Number(first) > months) {
    if (Number(second) > months) return
    seen.dayFirst += 1
    seen.dayFirstText ||= text
  } else if (Number(second) > months) {
    seen.monthFirst += 1
    seen.monthFirstText ||= text
  } else {
    seen.both += 1
    seen.bothText ||= text
  }
}

function datesAndTexts(
  { header, dates, texts, text, ...seen }: Seen,
  { swappedDates }: ReadingChoices,
): string[] {
  if (dates === 0 || texts === 0) return []
  const counts = `${countOf(dates, 'date')} and ${countOf(texts, 'text')} such as ${quoted(text)}.`
  if (!mayBeSwapped({ header, dates, texts, text, ...seen })) return [counts]
  return [
    counts,
    swappedDates.includes(header)
      ? 'Day and month of the dates are swapped.'
      : 'A spreadsheet that expects the other order may have swapped day and month of the dates.',
  ]
}

/** "25/12/2005" remains a text where a spreadsheet wants the month first, and 05/12/2005 becomes the 12th of May. */
function mayBeSwapped({ dates, swappable, dayFirst, monthFirst }: Seen): boolean {
  return dates > 0 && dates === swappable && dayFirst > 0 !== monthFirst > 0
}

function swap(seen: Seen, choices: ReadingChoices): ReadingNote['presses'] {
  if (!mayBeSwapped(seen)) return []
  const others = choices.swappedDates.filter((header) => header !== seen.header)
  const isSwapped = others.length < choices.swappedDates.length
  return [
    {
      label: isSwapped ? 'Take them as they are' : `Swap them in ${countOf(seen.dates, 'date')}`,
      choices: { ...choices, swappedDates: isSwapped ? others : [...others, seen.header] },
    },
  ]
}

function against({ dayFirst, monthFirst, dayFirstText, monthFirstText }: Seen): string[] {
  if (dayFirst === 0 || monthFirst === 0) return []
  return [
    `${dayFirst} ${dayFirst === 1 ? 'has' : 'have'} the day first, such as ${quoted(dayFirstText)}, and ${monthFirst} the month, such as ${quoted(monthFirstText)}.`,
  ]
}

/** @param order null where nothing tells */
function ambiguous({ both, bothText }: Seen, order: DateOrder | null): string[] {
  if (both === 0) return []
  const subject = `${both === 1 ? `1 text, ${quoted(bothText)},` : `${both} texts such as ${quoted(bothText)}`} can have the day or the month first`
  return [
    order === null
      ? `${subject}: please choose the date format.`
      : `${subject}: read with the ${order === 'day-first' ? 'day' : 'month'} first, as others have it.`,
  ]
}

const countOf = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`
