import { setImmediate as otherWork, setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Topic } from '#shared/topics.ts'

// ms: machines sleep, clocks change, and a timer above 2^31 ms fires at once.
const longestMs = 60 * 60_000

type Cancel = () => void

interface TaskOptions {
  // For the log: '<name> failed; trying again'.
  name: string
  // The ms until its next run, if it returns a number.
  run: () => Promise<unknown>
  log: Logger
  everyMs?: number
  // The pause after an error. Without it the next wake or interval tries again.
  retryMs?: number
  // Wakes within this time are one run.
  gatherMs?: number
  // A change of the topic wakes it.
  topic?: Topic
  notices?: { subscribe: (listener: (topic: Topic) => void) => () => void }
  // Ends it when nobody can wait for `close`.
  closing?: AbortSignal
}

export type Task = ReturnType<typeof createTask>

/** Background work: one run at a time, a wake during a run starts one more, and errors are logged and retried. */
export function createTask(options: TaskOptions) {
  const { name, run, log, everyMs, retryMs = everyMs, gatherMs, topic, notices, closing } = options
  let running: Promise<void> | undefined
  let isDue = false
  let isClosed = false
  let cancel: Cancel = () => undefined

  // Returns the ms until the next run.
  async function runOnce(onError: (error: unknown) => void): Promise<number | undefined> {
    cancel()
    isDue = false
    try {
      const result = await run()
      return typeof result === 'number' ? result : everyMs
    } catch (error) {
      onError(error)
      return retryMs
    }
  }

  function plan(nextMs: number | undefined): void {
    running = undefined
    if (isClosed) return
    if (isDue) runSoon()
    else if (nextMs !== undefined) cancel = after(nextMs, runNow)
  }

  function logError(error: unknown): void {
    if (!isClosed) log.warn({ err: error }, `${name} failed; trying again`)
  }

  function runNow(): void {
    running ??= runOnce(logError).then(plan)
  }

  function runSoon(): void {
    cancel()
    if (gatherMs === undefined) runNow()
    else cancel = after(gatherMs, runNow)
  }

  function wake(): void {
    if (isClosed || isDue) return
    isDue = true
    if (!running) runSoon()
  }

  // Waits for the running one.
  async function close(): Promise<void> {
    isClosed = true
    cancel()
    unsubscribe?.()
    await running
  }

  const unsubscribe = notices?.subscribe((changed) => {
    if (changed === topic) wake()
  })
  closing?.addEventListener('abort', () => void close())

  return {
    /** Runs it now. The error is the caller's. */
    async start(): Promise<void> {
      while (running) await running
      let failure: { error: unknown } | undefined
      running = runOnce((error) => {
        failure = { error }
      }).then(plan)
      await running
      if (failure) throw failure.error
    },
    wake,
    close,
  }
}

/** Calls once. No timer here keeps the process running. */
export function after(ms: number, act: () => void): Cancel {
  if (ms <= longestMs) {
    const timer = setTimeout(act, ms).unref()
    return () => clearTimeout(timer)
  }
  const at = Date.now() + ms
  let cancel = after(longestMs, () => {
    const leftMs = at - Date.now()
    if (leftMs <= 0) act()
    else cancel = after(leftMs, act)
  })
  return () => cancel()
}

export function every(ms: number, act: () => unknown): Cancel {
  const timer = setInterval(() => void act(), ms).unref()
  return () => clearInterval(timer)
}

/** Resolves early when the signal aborts. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  await pause(ms, undefined, signal && { signal }).catch(() => undefined)
}

/** Waits for the end of something, but not longer. */
export async function endWithin(ms: number, end: Promise<unknown>): Promise<void> {
  await Promise.race([end, pause(ms, undefined, { ref: false })])
}

// ms: yields to requests this often.
const sliceMs = 10

export type Pause = () => Promise<void>

/** Yields to other requests when the last pause was long enough ago. */
export function createPause(): Pause {
  let sliceStart = performance.now()
  return async () => {
    if (performance.now() - sliceStart < sliceMs) return
    await otherWork()
    sliceStart = performance.now()
  }
}
