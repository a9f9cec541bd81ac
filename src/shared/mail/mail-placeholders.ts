import { defaultFirstName } from './mail.ts'

/** What may stand in braces in a bulk mail's subject and text, in the order in which screens offer it. */
export const placeholderNames = [
  'firstName',
  'lastName',
  'component',
  'course',
  'academicYear',
  'reference',
] as const
export type PlaceholderName = (typeof placeholderNames)[number]

/** How screens word them. */
export const placeholderTexts: Record<PlaceholderName, string> = {
  firstName: 'First name',
  lastName: 'Last name',
  component: 'NSTP component',
  course: 'Course',
  academicYear: 'Academic year',
  reference: 'Reference code',
}

/** What stands in for the placeholders of one recipient. */
export type PlaceholderTexts = { [Name in PlaceholderName]?: string | undefined }

/** A word in braces. */
const placeholder = /\{([A-Za-z]\w*)\}/g

/** The words in braces that are no placeholders, each once, as they were written. */
export function unknownPlaceholders(text: string): string[] {
  const found = [...text.matchAll(placeholder)].map(([, name = '']) => name)
  return [...new Set(found)].filter((name) => !isPlaceholder(name))
}

/** Names the first unknown word in braces and those that there are; undefined when there is none. */
export function placeholderProblem(text: string): string | undefined {
  const [unknown] = unknownPlaceholders(text)
  return unknown === undefined
    ? undefined
    : `There is no placeholder {${unknown}}. You can use ${placeholderNames.map((name) => `{${name}}`).join(', ')}.`
}

/**
 * Puts one recipient's values in place of the placeholders. What is missing becomes nothing, and a missing first
 * name the general one (spec §5).
 *
 * @param write how a value is written where it goes: escaped in HTML
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

/** The same on one line: for subjects. No value brings a line break into a header. */
export function fillSubject(subject: string, values: PlaceholderTexts): string {
  return onOneLine(fillPlaceholders(subject, values))
}

/** Without line breaks and other marks that nobody sees. */
export function onOneLine(text: string): string {
  return text.replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
}

/** What stands for a placeholder. */
export function placeholderValue(values: PlaceholderTexts, name: PlaceholderName): string {
  const value = onOneLine(values[name] ?? '')
  return value === '' && name === 'firstName' ? defaultFirstName : value
}

function isPlaceholder(name: string): name is PlaceholderName {
  return placeholderNames.some((known) => known === name)
}
