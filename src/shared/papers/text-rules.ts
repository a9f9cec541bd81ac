import { isEmail } from '#shared/field-rules.ts'
import { writtenExtension } from '#shared/students/person-names.ts'
import { fieldDefinition } from '#shared/students/student-fields.ts'
import type { PaperField, PaperPerson } from './papers.ts'
import type { Places } from './places.ts'
import { serialDoubts } from './serial-checks.ts'

export interface FieldFix {
  // No rule corrects the year level, which a record has as a number.
  field: Exclude<PaperField, 'yearLevel'>
  before: string
  after: string
}

/** The sentence of a rule about somebody, with the field and the proposed corrections. */
export interface Said {
  sentence: string
  field?: PaperField
  fixes?: readonly FieldFix[]
}

/** "n/a" and its like, in the place of a value. */
export const noValue = /^(?:[-–—./*0\s]+|n\s?\/?\s?a\.?|nil|none|null|wala|not applicable)$/i

/**
 * What a file in the wrong encoding, or Excel, leaves of a text: replaced letters as in "Pe?a" and "PeÃ±a", a formula or its
 * error, and a number that Excel rounded.
 */
export const brokenText =
  /\ufffd|[ÃÂ][\u0080-\u00bf]|â€|\p{L}\?\p{L}|^=|^#(?:n\/a|ref!|name\?|value!|num!|div\/0!|null!)|^\d(?:[.,]\d+)?e\+?\d+$/iu

/** Rules of their own look at these, and a date and a number are no texts. */
const lookedAtElsewhere: ReadonlySet<PaperField> = new Set([
  'lastName',
  'firstName',
  'middleName',
  'dateOfBirth',
  'sex',
  'contactNumber',
  'yearLevel',
  'academicYear',
  'nstpComponent',
])

/** @param texts the fields whose texts the paper writes into a cell */
export function oddTexts(person: PaperPerson, texts: readonly PaperField[]): Said[] {
  return texts.flatMap((field) => (lookedAtElsewhere.has(field) ? [] : oddText(field, person)))
}

function oddText(field: PaperField, person: PaperPerson): Said[] {
  const { label, required = false, multiline = false } = fieldDefinition(field)
  const before = person.fields[field]
  const cleaned = multiline ? before.trim() : before.trim().replace(/\s+/g, ' ')
  if (cleaned === '') return []
  const sentence = `“${before}” as ${label}?`
  const said = (after?: string): Said[] => [
    { field, sentence, fixes: after === undefined ? [] : fixOf(field, before, after) },
  ]
  if (noValue.test(cleaned)) return said(required ? undefined : '')
  if (brokenText.test(cleaned)) return said()
  const extension = field === 'extensionName' ? meantExtension(cleaned) : cleaned
  if (extension !== cleaned) return said(extension)
  if (field === 'email' && !isEmail(cleaned)) return said()
  if (field === 'serialNumber') {
    const [doubt] = serialDoubts(cleaned, { ...person.fields, component: person.component }, noPattern)
    if (doubt) return [{ field, sentence: doubt.sentence }]
  }
  return cleaned === before ? [] : said(cleaned)
}

const noPattern = { region: '', year: '' }

/** "Jr." of Junior; a text that only lacks its point or its capitals stays. */
function meantExtension(text: string): string | undefined {
  const bareLetters = (letters: string) => letters.replace('.', '').toLowerCase()
  const written = writtenExtension(text) ?? undefined
  return written && bareLetters(written) === bareLetters(text) ? text : written
}

/** No rule corrects the year level, which isn't a text. */
function fixOf(field: PaperField, before: string, after: string): FieldFix[] {
  return field === 'yearLevel' ? [] : [{ field, before, after }]
}

/**
 * An address or barangay that ends with a town and its province, of another province than the record's: there are towns of
 * one name in several provinces.
 */
export function otherProvince(
  { fields }: PaperPerson,
  { places, texts }: { places: Places; texts: readonly PaperField[] },
): Said[] {
  const { province } = fields
  if (province.trim() === '') return []
  return (['address', 'barangay'] as const).flatMap((field): Said[] => {
    if (!texts.includes(field)) return []
    const [town = '', last = ''] = fields[field].split(/[,\n]/).slice(-2)
    const written = places.province(last)
    if (written === undefined || written === places.province(province)) return []
    if (!places.provincesOf(town.trim()).includes(written)) return []
    return [
      {
        field,
        sentence: `${fieldDefinition(field).label} says ${written}, but the province is ${province}.`,
      },
    ]
  })
}
