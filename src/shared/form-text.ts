import * as z from 'zod/mini'
import { hasOddCharacters, isBlank } from './field-rules.ts'

export const textMessages = {
  required: (what: string) => `Please fill in the ${what}.`,
  tooLong: (what: string, max: number) =>
    `Please shorten the ${what} to ${max.toLocaleString('en-US')} characters or fewer.`,
  characters: (what: string) => `Please remove the unusual characters from the ${what}.`,
  notText: (what: string) => `Please send the ${what} as text.`,
}

interface TextRules {
  max: number
  required?: string | undefined
  multiline?: boolean
  check?: ((text: string) => string | undefined) | undefined
}

export function formText(what: string, { max, required, multiline = false, check }: TextRules) {
  const problemOf = (text: string): string | undefined => {
    if (isBlank(text)) return required
    const isOdd = hasOddCharacters(text) || (!multiline && /[\n\t\u2028\u2029]/.test(text))
    if (isOdd) return textMessages.characters(what)
    return text.length > max ? textMessages.tooLong(what, max) : check?.(text)
  }
  return z
    .string({ error: ({ input }) => ((input ?? null) === null && required) || textMessages.notText(what) })
    .check(
      // A text that shows nothing becomes '', also where a text need not be given.
      z.overwrite((value) => (isBlank(value) ? '' : value.replace(/\r\n?/g, '\n').trim())),
      z.check(({ value, issues }) => {
        const message = problemOf(value)
        if (message) issues.push({ code: 'custom', message, input: value })
      }),
    )
}

export function line(
  what: string,
  max: number,
  { required = true, check }: Pick<TextRules, 'check'> & { required?: boolean } = {},
) {
  return formText(what, { max, check, required: required ? textMessages.required(what) : undefined })
}

export function yesOrNo(error: string) {
  return z.pipe(
    z.union([z.boolean(), z.enum(['true', 'false'])], { error }),
    z.transform((value) => value === true || value === 'true'),
  )
}
