import { useEffect, useState } from 'react'
import type { MailPreview, MailPreviewRequest } from '#shared/mail-preview.ts'
import { api, callApi } from './api.ts'
import { sentenceOf } from './api-problem.ts'

/** How long the typing rests before the preview is made anew, in milliseconds. */
const restMs = 400

/** A message as its recipient would read it, made by the server: what is shown is what is sent. */
interface MailPreviewReading {
  /** The newest one, also while a newer is on its way or could not be made; null while nothing can be shown. */
  preview: MailPreview | null
  /** Why the newest could not be made. */
  failure: string | null
  retry: () => void
}

/** Reads the preview of a message calmly while somebody types. @param message null while there is nothing to show */
export function useMailPreview(message: MailPreviewRequest | null): MailPreviewReading {
  const [preview, setPreview] = useState<MailPreview | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [tries, setTries] = useState(0)
  const key = JSON.stringify(message)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says what is previewed
  useEffect(() => {
    if (message === null) return
    const turn = new AbortController()
    const timer = setTimeout(() => {
      callApi(api.mail.preview.$post({ json: message }, { init: { signal: turn.signal } })).then(
        (made) => {
          // Its body may have come just before it was turned away.
          if (turn.signal.aborted) return
          setPreview(made)
          setFailure(null)
        },
        (error: unknown) => {
          if (!turn.signal.aborted) setFailure(sentenceOf(error))
        },
      )
    }, restMs)
    return () => {
      clearTimeout(timer)
      turn.abort()
    }
  }, [key, tries])

  return {
    preview: message && preview,
    failure: message && failure,
    retry: () => setTries((count) => count + 1),
  }
}
