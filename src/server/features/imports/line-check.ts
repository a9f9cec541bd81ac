import type { ImportField } from '#shared/imports/imports.ts'
import { guessColumns, guessField } from './column-guess.ts'
import { identity, isFilled } from './headings.ts'

// Lines that registrars and instructors write below the people of a list and between them.
const signature =
  /^(signed|prepared|certified|checked|noted|approved|verified|submitted|attested|reviewed|encoded|received|recommend\w*|inihanda|pinagtibay|sinuri|isinumite)\b(.*\b(by|for|correct|approval|true|ni)\b|.*:$)/i
// A legend and notes go on in the lines below them.
const remark = /^(legend|notes?|remarks?|(date )?(printed|generated)( by| on)?|run date)\s*:/i
const total =
  /^(grand |sub[- ]?|over-?all )?totals?\b(?!\p{L})|^(total )?(number|no\.?) of (students|graduates|enrol)/iu
const summary =
  /^(kabuuan|combined|average|mean|highest|lowest)\b\s*:?$|^(passed|failed|dropped|incomplete)\s*:/i
const group = /^(fe)?males?\b( students?)?[^\p{L}]*$|^(boys?|girls?|men|women|lalaki|babae)\b[^\p{L}]*$/iu
const ending = /nothing follows|^[-*x ]*end of (list|file|page|report)|^page \d+( of \d+)?$/i
const mostInLine = 3

/** Tells which rows below the headings are no people: totals, signatures, MALE and FEMALE, headings again. */
export function createLineCheck(headings: readonly string[]) {
  const fields = guessColumns(headings)
  const known = fields.filter((field) => field !== null).length
  const hasNames = guessNames(headings)
  const words = headings.map(folded)
  let isSigned = false
  let isRemarked = false

  const isRepeated = (filled: readonly Filled[]) => {
    const same = filled.filter(({ text, at }) => words[at] !== '' && folded(text) === words[at])
    const isAgain = same.length >= 2 && same.length * 2 > filled.length
    // The next section of a class list has people again.
    if (isAgain) isSigned = false
    return isAgain
  }
  const isBelowSignature = (first: Filled, filled: readonly Filled[]) => {
    if (signature.test(first.text)) isSigned = true
    return isSigned && !filled.some(({ text, at }) => isNumberOfPerson(text, fields[at]))
  }
  const isRemark = ({ text }: Filled) => {
    isRemarked ||= remark.test(text)
    return isRemarked && known >= 3
  }
  // "BSIT 1-A" above its students.
  const isTitle = ({ at }: Filled) => known >= 3 && !identity.includes(guessField(headings[at] ?? ''))

  const isNobody = (filled: readonly Filled[]): boolean => {
    const [first, ...others] = filled
    if (!first) return false
    if (isBelowSignature(first, filled)) return true
    if (others.length === 0 && (isTitle(first) || isRemark(first))) return true
    const [line, ...words] = filled.filter(({ text }) => /\p{L}/u.test(text))
    if (!line || words.length > 0) return false
    const text = line.text.replace(/^[^\p{L}\p{N}]+/u, '')
    // School forms have the number in front: 23 <=== TOTAL MALE.
    const lines = line === first ? [total, summary, ending, group] : [total, summary, ending]
    return lines.some((kind) => kind.test(text))
  }

  return (cells: readonly string[]): boolean => {
    const start = cells.findIndex(isFilled)
    if (start < 0 || !hasNames) return false
    if (isNumbering(cells)) return true
    // Most rows are of people: their first cells tell.
    const isLong = hasMoreThan(mostInLine, cells)
    if (isLong && !isFolded(cells[start] ?? '', words[start] ?? '')) return false
    const filled = cells.flatMap((cell, at) => (isFilled(cell) ? [{ text: cell.trim(), at }] : []))
    return isRepeated(filled) || (!isLong && isNobody(filled))
  }
}

function hasMoreThan(count: number, cells: readonly string[]): boolean {
  let filled = 0
  return cells.some((cell) => isFilled(cell) && ++filled > count)
}

/** (1), (2), (3) below the headings. */
function isNumbering(cells: readonly string[]): boolean {
  return cells.length >= 3 && cells.every((cell, at) => cell.replace(/[()\s]/g, '') === String(at + 1))
}

const isFolded = (text: string, words: string) => text.length >= words.length && folded(text) === words

const folded = (text: string) => text.replace(/\s+/g, ' ').trim().toLowerCase()

interface Filled {
  text: string
  at: number
}

const guessNames = (headings: readonly string[]) =>
  headings.some((heading) => identity.includes(guessField(heading)))

function isNumberOfPerson(text: string, field: ImportField | null | undefined): boolean {
  return field === 'email' ? text.includes('@') : field === 'studentId' && /\d/.test(text)
}
