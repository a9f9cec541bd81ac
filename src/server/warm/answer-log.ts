import type { Logger } from 'pino'

/** How long answers are counted before they are written, in milliseconds. */
const lineEveryMs = 1_000

export type AnswerLog = ReturnType<typeof createAnswerLog>

/**
 * The log of kept answers: for each route and status one line a second with their number. A line for each would
 * cost a quarter of the answer.
 */
export function createAnswerLog(log: Logger) {
  const counts = new Map<string, Map<number, number>>()
  let timer: NodeJS.Timeout | undefined

  function write(): void {
    clearTimeout(timer)
    timer = undefined
    for (const [route, ofRoute] of counts) {
      for (const [status, answers] of ofRoute) {
        log.info({ method: 'GET', route, status, answers }, 'answered from memory')
      }
    }
    counts.clear()
  }

  return {
    note(route: string, status: number): void {
      if (!log.isLevelEnabled('info')) return
      let ofRoute = counts.get(route)
      if (!ofRoute) {
        ofRoute = new Map()
        counts.set(route, ofRoute)
      }
      ofRoute.set(status, (ofRoute.get(status) ?? 0) + 1)
      timer ??= setTimeout(write, lineEveryMs)
    },

    /** Writes what was counted since the last line. */
    close: write,
  }
}
