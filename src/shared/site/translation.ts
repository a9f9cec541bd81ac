/** English text to its translation. `{name}` in both stands for any text. */
export type Words = Readonly<Record<string, string>>

export function translate(text: string, words: Words | null): string {
  if (words === null) return text
  if (Object.hasOwn(words, text)) return words[text] ?? text
  for (const [english, translated] of Object.entries(words)) {
    const { groups } = patternOf(english)?.exec(text) ?? {}
    if (groups) return translated.replace(placeholder, (_, name) => translate(groups[name] ?? '', words))
  }
  return text
}

export const placeholder = /\{(\w+)\}/g
const patterns = new Map<string, RegExp | null>()

function patternOf(english: string): RegExp | null {
  const known = patterns.get(english)
  if (known !== undefined) return known
  const source = english.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(placeholder, '(?<$1>.+)')
  const pattern = english.includes('{') ? new RegExp(`^${source}$`, 's') : null
  patterns.set(english, pattern)
  return pattern
}
