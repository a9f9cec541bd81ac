import { useEffect, useState } from 'react'
import type { AudiencePreview } from '#shared/mail-history.ts'
import { api, callApi } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { audienceOf, type BulkValues } from './bulk-values.ts'

/** Pause after a choice before the students are counted, in milliseconds. */
const pauseMs = 150

/** Whom the students' filters choose. */
export interface AudienceReading {
  /** Of the filters as they are; null while that is being read, and when it has failed. */
  preview: AudiencePreview | null
  failure: string | null
  retry: () => void
}

interface Known {
  key: string
  preview: AudiencePreview | null
  failure: string | null
}

/** Counts the students of the form's filters. @param isWanted whether that way of choosing is shown */
export function useAudience(values: BulkValues, isWanted: boolean): AudienceReading {
  const query = audienceOf(values)
  const key = JSON.stringify(query)
  const [known, setKnown] = useState<Known | null>(null)
  const [tries, setTries] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says what the filters are
  useEffect(() => {
    if (!isWanted) return
    const turn = new AbortController()
    const timer = setTimeout(() => {
      callApi(api.mail.audience.$get({ query }, { init: { signal: turn.signal } })).then(
        (preview) => setKnown({ key, preview, failure: null }),
        (error: unknown) => {
          if (!turn.signal.aborted) setKnown({ key, preview: null, failure: sentenceOf(error) })
        },
      )
    }, pauseMs)
    return () => {
      clearTimeout(timer)
      turn.abort()
    }
  }, [key, isWanted, tries])

  const fitting = known?.key === key ? known : null
  return {
    preview: fitting?.preview ?? null,
    failure: fitting?.failure ?? null,
    retry: () => {
      setKnown(null)
      setTries((count) => count + 1)
    },
  }
}
