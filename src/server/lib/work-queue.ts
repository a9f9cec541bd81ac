import { AppError } from './errors.ts'

/** Seconds after which a full queue has emptied. */
const retryAfter = 5

interface QueueOptions {
  /** How many jobs run at once. */
  atOnce: number
  /** How many may wait; one more is refused. */
  waiting: number
}

interface JobOptions {
  /** Goes before those that wait, and is never refused. */
  isUrgent: boolean
}

/** Runs a few jobs at once and lets the others wait their turn. */
export interface WorkQueue {
  /** @throws AppError `too_many_requests` when too many wait already */
  run: <T>(job: () => Promise<T>, options?: JobOptions) => Promise<T>
}

export function createWorkQueue({ atOnce, waiting }: QueueOptions): WorkQueue {
  const turns: (() => void)[] = []
  let running = 0

  async function takeTurn(isUrgent: boolean): Promise<void> {
    if (running < atOnce) {
      running += 1
      return
    }
    if (!isUrgent && turns.length >= waiting) throw new AppError('too_many_requests', { retryAfter })
    await new Promise<void>((resolve) => {
      if (isUrgent) turns.unshift(resolve)
      else turns.push(resolve)
    })
  }

  /** Hands the place on, so that nobody slips in between. */
  function endTurn() {
    const next = turns.shift()
    if (next) next()
    else running -= 1
  }

  return {
    async run(job, { isUrgent } = { isUrgent: false }) {
      await takeTurn(isUrgent)
      try {
        return await job()
      } finally {
        endTurn()
      }
    },
  }
}
