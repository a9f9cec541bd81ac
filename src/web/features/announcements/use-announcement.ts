import { useCallback, useEffect, useState } from 'react'
import type { Announcement } from '#shared/announcements.ts'
import { api, callApi } from '#web/lib/api.ts'
import { ApiProblem } from '#web/lib/api-problem.ts'
import { useLiveTopics } from '#web/lib/live.ts'

interface Reading {
  id: string
  announcement: Announcement | null
  failure: string | null
}

/**
 * The whole of one announcement, read now and again after each change. What was read stays while a later reading
 * fails.
 *
 * @param onMissing it isn't public any more
 */
export function useAnnouncement(id: string, onMissing: () => void) {
  const [known, setKnown] = useState<Reading>({ id, announcement: null, failure: null })
  /** Counts the readings that were asked for. */
  const [turn, setTurn] = useState(0)
  const readAgain = useCallback(() => setTurn((count) => count + 1), [])
  useLiveTopics(['announcements'], readAgain)

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each id and turn
  useEffect(() => {
    const reading = new AbortController()
    void read(id, reading.signal).then((next) => {
      if (reading.signal.aborted) return
      if (next === 'missing') return onMissing()
      setKnown((last) => ({
        id,
        announcement: next.announcement ?? (last.id === id ? last.announcement : null),
        failure: next.failure,
      }))
    })
    return () => reading.abort()
  }, [id, turn])

  return { ...(known.id === id ? known : { announcement: null, failure: null }), readAgain }
}

async function read(id: string, signal: AbortSignal): Promise<Omit<Reading, 'id'> | 'missing'> {
  try {
    const announcement = await callApi(api.announcements[':id'].$get({ param: { id } }, { init: { signal } }))
    // The coordinator may read it still; the public may not.
    if ('state' in announcement && announcement.state !== 'published') return 'missing'
    return {
      announcement: { ...announcement, publishAt: announcement.publishAt ?? announcement.createdAt },
      failure: null,
    }
  } catch (error) {
    // Turned away from while it was on its way; nobody waits for what comes then.
    if (signal.aborted) return { announcement: null, failure: null }
    if (!(error instanceof ApiProblem)) throw error
    return error.problem.code === 'not_found'
      ? 'missing'
      : { announcement: null, failure: `Failed to load the announcement: ${error.message}` }
  }
}
