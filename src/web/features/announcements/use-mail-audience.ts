import { useEffect, useState } from 'react'
import type { MailToChoice } from '#shared/announcement-mail.ts'
import { api, callApi } from '#web/lib/api.ts'

/** How many get a mail, or why that isn't known. */
export type MailAudience = { count: number; optedOut: number } | 'reading' | 'failed'

/** How many active students an announcement would go to now. */
export function useMailAudience(choice: MailToChoice): MailAudience {
  const [read, setRead] = useState<{ choice: MailToChoice; audience: MailAudience } | null>(null)

  useEffect(() => {
    if (choice === 'nobody') return
    const reading = new AbortController()
    callApi(
      api.mail.audience.$get({ query: { component: choice } }, { init: { signal: reading.signal } }),
    ).then(
      ({ count, optedOut }) => setRead({ choice, audience: { count, optedOut } }),
      () => {
        if (!reading.signal.aborted) setRead({ choice, audience: 'failed' })
      },
    )
    return () => reading.abort()
  }, [choice])

  return read?.choice === choice ? read.audience : 'reading'
}

/** Whether e-mail is configured; null while that isn't known. */
export function useMailConfigured(): boolean | null {
  const [isConfigured, setConfigured] = useState<boolean | null>(null)

  useEffect(() => {
    const reading = new AbortController()
    callApi(api.mail.account.$get(undefined, { init: { signal: reading.signal } })).then(
      ({ status }) => setConfigured(status.isConfigured),
      // The server says it when the form is sent.
      () => {
        if (!reading.signal.aborted) setConfigured(true)
      },
    )
    return () => reading.abort()
  }, [])

  return isConfigured
}
