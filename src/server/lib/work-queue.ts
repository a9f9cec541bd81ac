import type { ProblemCode } from '#shared/problem.ts'
import { AppError } from './errors.ts'

// The Retry-After of a refusal, in seconds.
const retryAfter = 5

interface QueueOptions {
  atOnce: number
  maxWaiting: number
  // The sentence of a refusal.
  busy?: string
  code?: ProblemCode
}

interface WaitingJob {
  begin: () => void
  refuse: (error: AppError) => void
}

interface JobOptions {
  isUrgent?: boolean
  // Jobs take turns by their owner.
  owner?: string
}

/** Runs jobs by turns over their owners, those of one in their order. */
export function createWorkQueue({ atOnce, maxWaiting, busy, code = 'too_many_requests' }: QueueOptions) {
  const urgent: (() => void)[] = []
  // The lanes are in the order of their turns. None is empty.
  const lanes = new Map<string, WaitingJob[]>()
  let waiting = 0
  let running = 0

  const refusal = () => new AppError(code, { ...(busy ? { detail: busy } : {}), retryAfter })

  async function acquire({ isUrgent = false, owner = '' }: JobOptions): Promise<void> {
    if (running < atOnce) {
      running += 1
      return
    }
    if (isUrgent) return await new Promise<void>((begin) => void urgent.push(begin))
    if (waiting >= maxWaiting) makeRoomFor(owner)
    await new Promise<void>((begin, refuse) => {
      const lane = lanes.get(owner)
      if (lane) lane.push({ begin, refuse })
      else lanes.set(owner, [{ begin, refuse }])
      waiting += 1
    })
  }

  // An owner with many waiting jobs must not keep out one with few.
  function makeRoomFor(owner: string): void {
    let greatest: string | undefined
    let most = (lanes.get(owner)?.length ?? 0) + 1
    for (const [name, { length }] of lanes) if (length > most) [greatest, most] = [name, length]
    const last = greatest === undefined ? undefined : lanes.get(greatest)?.pop()
    if (!last) throw refusal()
    waiting -= 1
    last.refuse(refusal())
  }

  function nextInTurn(): (() => void) | undefined {
    for (const [owner, lane] of lanes) {
      lanes.delete(owner)
      const job = lane.shift()
      if (lane.length > 0) lanes.set(owner, lane)
      waiting -= 1
      return job?.begin
    }
    return undefined
  }

  // Hands the slot to the next job directly, so that no new job gets it first.
  function release() {
    const next = urgent.shift() ?? nextInTurn()
    if (next) next()
    else running -= 1
  }

  return {
    /**
     * @param options an urgent job runs before the queue, and is never refused
     * @throws AppError when the queue is full: for the last job of the owner with most of them
     */
    async run<T>(job: () => Promise<T>, options: JobOptions = {}): Promise<T> {
      await acquire(options)
      try {
        return await job()
      } finally {
        release()
      }
    },
  }
}
