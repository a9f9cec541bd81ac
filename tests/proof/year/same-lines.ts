import { expect } from 'vitest'

/** Each line of one list once in the other, in any order. Of thousands, a failure shows the first that differ. */
export function expectSame(theirs: readonly string[], ours: readonly string[], what = ''): void {
  const [lost, extra] = [linesWithout(ours, theirs), linesWithout(theirs, ours)]
  const shown = { lost: lost.slice(0, 5), extra: extra.slice(0, 5), count: lost.length + extra.length }
  expect(shown, what).toEqual({ lost: [], extra: [], count: 0 })
}

/** What the first list has more often. */
function linesWithout(lines: readonly string[], others: readonly string[]): string[] {
  const held = new Map<string, number>()
  for (const line of others) held.set(line, (held.get(line) ?? 0) + 1)
  return lines.filter((line) => {
    const left = held.get(line) ?? 0
    held.set(line, left - 1)
    return left <= 0
  })
}
