import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildRegistration } from '#tests/factories/registration.ts'

/** What a request may take, and what a busy test machine adds. */
export const longestMs = 5_000 + 500

export interface LoadResult {
  /** The records that the product said it has. */
  acknowledged: string[]
  /** How often each status came; 0 for a connection that broke. */
  statuses: Map<number, number>
  slowestMs: number
}

/**
 * Sends one enlistment.
 * @returns the status, 0 when the connection broke, and the record's id if it was made
 */
export async function enlist(
  url: string,
  key: string = randomUUID(),
): Promise<{ status: number; id?: string }> {
  try {
    const response = await fetch(`${url}/api/registrations`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
      body: JSON.stringify(buildRegistration()),
    })
    const body: { id?: string } = await response.json()
    return { status: response.status, ...(response.status === 201 && body.id ? { id: body.id } : {}) }
  } catch {
    // The process was killed while it answered: that is what these tests do.
    return { status: 0 }
  }
}

/** Enlists without a pause on several connections until it is told to stop. */
export function startLoad(url: string, connections = 8) {
  const result: LoadResult = { acknowledged: [], statuses: new Map(), slowestMs: 0 }
  let isStopping = false

  async function work() {
    while (!isStopping) {
      const startedAt = performance.now()
      const { status, id } = await enlist(url)
      result.slowestMs = Math.max(result.slowestMs, performance.now() - startedAt)
      result.statuses.set(status, (result.statuses.get(status) ?? 0) + 1)
      if (id) result.acknowledged.push(id)
      // Nobody sends again at once when the answer was a refusal.
      if (status !== 201) await sleep(20)
    }
  }

  const workers = Array.from({ length: connections }, work)
  return {
    result,
    async stop(): Promise<LoadResult> {
      isStopping = true
      await Promise.all(workers)
      return result
    },
  }
}

/** Waits until something holds. */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  ms = 15_000,
): Promise<void> {
  for (const end = Date.now() + ms; Date.now() < end; ) {
    if (await holds()) return
    await sleep(25)
  }
  throw new Error(`${what}: not within ${ms} ms`)
}
