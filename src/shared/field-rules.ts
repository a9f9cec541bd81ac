import * as z from 'zod/mini'
import type { FieldError } from './problem.ts'
import { bloodTypes, civilStatuses, sexes } from './students/student-choices.ts'
import { fieldAliases, fieldDefinition, fieldWords, type StudentField } from './students/student-fields.ts'

// Product 28.3.
export const fieldMessages = {
  required: (field: string) => `Please fill in the ${fieldWords(field)} field.`,
  notText: (field: string) => `Please send the ${fieldWords(field)} as text.`,
  choice: (field: string) => `Please choose one of the listed options for ${fieldWords(field)}.`,
  tooLong: (field: string, max: number) =>
    `Please shorten the ${fieldWords(field)} to ${max} characters or fewer.`,
  characters: (field: string) => `Please remove the unusual characters from the ${fieldWords(field)} field.`,
  twice: (field: string, alias: string) =>
    `Please send the ${fieldWords(field)} only once: ${field} and ${alias} differ.`,
  brokenLetter: 'Please enter this again: a letter is lost or broken, often ñ.',
  email: 'Please enter a valid email address.',
  contactNumber: 'Please enter a valid contact number.',
  emergencyContactNumber: 'Please enter a valid emergency contact number.',
}

// Control characters other than tab and line breaks (PostgreSQL refuses NUL, the others break print-outs and
// workbooks), marks that change the writing direction (they make a printed name read as another), and halves of
// surrogate pairs (they aren't text at all).
const oddCharacters = /[^\P{Cc}\t\n\r]|[\u202a-\u202e\u2066-\u2069\ud800-\udfff]/u
const lineBreaks = /[\r\n\t]/
// Something to see: a zero-width space alone is as blank as a space.
const visibleCharacter = /[\p{L}\p{M}\p{N}\p{P}\p{S}]/u

export function hasOddCharacters(text: string): boolean {
  return oddCharacters.test(text)
}

export function isBlank(text: string): boolean {
  return !visibleCharacter.test(text)
}

const emailPattern = /^[^\s@,;:<>()[\]\\"]+@[^\s@,;:<>()[\]\\"]+\.[^\s@,;:<>()[\]\\".]+$/
const misplacedDot = /\.\.|^\.|\.@|@\./
// Product 28.4.
const phonePattern = /^[\s\-+()]*\d[\d\s\-+()]*$/

export function isEmail(text: string): boolean {
  // The length comes first: the pattern is polynomial on long input.
  return text.length <= 254 && emailPattern.test(text) && !misplacedDot.test(text)
}

export function isPhoneNumber(text: string): boolean {
  return phonePattern.test(text)
}

/** Who has one name writes a sign, or N/A, for the other. */
export function hasName(...parts: string[]): boolean {
  return parts.some((part) => /\p{L}/u.test(part) && !/^(n\W?a|none)\b/i.test(part))
}

export type FieldCheck = (value: string) => string | undefined

// "Pe?aflor", "PeÃ±a": what a file or a page in the wrong encoding leaves. Nobody can tell by program which letter it was.
const brokenLetter = /\p{L}\?\p{L}|\ufffd|[ÃÂ][\u0080-\u00bf\u0152-\u2122]|â€|\p{L}[¤¥├]|&(?:[a-z]+|#\d+);/iu

const letters: FieldCheck = (value) => (brokenLetter.test(value) ? fieldMessages.brokenLetter : undefined)

const phone =
  (field: 'contactNumber' | 'emergencyContactNumber'): FieldCheck =>
  (value) =>
    isPhoneNumber(value) ? undefined : fieldMessages[field]

/** Read at each check, because settings may change. */
export function oneOf(field: StudentField, choices: () => readonly string[]): FieldCheck {
  return (value) => (choices().includes(value) ? undefined : fieldMessages.choice(field))
}

const fieldChecks: Partial<Record<StudentField, FieldCheck>> = {
  lastName: letters,
  firstName: letters,
  middleName: letters,
  address: letters,
  barangay: letters,
  municipalCity: letters,
  province: letters,
  placeOfBirth: letters,
  fatherName: letters,
  motherName: letters,
  guardianName: letters,
  emergencyContactName: letters,
  sex: oneOf('sex', () => sexes),
  civilStatus: oneOf('civilStatus', () => civilStatuses),
  contactNumber: phone('contactNumber'),
  email: (value) => (isEmail(value) ? undefined : fieldMessages.email),
  bloodType: oneOf('bloodType', () => bloodTypes),
  emergencyContactNumber: phone('emergencyContactNumber'),
}

function problemOf(field: StudentField, value: string, check: FieldCheck | undefined): string | undefined {
  const { required, max, multiline } = fieldDefinition(field)
  if (required && isBlank(value)) return fieldMessages.required(field)
  if (value === '') return undefined
  if (hasOddCharacters(value) || (!multiline && lineBreaks.test(value))) {
    return fieldMessages.characters(field)
  }
  // A field's own rule says more than its length: of a choice or a date, "shorten it" would mislead.
  return check?.(value) ?? (value.length > max ? fieldMessages.tooLong(field, max) : undefined)
}

interface FieldTextOptions {
  check?: FieldCheck
  isUnchanged?: (value: string) => boolean
}

export function fieldText(
  field: StudentField,
  { check = fieldChecks[field], isUnchanged = () => false }: FieldTextOptions = {},
) {
  const { required, notText } = fieldMessages
  const isRequired = fieldDefinition(field).required
  return z.string({ error: ({ input }) => (isRequired && input === null ? required : notText)(field) }).check(
    z.trim(),
    z.check((context) => {
      const problem = isUnchanged(context.value) ? undefined : problemOf(field, context.value, check)
      if (problem) context.issues.push({ code: 'custom', message: problem, input: context.value })
    }),
  )
}

/** The errors of an object as a whole. */
export function shapeError(shape: string, unknown = (names: string) => `Unknown fields: ${names}.`) {
  return {
    error: (issue: { code: string; keys?: string[] }) =>
      issue.code === 'unrecognized_keys' ? unknown((issue.keys ?? []).join(', ')) : shape,
  }
}

/** A list of one or more. */
export function someOf<T extends z.ZodMiniType>(item: T, most: number, none: string, tooMany = none) {
  return z.array(item, none).check(z.minLength(1, none), z.maxLength(most, tooMany))
}

/** A day of this century or the next. */
export function dayOf(message: string) {
  return z.iso
    .date({ error: message, abort: true })
    .check(z.refine((date) => date >= '2000-01-01' && date < '2200-01-01', message))
}

export function readFieldAliases(body: unknown): { value: unknown; problems: FieldError[] } {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return { value: body, problems: [] }
  const value: Record<string, unknown> = { ...body }
  const problems: FieldError[] = []
  for (const [alias, field] of Object.entries(fieldAliases)) {
    if (!Object.hasOwn(value, alias)) continue
    const given = trimmed(value[alias])
    const own = trimmed(value[field])
    delete value[alias]
    if (given === '') continue
    if (own === '') value[field] = given
    else if (given !== own) {
      problems.push({ path: alias, message: fieldMessages.twice(field, alias) })
    }
  }
  return { value, problems }
}

function trimmed(value: unknown): unknown {
  return typeof value === 'string' ? value.trim() : (value ?? '')
}
