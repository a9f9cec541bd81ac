/** Levenshtein distance: two swapped letters count as two. @param most a greater distance isn't counted to its end */
export function editDistance(from: string, to: string, most = Number.POSITIVE_INFINITY): number {
  const wanted = [...to]
  let row = Array.from({ length: wanted.length + 1 }, (_, index) => index)
  let left = 0
  for (const letter of from) {
    left = (row[0] ?? 0) + 1
    const next = [left]
    let least = left
    for (let column = 0; column < wanted.length; column += 1) {
      const replaced = (row[column] ?? 0) + (letter === wanted[column] ? 0 : 1)
      left = Math.min(replaced, left + 1, (row[column + 1] ?? 0) + 1)
      least = Math.min(least, left)
      next.push(left)
    }
    // It never gets less again.
    if (least > most) return least
    row = next
  }
  return row.at(-1) ?? 0
}
