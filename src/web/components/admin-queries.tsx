import { QueryClientProvider, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { adminTopics, publicTopics } from '#shared/topics.ts'
import { useLiveTopics } from '#web/lib/live.ts'
import { createQueryClient, isBehind } from '#web/lib/query.ts'
import { onSessionResumed } from '#web/lib/session-end.ts'
import { useThrottled } from '#web/lib/timers.ts'
import { useStaleNotice } from './stale-data-notice.ts'

/** What admin screens read, with live updates. One client per page: nothing outlives the session's document. */
export function AdminQueries({ children }: { children: ReactNode }) {
  const [client] = useState(createQueryClient)
  return (
    <QueryClientProvider client={client}>
      <LiveQueries />
      {children}
    </QueryClientProvider>
  )
}

const topics = [...publicTopics, ...adminTopics]

function LiveQueries() {
  const client = useQueryClient()
  const cache = client.getQueryCache()
  const changed = useRef(new Set<string>())
  const refresh = useThrottled(async () => {
    const stale = changed.current
    changed.current = new Set()
    await client.invalidateQueries({
      predicate: ({ queryKey: [topic], meta }) =>
        [topic, ...(meta?.topics ?? [])].some((one) => stale.has(one)),
    })
  })

  function invalidate(topic: string | null) {
    for (const one of topic === null ? topics : [topic]) changed.current.add(one)
    refresh()
  }

  useLiveTopics(topics, invalidate)
  useEffect(() => onSessionResumed(() => void client.invalidateQueries()), [client])
  useStaleNotice(
    useSyncExternalStore(
      (listener) => cache.subscribe(listener),
      () => cache.findAll({ type: 'active' }).some(isBehind),
      () => false,
    ),
  )
  return null
}
