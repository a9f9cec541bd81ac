// How much longer than usual this machine takes, for the time-outs of the tests: one that is half as fast, or has other
// work, gets twice the time.

/** Copies of the rows in the measured time, on one of two quiet cores on which `npm test` takes about twelve minutes. */
const usualCopies = 2_200
const measuredMs = 200
const most = 4

/** @returns {number} between 1 and 4 */
export function measureSlowness() {
  const rows = Array.from({ length: 200 }, (_, id) => ({ id, name: `Dela Cruz ${id}`, marks: [id, id * 2] }))
  const end = performance.now() + measuredMs
  let copies = 0
  for (; performance.now() < end; copies++) JSON.parse(JSON.stringify(rows))
  return Math.min(most, Math.max(1, usualCopies / copies))
}
