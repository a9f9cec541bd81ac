import { hasOddCharacters, isEmail } from '#shared/field-rules.ts'

const invisibleCharacters = /\p{Cf}/u
const blankOrInvisible = /^[\s\p{Cf}]$/u

/** Security: line breaks, commas and brackets could reach another recipient. */
export function isMailAddress(text: string): boolean {
  return isEmail(text) && !hasOddCharacters(text) && !invisibleCharacters.test(text)
}

export function trimAddress(text: string): string {
  // No pattern is used: matching blanks at the end of a text takes quadratic time.
  let start = 0
  let end = text.length
  while (start < end && blankOrInvisible.test(text.charAt(start))) start += 1
  while (end > start && blankOrInvisible.test(text.charAt(end - 1))) end -= 1
  return text.slice(start, end)
}

/** Nearly every server ignores case. */
export function addressKey(address: string): string {
  return address.toLowerCase()
}
