import { useEffect, useState } from 'react'
import type { RecipientRecord } from '#shared/mail-history.ts'
import { api, callApi } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'
import type { Sample } from './addressees.ts'

/** Shorter than the pause before a preview is made: mostly it is made once, with the record. In milliseconds. */
const pauseMs = 150

/** A recipient with what the record fills in. */
interface KnownRecipient {
  /** With no more than the list says until the record is read. */
  recipient: Sample | undefined
  isReading: boolean
  failure: string | null
  retry: () => void
}

interface Read {
  email: string
  values: RecipientRecord['values']
  failure: string | null
}

/**
 * Reads what a recipient's record fills in, as the server does for the mail itself.
 *
 * @param sample one of a list; of a student all is known already
 * @param isListed whether it is one of a list
 */
export function useKnownRecipient(sample: Sample | undefined, isListed: boolean): KnownRecipient {
  const [read, setRead] = useState<Read | null>(null)
  const [tries, setTries] = useState(0)
  const email = isListed ? sample?.email : undefined

  // biome-ignore lint/correctness/useExhaustiveDependencies: another try is asked for by its number
  useEffect(() => {
    if (email === undefined) return
    const turn = new AbortController()
    const timer = setTimeout(() => {
      callApi(api.mail.recipients.record.$post({ json: { email } }, { init: { signal: turn.signal } })).then(
        ({ values }) => setRead({ email, values, failure: null }),
        (error: unknown) => {
          if (!turn.signal.aborted) setRead({ email, values: null, failure: sentenceOf(error) })
        },
      )
    }, pauseMs)
    return () => {
      clearTimeout(timer)
      turn.abort()
    }
  }, [email, tries])

  const fitting = read !== null && read.email === email ? read : null
  return {
    // What the list says comes before what the record says.
    recipient: sample && { ...fitting?.values, ...sample },
    isReading: email !== undefined && fitting === null,
    failure: fitting?.failure ?? null,
    retry: () => {
      setRead(null)
      setTries((count) => count + 1)
    },
  }
}
