import { defaultFirstName } from './mail.ts'

export const placeholderNames = [
  'firstName',
  'lastName',
  'component',
  'course',
  'academicYear',
  'reference',
  // Never a mark: a mistyped address would get it.
  'section',
  'adviser',
  'meets',
  'serialNumber',
] as const
export type PlaceholderName = (typeof placeholderNames)[number]

export const placeholderTexts: Record<PlaceholderName, string> = {
  firstName: 'First name',
  lastName: 'Last name',
  component: 'NSTP component',
  course: 'Course',
  academicYear: 'Academic year',
  reference: 'Reference code',
  section: 'Section',
  adviser: 'Adviser',
  meets: 'Day and place',
  serialNumber: 'Serial number',
}

export type PlaceholderTexts = { [Name in PlaceholderName]?: string | undefined }

const placeholder = /\{([A-Za-z]\w*)\}/g

export function unknownPlaceholders(text: string): string[] {
  const found = [...text.matchAll(placeholder)].map(([, name = '']) => name)
  return [...new Set(found)].filter((name) => !isPlaceholder(name))
}

export function placeholderProblem(text: string): string | undefined {
  const [unknown] = unknownPlaceholders(text)
  return unknown === undefined
    ? undefined
    : `Unknown placeholder {${unknown}}. You can use ${placeholderNames.map((name) => `{${name}}`).join(', ')}.`
}

/**
 * A missing first name becomes the general one.
 * @param write encodes a value: escaped in HTML
 */
export function fillPlaceholders(
  text: string,
  values: PlaceholderTexts,
  write: (value: string) => string = String,
): string {
  return text.replace(placeholder, (words, name: string) =>
    isPlaceholder(name) ? write(placeholderValue(values, name)) : words,
  )
}

/** Security: no line break may reach a header. */
export function fillSubject(subject: string, values: PlaceholderTexts): string {
  return onOneLine(fillPlaceholders(subject, values))
}

export function onOneLine(text: string): string {
  return text.replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
}

function placeholderValue(values: PlaceholderTexts, name: PlaceholderName): string {
  const value = onOneLine(values[name] ?? '')
  return value === '' && name === 'firstName' ? defaultFirstName : value
}

export function isPlaceholder(name: string): name is PlaceholderName {
  return placeholderNames.some((one) => one === name)
}
