import { HTTPException } from 'hono/http-exception'
import { timeout } from 'hono/timeout'

/** No ordinary request takes longer: a database that stopped answering must not hold people (5 s in all). */
const deadlineMs = 5_000

/** Ends a request with `unavailable` when its time is up. Streams and uploads are mounted outside of it. */
export function deadline() {
  return timeout(deadlineMs, () => new HTTPException(503, { message: 'deadline' }))
}
