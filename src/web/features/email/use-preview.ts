import { useEffect, useState } from 'react'
import { isBlank } from '#shared/field-rules.ts'
import { api, callApi } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'

/** How long the typing rests before the preview is read again, in milliseconds. */
const restMs = 400

interface Rendered {
  subject: string
  html: string
  text: string
}

/** What the server makes of a message: null while nothing is written, and until the first answer. */
export type Preview = { rendered: Rendered; failure: null } | { rendered: Rendered | null; failure: string }

/** The message as its recipient would read it, read calmly while somebody types. The last one stays meanwhile. */
export function usePreview(subject: string, message: string): Preview | null {
  const [preview, setPreview] = useState<Preview | null>(null)
  const isEmpty = isBlank(message)

  useEffect(() => {
    if (isEmpty) return
    const turn = new AbortController()
    const timer = setTimeout(() => {
      // As text, which is how the form sends it.
      const json = { subject, message, format: 'text' as const }
      callApi(api.mail.preview.$post({ json }, { init: { signal: turn.signal } })).then(
        (rendered) => !turn.signal.aborted && setPreview({ rendered, failure: null }),
        (error: unknown) =>
          !turn.signal.aborted &&
          setPreview((last) => ({ rendered: last?.rendered ?? null, failure: sentenceOf(error) })),
      )
    }, restMs)
    return () => {
      clearTimeout(timer)
      turn.abort()
    }
  }, [subject, message, isEmpty])

  return isEmpty ? null : preview
}
