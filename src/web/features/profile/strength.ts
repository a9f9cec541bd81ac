/**
 * From how many bits on each word is said; what is below the last is refused. High figures, because the letters of
 * a word that isn't among the common ones are counted as if they were random.
 */
const steps = [
  { from: 100, level: 4, word: 'Strong' },
  { from: 70, level: 3, word: 'Good' },
  { from: 40, level: 2, word: 'Fair' },
]

/** A password's strength in words, and as one of four levels. */
export function strengthOf(bits: number): { level: number; word: string } {
  const { level, word } = steps.find(({ from }) => bits >= from) ?? { level: 1, word: 'Easy to guess' }
  return { level, word }
}
