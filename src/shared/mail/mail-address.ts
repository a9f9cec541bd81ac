import { hasOddCharacters, isEmail } from '#shared/field-rules.ts'

const unseenMarks = /\p{Cf}/u
const unseenMark = /^[\s\p{Cf}]$/u

/** Security: line breaks, commas and brackets could reach another recipient. */
export function isMailAddress(text: string): boolean {
  return isEmail(text) && !hasOddCharacters(text) && !unseenMarks.test(text)
}

export function trimAddress(text: string): string {
  // Character by character: a pattern for the end of a text takes time by the square of its blanks.
  let start = 0
  let end = text.length
  while (start < end && unseenMark.test(text.charAt(start))) start += 1
  while (end > start && unseenMark.test(text.charAt(end - 1))) end -= 1
  return text.slice(start, end)
}

/** Nearly every server ignores case. */
export function addressKey(address: string): string {
  return address.toLowerCase()
}
