interface Throttle {
  /** At once after a rest, else when the rest is over. Several requests are one run. */
  request: () => void
  stop: () => void
}

/**
 * One run at a time, `restMs` apart, so that many notices don't cause many requests. A request
 * during a run causes one more.
 */
export function createThrottle(work: () => Promise<void>, restMs: number): Throttle {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isRunning = false
  let isRequested = false
  let lastStart = Number.NEGATIVE_INFINITY
  let isStopped = false

  function request() {
    if (isStopped) return
    if (isRunning) {
      isRequested = true
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
      if (isRequested) {
        isRequested = false
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
