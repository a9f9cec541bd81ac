/** Levenshtein distance: two swapped letters count as two. */
export function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...from].entries()) {
    let left = index + 1
    const next = [left]
    for (const [column, wanted] of [...to].entries()) {
      const replaced = (row[column] ?? 0) + (letter === wanted ? 0 : 1)
      left = Math.min(replaced, left + 1, (row[column + 1] ?? 0) + 1)
      next.push(left)
    }
    row = next
  }
  return row.at(-1) ?? 0
}
