import type { BodyFormat } from '#server/mail/mail-content.ts'

/** A tag that programs wrap messages in, or its end. What only looks like one, such as '<3', is text. */
const tag =
  /<\/?(?:p|div|span|br|hr|h[1-6]|ul|ol|li|a|strong|b|em|i|u|table|tr|td|html|body)(?:\s[^<>]*)?\/?>/i

/** HTML when a message has tags, else the office's own text. */
export function formatOf(message: string): BodyFormat {
  return tag.test(message) ? 'html' : 'text'
}
