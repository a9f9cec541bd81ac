import { useEffect, useState } from 'react'
import { placeholderNames, unknownPlaceholders } from '#shared/mail-placeholders.ts'
import type { MailPreview } from '#shared/mail-preview.ts'
import { api, callApi } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'
import type { Sample } from './addressees.ts'
import { type BulkValues, ownText } from './bulk-values.ts'

/** Pause in typing after which the preview is made anew, in milliseconds. */
const pauseMs = 400

/** A preview, made by the server: what is shown is what is sent. */
interface PreviewReading {
  /** The newest one, also while a newer is on its way. */
  preview: MailPreview | null
  failure: string | null
  /** What has to be done before one can be shown; null when it can. */
  missing: string | null
  retry: () => void
}

/** @param recipient whose values stand in for the placeholders; undefined for nobody's */
export function usePreview(
  { subject, template, body }: Pick<BulkValues, 'subject' | 'template' | 'body'>,
  recipient: Sample | undefined,
  isActive: boolean,
): PreviewReading {
  const [preview, setPreview] = useState<MailPreview | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [tries, setTries] = useState(0)
  const isOwn = template === ownText
  const missing = missingFor(subject, isOwn ? body : null)
  const isReady = isActive && missing === null
  const request = {
    subject,
    message: isOwn ? body : '',
    ...(isOwn ? {} : { template }),
    values: Object.fromEntries(
      placeholderNames.flatMap((name) => (recipient?.[name] ? [[name, recipient[name]]] : [])),
    ),
  }
  const key = JSON.stringify(request)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says what is previewed
  useEffect(() => {
    if (!isReady) return
    const turn = new AbortController()
    const timer = setTimeout(() => {
      callApi(api.mail.preview.$post({ json: request }, { init: { signal: turn.signal } })).then(
        (made) => {
          setPreview(made)
          setFailure(null)
        },
        (error: unknown) => {
          if (!turn.signal.aborted) setFailure(sentenceOf(error))
        },
      )
    }, pauseMs)
    return () => {
      clearTimeout(timer)
      turn.abort()
    }
  }, [key, isReady, tries])

  return {
    preview: isReady ? preview : null,
    failure: isReady ? failure : null,
    missing,
    retry: () => setTries((count) => count + 1),
  }
}

/** @param body null for a stored text */
function missingFor(subject: string, body: string | null): string | null {
  if (subject.trim() === '' || body?.trim() === '') {
    return 'Write a subject and a message to see here what a recipient will read.'
  }
  return unknownPlaceholders(`${subject}\n${body ?? ''}`).length > 0
    ? 'Mend the marked placeholder to see here what a recipient will read.'
    : null
}
