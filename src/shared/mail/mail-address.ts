import { hasOddCharacters, isEmail } from '#shared/field-rules.ts'

/** Marks that nobody sees: zero-width spaces and joiners, which copying from a page brings along. */
const unseenMarks = /\p{Cf}/u
const unseenMark = /^[\s\p{Cf}]$/u

/**
 * Whether a text is exactly one address. What has a line break, a comma or a bracket in it would reach somebody
 * else; what has marks that nobody sees would reach nobody.
 */
export function isMailAddress(text: string): boolean {
  return isEmail(text) && !hasOddCharacters(text) && !unseenMarks.test(text)
}

/** An address as it was typed or copied, without what surrounds it. */
export function trimAddress(text: string): string {
  // Character by character: a pattern for the end of a text takes time by the square of its blanks.
  let start = 0
  let end = text.length
  while (start < end && unseenMark.test(text.charAt(start))) start += 1
  while (end > start && unseenMark.test(text.charAt(end - 1))) end -= 1
  return text.slice(start, end)
}

/** What is the same for the same mailbox: nearly every server takes its names in either case. */
export function addressKey(address: string): string {
  return address.toLowerCase()
}
