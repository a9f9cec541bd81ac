import { after } from '#server/lib/scheduler.ts'
import { DatabaseSilentError, toAppError } from './errors.ts'

// A statement with more rows takes longer, but stores hardly more rows a second. Decision 032.
const mostRows = 64
// While one statement waits for the disk, the other one computes.
const atOnce = 2
// A second statement begins for fewer rows only when the first is slow: small groups cost more for each row.
const rowsForSecond = 16
const slowMs = 25
// The patience is that of a connection: with it and one silent statement a request stays below 5 s.
const patienceMs = 1_500

interface Waiting<Row, Outcome> {
  row: Row
  since: number
  resolve: (outcome: Outcome) => void
  reject: (error: unknown) => void
}

/**
 * Commits rows of concurrent requests together: those that arrive while a statement runs wait and go in the next one. A
 * row that meets no statement goes at once, with what arrived in the same turn of the event loop.
 * @param commit one statement, which returns the outcomes in the order of its rows
 * @returns what stores one row. It ends when the row is on the disk, with the row's own outcome or error.
 */
export function createGroupCommit<Row, Outcome>(commit: (rows: readonly Row[]) => Promise<Outcome[]>) {
  const queue: Waiting<Row, Outcome>[] = []
  let running = 0
  let slow = 0

  function runNext() {
    while (queue.length > 0 && (running === slow || queue.length >= rowsForSecond) && running < atOnce) {
      void runAndWatch(takeGroup())
    }
  }

  async function runAndWatch(group: readonly Waiting<Row, Outcome>[]): Promise<void> {
    let isSlow = 0
    const cancel = after(slowMs, () => {
      isSlow = 1
      slow += 1
      runNext()
    })
    running += 1
    await runGroup(group)
    running -= 1
    slow -= isSlow
    cancel()
    runNext()
  }

  function takeGroup() {
    const oldest = performance.now() - patienceMs
    return queue.splice(0, mostRows).filter(({ since, reject }) => {
      const isInTime = since >= oldest
      if (!isInTime) reject(new DatabaseSilentError(`not stored within ${patienceMs} ms`))
      return isInTime
    })
  }

  async function runGroup(group: readonly Waiting<Row, Outcome>[]): Promise<void> {
    if (group.length === 0) return
    try {
      const outcomes = await commit(group.map(({ row }) => row))
      for (const [index, outcome] of outcomes.entries()) group[index]?.resolve(outcome)
    } catch (error) {
      // A single row may be at fault, so each is tried alone; when the database is at fault, nobody tries again.
      const isOfAll = group.length === 1 || toAppError(error) !== undefined
      if (isOfAll) for (const { reject } of group) reject(error)
      else await Promise.all(group.map((each) => runGroup([each])))
    }
  }

  return (row: Row): Promise<Outcome> =>
    new Promise((resolve, reject) => {
      queue.push({ row, since: performance.now(), resolve, reject })
      // Rows that arrived in the same turn of the event loop go in one statement.
      setImmediate(runNext)
    })
}
