import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { ApiProblem } from '#web/lib/api-problem.ts'
import { abortable, runAfter } from '#web/lib/timers.ts'
import type { StoredDraft } from './draft-key.ts'
import { bodyOf } from './form-values.ts'
import { answersOf, endWaiting } from './use-draft.ts'
import { type Enlisted, enlistedOf, explain, retryMs, sendRegistration } from './use-enlistment.ts'

/** What became of an enlistment that waited. A refused one waits for its student to correct it. */
export type Outcome = { enlisted: Enlisted } | 'refused'

/** Sends an enlistment that waits on the device without showing it: the form may be the next student's. */
export function useWaiting(
  waiting: StoredDraft | undefined,
  onSent: (enlisted: Enlisted) => void,
): Outcome | undefined {
  const [outcome, setOutcome] = useState<Outcome>()
  const challenge = useRef('')
  const noteSent = useEffectEvent(onSent)

  useEffect(() => {
    if (!waiting || waiting.asksNumber) return
    return abortable(({ signal }) => {
      let turn = 0
      let isDone = false
      const send = async () => {
        turn += 1
        const own = turn
        const tried = await trySending(waiting, challenge)
        // A later try has the same answer: the key makes them one enlistment.
        if (signal.aborted || isDone || own !== turn) return
        if (typeof tried === 'number') {
          stopTimer = runAfter(Math.max(tried, pauseAfter(turn)), send)
          return setOutcome(undefined)
        }
        setOutcome(tried)
        if (tried === 'refused') return
        isDone = true
        noteSent(tried.enlisted)
      }

      let stopTimer = runAfter(0, send)
      const sendNow = () => {
        stopTimer()
        if (!isDone) void send()
      }
      window.addEventListener('online', sendNow, { signal })
      signal.addEventListener('abort', () => stopTimer())
    })
  }, [waiting])

  return outcome
}

// Pauses between two tries, in ms, double with each failure up to this one.
const longestPause = 10 * 60_000
const pauseAfter = (tries: number) => Math.min(retryMs * 2 ** (tries - 1), longestPause)

/** @returns the least pause before the next try, in ms, while the server has not decided */
async function trySending(waiting: StoredDraft, challenge: RefObject<string>): Promise<Outcome | number> {
  const values = answersOf(waiting)
  try {
    const receipt = await sendRegistration(bodyOf(values), waiting.idempotencyKey, challenge)
    endWaiting(waiting.idempotencyKey)
    return { enlisted: enlistedOf(receipt, values) }
  } catch (error) {
    const { resendMs } = explain(error, true)
    return resendMs === undefined && isRefusal(error) ? 'refused' : (resendMs ?? 0)
  }
}

// Another answer, and none, is no decision of the server about this enlistment.
function isRefusal(error: unknown): boolean {
  if (!(error instanceof ApiProblem)) return false
  const { status } = error.problem
  return status >= 400 && status < 500 && status !== 408 && status !== 429
}
