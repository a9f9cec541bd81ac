import { AppError } from './errors.ts'

// In seconds.
const retryAfter = 5

interface QueueOptions {
  atOnce: number
  maxWaiting: number
  // The sentence of a refusal.
  busy?: string
}

export function createWorkQueue({ atOnce, maxWaiting, busy }: QueueOptions) {
  const waiting: (() => void)[] = []
  let running = 0

  async function acquire(isUrgent: boolean): Promise<void> {
    if (running < atOnce) {
      running += 1
      return
    }
    if (!isUrgent && waiting.length >= maxWaiting) {
      throw new AppError('too_many_requests', { ...(busy ? { detail: busy } : {}), retryAfter })
    }
    await new Promise<void>((resolve) => {
      if (isUrgent) waiting.unshift(resolve)
      else waiting.push(resolve)
    })
  }

  // Hands the slot to the next job directly, so that no new job gets it first.
  function release() {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }

  return {
    /**
     * @param options an urgent job runs before the queue, and is never refused
     * @throws AppError `too_many_requests` when the queue is full
     */
    async run<T>(job: () => Promise<T>, { isUrgent } = { isUrgent: false }): Promise<T> {
      await acquire(isUrgent)
      try {
        return await job()
      } finally {
        release()
      }
    },
  }
}
