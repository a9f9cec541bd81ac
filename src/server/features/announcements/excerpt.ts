/**
 * The beginning of a text, for cards and previews: cut at a word, with an ellipsis (spec §2).
 *
 * @param text plain text
 * @param length about how long it may be, in characters
 */
export function excerptOf(text: string, length: number): string {
  const words = text.replace(/\s+/g, ' ').trim()
  const characters = [...words]
  if (characters.length <= length) return words
  // One more: a word that ends exactly there is whole.
  const start = characters.slice(0, length + 1).join('')
  const end = start.lastIndexOf(' ')
  // A single word longer than that is cut within.
  const kept = end > 0 ? start.slice(0, end) : characters.slice(0, length).join('')
  return `${kept.replace(/[\s,;:.–—-]+$/u, '')}…`
}
