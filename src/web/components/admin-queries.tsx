import { QueryClientProvider, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { adminTopics, publicTopics } from '#shared/topics.ts'
import { type AdministratorFrame, useSessionWatch } from '#web/lib/administrator.ts'
import { useLiveTopics } from '#web/lib/live.ts'
import { createQueryClient, isBehind } from '#web/lib/query.ts'
import { onSessionResumed } from '#web/lib/session-end.ts'
import { SettingsProvider } from '#web/lib/settings.tsx'
import { ProgramTimeZone } from '#web/lib/site.ts'
import { useThrottled } from '#web/lib/timers.ts'
import { ProofDialog } from './proof-dialog.tsx'
import { useStaleNotice } from './stale-data-notice.ts'

interface AdminDataProps extends Pick<AdministratorFrame, 'timeZone' | 'settings'> {
  children: ReactNode
}

/** What admin screens read, with live updates. One client per page: nothing outlives the session's document. */
export function AdminData({ timeZone, settings, children }: AdminDataProps) {
  const [client] = useState(createQueryClient)
  useSessionWatch()
  return (
    <ProgramTimeZone value={timeZone}>
      <SettingsProvider initial={settings}>
        <QueryClientProvider client={client}>
          <LiveQueries />
          {children}
          <ProofDialog />
        </QueryClientProvider>
      </SettingsProvider>
    </ProgramTimeZone>
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
