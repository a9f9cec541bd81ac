import { comparedName } from '#shared/students/person-names.ts'
import type { NstpComponent } from '#shared/students/student-choices.ts'
import { type NamedStudent, studentName } from '#shared/students/student-name.ts'

/** Somebody who gets a number: of a row of a frozen paper, or of a record, which may have no component yet. */
export interface SerialPerson extends NamedStudent {
  component: NstpComponent | ''
}

/** A serial number as the file has it. An empty text stands for what the file doesn't have. */
export interface WrittenSerial {
  serialNumber: string
  academicYear: string
  lastName: string
  firstName: string
}

export interface SerialPatterns {
  /** Two digits; '' where the office hasn't set it. */
  region: string
  /** The two digits of the year of the award; '' where it isn't known, as of a record alone. */
  year: string
}

/** '03' of a region that the settings write as '03 - Central Luzon'; '' where none is set. */
export function regionDigits(region: string): string {
  return /^\d{2}/.exec(region)?.[0] ?? ''
}

/** A doubt that a person looks at. They may take the row all the same. */
export interface SerialDoubt {
  code: string
  sentence: string
}

// C-07-100001-26: component, region, number, year.
const ched = /^([CL])-?(\d{2})-?(\d{5,6})-(\d{2})$/i
const dnd = /^[A-Z]{2,4}-R\d{2}-\d{6}(?: P[AN]| PAF)? ?\(Res\)$/i
const letters: Readonly<Record<string, NstpComponent>> = { C: 'CWTS', L: 'LTS' }

/**
 * Two serial numbers with the same key are one: people leave out dashes and blanks.
 * @returns '' for a text without a digit, such as "to follow", which several students may have
 */
export function serialKey(serial: string): string {
  return /\d/.test(serial) ? serial.toUpperCase().replace(/[^A-Z\d]/g, '') : ''
}

/** Writes a number as the pattern does: 'c03100001-26' is C-03-100001-26. Another text stays as it was typed. */
export function writtenSerial(serial: string): string {
  const text = serial.trim()
  const [whole, letter = '', region, number, year] = ched.exec(text) ?? []
  if (whole !== undefined) return `${letter.toUpperCase()}-${region}-${number}-${year}`
  return dnd.test(text) ? text.toUpperCase().replace('(RES)', '(Res)') : text
}

/** S04, S06 to S08. */
export function serialDoubts(
  serial: string,
  person: SerialPerson,
  { region, year }: SerialPatterns,
): SerialDoubt[] {
  const [whole, letter = '', ofRegion, , ofYear] = ched.exec(serial.trim()) ?? []
  if (whole === undefined) {
    const isUsual = dnd.test(serial.trim()) && person.component === 'ROTC'
    return isUsual ? [] : [{ code: 'S04', sentence: `${serial} has an unusual form.` }]
  }
  const doubts: SerialDoubt[] = []
  if (person.component !== '' && letters[letter.toUpperCase()] !== person.component)
    doubts.push({
      code: 'S06',
      sentence: `Letter ${letter.toUpperCase()}, but ${studentName(person)} is in ${person.component}.`,
    })
  if (region !== '' && ofRegion !== region)
    doubts.push({ code: 'S07', sentence: `Region ${ofRegion}, but ours is ${region}.` })
  if (year !== '' && ofYear !== year)
    doubts.push({ code: 'S08', sentence: `Year ${ofYear}, but it was awarded in ${year}.` })
  return doubts
}

/** S12: theirs, where it isn't only in other letters or without accents. */
export function otherSpelling(
  { lastName, firstName }: Pick<WrittenSerial, 'lastName' | 'firstName'>,
  person: SerialPerson,
): SerialDoubt | null {
  if (lastName === '' && firstName === '') return null
  // Nearly all: comparing words takes longer than the rest of a row.
  if (lastName === person.lastName && firstName === person.firstName) return null
  const [theirs, ours] = [
    comparedName({ ...person, middleName: '', lastName, firstName, fullName: '' }),
    comparedName({ ...person, middleName: '', fullName: '' }),
  ]
  const isSame = theirs.last.join('') === ours.last.join('') && theirs.first.join('') === ours.first.join('')
  return isSame ? null : { code: 'S12', sentence: `They wrote ${lastName}, ${firstName}.` }
}

export interface NumberedSerial extends Pick<WrittenSerial, 'serialNumber' | 'academicYear'> {
  /** The number of the row in the file. */
  number: number
}

const draggedRows = 5

/**
 * S05: over five rows the year counts up as Excel's fill handle makes it. A number that counts up in its sequence is a
 * good one.
 */
export function draggedSentence(rows: readonly NumberedSerial[]): string | null {
  for (const column of ['serialNumber', 'academicYear'] as const) {
    let run: NumberedSerial[] = []
    for (const row of rows) {
      const before = run.at(-1)
      run = before && isDragged(column, before[column], row[column]) ? [...run, row] : [row]
      if (run.length < draggedRows) continue
      const cells = run.slice(0, 3).map((one) => `row ${one.number}: ${one[column]}`)
      return `R${cells.join(', ').slice(1)}. The file was dragged: Excel counted the years up. Ask for it again.`
    }
  }
  return null
}

const withLastNumber = {
  // Its sequence is constant, and what stands behind it counts.
  serialNumber: /^([CL]-?\d{2}-?\d{5,6}-)(\d+)$/i,
  academicYear: /^((?:[A-Z]{1,4}\s?)?(?:\d{4}\s?[-–]\s?)?)(\d{4})$/i,
}

function isDragged(column: keyof typeof withLastNumber, before: string, after: string): boolean {
  const [, stem, number] = withLastNumber[column].exec(before.trim()) ?? []
  const [, nextStem, next] = withLastNumber[column].exec(after.trim()) ?? []
  return stem !== undefined && stem === nextStem && Number(next) === Number(number) + 1
}

/** S02: the rows of each number that stands in more than one. */
export function repeatedSerials(rows: readonly NumberedSerial[]): Map<number, string> {
  const bySerial = new Map<string, number[]>()
  for (const { number, serialNumber } of rows) {
    const key = serialKey(serialNumber)
    if (key !== '') bySerial.set(key, [...(bySerial.get(key) ?? []), number])
  }
  const sentences = new Map<number, string>()
  for (const numbers of bySerial.values())
    if (numbers.length > 1)
      for (const number of numbers)
        sentences.set(number, `This number stands in rows ${numbers.slice(0, 5).join(', ')}.`)
  return sentences
}

/** S09 to S11, of the file as a whole. */
export function serialNotes(
  /** The place in the paper of whom each row means, and its number; in the order of the file. */
  matched: readonly { place: number; serial: string }[],
  asked: number,
): SerialDoubt[] {
  const notes: SerialDoubt[] = []
  if (matched.some(({ place }, index) => place < (matched[index - 1]?.place ?? 0)))
    notes.push({ code: 'S09', sentence: 'Another order than we sent.' })
  const without = asked - matched.filter(({ serial }) => serial !== '').length
  if (without > 0)
    notes.push({ code: 'S10', sentence: `${without} ${without === 1 ? 'person' : 'people'} got no number.` })
  const skipped = skippedNumbers(matched.map(({ serial }) => serial))
  if (skipped > 0)
    notes.push({
      code: 'S11',
      sentence: `${skipped} ${skipped === 1 ? 'number is' : 'numbers are'} skipped.`,
    })
  return notes
}

/** How many numbers are missing between the first and the last of each run. A run is of one component, region and year. */
function skippedNumbers(serials: readonly string[]): number {
  const runs = new Map<string, Set<number>>()
  for (const serial of serials) {
    const parts = partsOf(serial)
    if (!parts) continue
    const run = `${parts.before} ${parts.behind}`
    runs.set(run, (runs.get(run) ?? new Set()).add(Number(parts.digits)))
  }
  let skipped = 0
  for (const numbers of runs.values()) {
    const sorted = [...numbers].sort((one, other) => one - other)
    skipped += (sorted.at(-1) ?? 0) - (sorted[0] ?? 0) + 1 - sorted.length
  }
  return skipped
}

function partsOf(serial: string): { before: string; digits: string; behind: string } | null {
  const [, before, digits, behind] =
    /^([CL]-?\d{2}-?)(\d{5,6})(-\d{2})$/i.exec(serial.trim()) ??
    /^([A-Z]{2,4}-R\d{2}-)(\d{6})(.*)$/i.exec(serial.trim()) ??
    []
  return before === undefined || digits === undefined || behind === undefined
    ? null
    : { before, digits, behind }
}

/** "C-07-100001-26" to "C-07-100075-26"; what is wrong with the two where they are no run. */
export function serialRange(
  first: string,
  last: string,
): { serials: string[] } | { field: 'first' | 'last'; problem: string } {
  const [from, to] = [partsOf(first), partsOf(last)]
  if (!from) return { field: 'first', problem: `“${first}” isn’t a serial number like C-07-100001-26.` }
  if (!to) return { field: 'last', problem: `“${last}” isn’t a serial number like C-07-100001-26.` }
  if (from.before !== to.before || from.behind !== to.behind || from.digits.length !== to.digits.length)
    return { field: 'last', problem: 'The two may differ in their running number only.' }
  const count = Number(to.digits) - Number(from.digits) + 1
  if (count < 1) return { field: 'last', problem: 'The last number is before the first.' }
  if (count > mostOfRange)
    return { field: 'last', problem: `A range has at most ${mostOfRange.toLocaleString('en')} numbers.` }
  const serials = Array.from({ length: count }, (_, index) =>
    [from.before, String(Number(from.digits) + index).padStart(from.digits.length, '0'), from.behind].join(
      '',
    ),
  )
  return { serials }
}

const mostOfRange = 20_000
