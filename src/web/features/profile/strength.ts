/** From how many bits on each word is said; the first is what the server refuses. */
const steps = [
  { from: 80, level: 4, word: 'Strong' },
  { from: 60, level: 3, word: 'Good' },
  { from: 40, level: 2, word: 'Fair' },
]

/** A password's strength in words, and as one of four levels. */
export function strengthOf(bits: number): { level: number; word: string } {
  const { level, word } = steps.find(({ from }) => bits >= from) ?? { level: 1, word: 'Easy to guess' }
  return { level, word }
}
