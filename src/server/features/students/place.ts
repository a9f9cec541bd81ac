export interface Part {
  key: string
  end: string | null
  count: number
}

export interface PageWindow {
  offset: number
  limit: number
}

export interface Place {
  startKey: string
  endKey: string | null
  before: number
  after: number
  rows: number
}

export function totalOfParts(parts: readonly Part[]): number {
  return parts.reduce((sum, { count }) => sum + count, 0)
}

export function findPlace(
  parts: readonly Part[],
  { offset, limit }: PageWindow,
  isDescending: boolean,
): Place | null {
  const total = totalOfParts(parts)
  const rows = Math.min(limit, total - offset)
  if (rows <= 0) return null
  const first = isDescending ? total - offset - rows : offset
  const last = first + rows - 1
  const start = partAt(parts, first)
  const end = partAt(parts, last)
  return {
    startKey: start.part.key,
    endKey: end.part.end,
    before: first - start.before,
    after: end.before + end.part.count - 1 - last,
    rows,
  }
}

function partAt(parts: readonly Part[], position: number) {
  let before = 0
  for (const part of parts) {
    if (position < before + part.count) return { part, before }
    before += part.count
  }
  throw new RangeError('There is no record at this position.')
}
