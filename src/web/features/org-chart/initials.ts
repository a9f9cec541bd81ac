/** One or two letters; titles such as 'Dr.' don't count. */
export function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter(Boolean)
  const named = words.filter((word) => !word.endsWith('.') && !word.startsWith('('))
  const [first, ...others] = named.length > 0 ? named : words
  return [first, others.at(-1)]
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase()
}
