import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { ApiProblem } from '#web/lib/api-problem.ts'
import { abortable, runAfter } from '#web/lib/timers.ts'
import type { StoredDraft } from './draft-key.ts'
import { bodyOf } from './form-values.ts'
import { answersOf, endWaiting } from './use-draft.ts'
import { type Enlisted, enlistedOf, explain, retryMs, sendRegistration } from './use-enlistment.ts'

/**
 * Sends an enlistment that waits on the device without showing it: the form may be the next student's.
 * @returns why it was not accepted; then it waits for its student to correct it
 */
export function useWaiting(waiting: StoredDraft | undefined, onSent: (enlisted: Enlisted) => void) {
  const [refusal, setRefusal] = useState<string>()
  const challenge = useRef('')
  const noteSent = useEffectEvent(onSent)

  useEffect(() => {
    if (!waiting || waiting.asksNumber) return
    return abortable(({ signal }) => {
      let turn = 0
      const send = async () => {
        turn += 1
        const own = turn
        const { enlisted, refusal, againMs } = await trySending(waiting, challenge)
        // A later try has the same answer: the key makes them one enlistment.
        if (signal.aborted || own !== turn) return
        setRefusal(refusal)
        if (enlisted) noteSent(enlisted)
        if (againMs !== undefined) stopTimer = runAfter(againMs, send)
      }

      let stopTimer = runAfter(0, send)
      const sendNow = () => {
        stopTimer()
        void send()
      }
      window.addEventListener('online', sendNow, { signal })
      signal.addEventListener('abort', () => stopTimer())
    })
  }, [waiting])

  return refusal
}

interface Tried {
  enlisted?: Enlisted
  refusal?: string
  againMs?: number
}

async function trySending(waiting: StoredDraft, challenge: RefObject<string>): Promise<Tried> {
  const values = answersOf(waiting)
  try {
    const receipt = await sendRegistration(bodyOf(values), waiting.idempotencyKey, challenge)
    endWaiting(waiting.idempotencyKey)
    return { enlisted: enlistedOf(receipt, values) }
  } catch (error) {
    const { sentence, resendMs } = explain(error, true)
    const isRefused = error instanceof ApiProblem && resendMs === undefined
    return isRefused ? { refusal: sentence } : { againMs: resendMs ?? retryMs }
  }
}
