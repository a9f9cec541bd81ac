import type { Logger } from 'pino'

const sweepMs = 60 * 60 * 1000

/**
 * Runs `sweep` every hour and logs its errors.
 * @returns the function that stops it
 */
export function sweepNowAndThen(sweep: () => Promise<unknown>, log: Logger): () => void {
  let isEnded = false
  const run = async () => {
    try {
      await sweep()
    } catch (error) {
      // The shutdown doesn't wait for a sweep: a lost database is no error then.
      if (!isEnded) log.warn({ err: error }, 'sweep failed; the next one tries again')
    }
  }
  void run()
  const timer = setInterval(() => void run(), sweepMs)
  return () => {
    isEnded = true
    clearInterval(timer)
  }
}
