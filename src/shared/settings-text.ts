import * as z from 'zod/mini'
import { hasOddCharacters } from './field-rules.ts'

/** What a text that can't be kept is answered with. */
export const textMessages = {
  required: (what: string) => `Please fill in the ${what}.`,
  tooLong: (what: string, max: number) => `Please shorten the ${what} to ${max} characters or fewer.`,
  characters: (what: string) => `Please remove the unusual characters from the ${what}.`,
  notText: (what: string) => `Please send the ${what} as text.`,
}

interface LineOptions {
  required?: boolean
  /** A rule of its own for what is filled in: the sentence, or undefined. */
  check?: (text: string) => string | undefined
}

/** One line of text: trimmed, without odd characters, not too long. */
export function line(what: string, max: number, { required = true, check }: LineOptions = {}) {
  return z.string({ error: textMessages.notText(what) }).check(
    z.trim(),
    z.check(({ value, issues }) => {
      const message =
        value === ''
          ? required
            ? textMessages.required(what)
            : undefined
          : problemOf(value, what, max, check)
      if (message) issues.push({ code: 'custom', message, input: value })
    }),
  )
}

function problemOf(text: string, what: string, max: number, check: LineOptions['check']): string | undefined {
  if (hasOddCharacters(text) || /[\r\n\t]/.test(text)) return textMessages.characters(what)
  return text.length > max ? textMessages.tooLong(what, max) : check?.(text)
}
