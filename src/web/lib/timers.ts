import { useCallback, useEffect, useEffectEvent, useRef } from 'react'

/** For an effect: `start` gets a controller that the returned cleanup aborts. */
export function abortable(start: (end: AbortController) => void): () => void {
  const end = new AbortController()
  start(end)
  return () => end.abort()
}

/** Calls `act` once after `ms`. The cleanup, which an effect can return, stops the timer and aborts what `act` began. */
export function runAfter(ms: number, act: (signal: AbortSignal) => void): () => void {
  return abortable(({ signal }) => {
    const timer = setTimeout(() => act(signal), ms)
    signal.addEventListener('abort', () => clearTimeout(timer))
  })
}

/** Calls `act` every `ms`. @returns the cleanup, which an effect can return */
export function runEvery(ms: number, act: () => void): () => void {
  const timer = setInterval(act, ms)
  return () => clearInterval(timer)
}

// The pause between two readings, in ms. It limits the requests of a registration rush.
const restMs = 500

/** Requests a run of `work`, throttled. @param leastMs between two runs */
export function useThrottled(work: () => Promise<void>, leastMs = restMs): () => void {
  const throttle = useRef<Throttle>(null)
  const run = useEffectEvent(work)
  useEffect(() => {
    const own = createThrottle(() => run(), leastMs)
    throttle.current = own
    return own.stop
  }, [leastMs])
  return useCallback(() => throttle.current?.request(), [])
}

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
  let stopTimer: (() => void) | undefined
  let isRunning = false
  let isRequested = false
  let lastStart = Number.NEGATIVE_INFINITY
  let isStopped = false

  function request() {
    isRequested = true
    if (isStopped || isRunning) return
    stopTimer?.()
    stopTimer = runAfter(Math.max(0, lastStart + restMs - Date.now()), () => void run())
  }

  async function run() {
    isRunning = true
    isRequested = false
    lastStart = Date.now()
    try {
      await work()
    } finally {
      isRunning = false
      if (isRequested) request()
    }
  }

  function stop() {
    isStopped = true
    stopTimer?.()
  }

  return { request, stop }
}
