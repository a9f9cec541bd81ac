import { AppError } from './errors.ts'

// In seconds.
const retryAfter = 5

interface QueueOptions {
  atOnce: number
  maxWaiting: number
  // The sentence of a refusal.
  busy?: string
}

interface JobOptions {
  // Runs before the queue, and is never refused.
  isUrgent: boolean
}

export interface WorkQueue {
  /** @throws AppError `too_many_requests` when the queue is full */
  run: <T>(job: () => Promise<T>, options?: JobOptions) => Promise<T>
}

export function createWorkQueue({ atOnce, maxWaiting, busy }: QueueOptions): WorkQueue {
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
    async run(job, { isUrgent } = { isUrgent: false }) {
      await acquire(isUrgent)
      try {
        return await job()
      } finally {
        release()
      }
    },
  }
}
