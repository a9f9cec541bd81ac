/** Work that is asked for more often than it needs to be done. */
interface CalmRunner {
  /** Runs the work soon: at once after a rest, else when the rest is over. Several requests are one run. */
  request: () => void
  /** No further run begins. */
  stop: () => void
}

/**
 * Runs work one at a time with a rest between two runs, so that a rush of notices doesn't become a rush of
 * requests. What is asked for during a run leads to one more after it.
 */
export function createCalmRunner(work: () => Promise<void>, restMs: number): CalmRunner {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isRunning = false
  let isAskedAgain = false
  let lastStart = Number.NEGATIVE_INFINITY
  let isStopped = false

  function request() {
    if (isStopped) return
    if (isRunning) {
      isAskedAgain = true
      return
    }
    clearTimeout(timer)
    timer = setTimeout(() => void run(), Math.max(0, lastStart + restMs - Date.now()))
  }

  async function run() {
    isRunning = true
    lastStart = Date.now()
    try {
      await work()
    } finally {
      isRunning = false
      if (isAskedAgain) {
        isAskedAgain = false
        request()
      }
    }
  }

  return {
    request,
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
