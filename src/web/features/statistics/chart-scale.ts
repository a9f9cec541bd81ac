/** Steps that are easy to read, within a power of ten. */
const steps = [1, 2, 3, 4, 6, 8, 10]

/** Where a chart's axis ends: the first easy number that holds the greatest count, and whose half is whole. */
export function axisEnd(greatest: number): number {
  if (greatest <= 2) return 2
  const power = 10 ** Math.floor(Math.log10(greatest))
  const end = steps.map((step) => step * power).find((value) => value >= greatest) ?? 10 * power
  // 3 alone is odd.
  return end + (end % 2)
}

/** Most labels under the chart that have room: on a phone, and from a tablet on. */
const mostLabels = { narrow: 6, wide: 12 }

/** Every how many-th bucket has a label. The narrow labels are among the wide ones. */
export function labelSteps(buckets: number): { narrow: number; wide: number } {
  const wide = Math.max(1, Math.ceil(buckets / mostLabels.wide))
  const narrow = wide * Math.max(1, Math.ceil(buckets / wide / mostLabels.narrow))
  return { narrow, wide }
}
