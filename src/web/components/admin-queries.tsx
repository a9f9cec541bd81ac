import { QueryClientProvider, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { publicTopics, staffTopics, type Topic } from '#shared/topics.ts'
import { AccountProvider, accountOf } from '#web/lib/account.ts'
import { type AdministratorFrame, useSessionWatch } from '#web/lib/administrator.ts'
import { connectionProblem } from '#web/lib/api-problem.ts'
import { startLive, useLiveTopics } from '#web/lib/live.ts'
import { IsPhone } from '#web/lib/media-query.ts'
import { onProofNeeded } from '#web/lib/proof.ts'
import { concerns, createQueryClient, type FirstReads, isBehind } from '#web/lib/query.ts'
import { onSessionResumed } from '#web/lib/session-end.ts'
import { SettingsProvider } from '#web/lib/settings.tsx'
import { ProgramTimeZone } from '#web/lib/site.ts'
import { useThrottled } from '#web/lib/timers.ts'
import type { ProofDialog } from './proof-dialog.tsx'
import { useStaleNotice } from './stale-data-notice.ts'

interface AdminDataProps
  extends Pick<AdministratorFrame, 'user' | 'now' | 'timeZone' | 'settings' | 'isPhone'> {
  reads?: FirstReads
  children: ReactNode
}

/** What admin screens read, with live updates. One client per page: nothing outlives the session's document. */
export function AdminData({ user, now, timeZone, settings, isPhone, reads, children }: AdminDataProps) {
  const [client] = useState(() => createQueryClient(reads))
  const account = useMemo(() => accountOf(user), [user])
  useSessionWatch(user)
  return (
    <AccountProvider value={account}>
      <IsPhone value={isPhone}>
        <ProgramTimeZone value={timeZone}>
          <SettingsProvider initial={settings}>
            <QueryClientProvider client={client}>
              <LiveQueries since={now} />
              {children}
              <Proof />
            </QueryClientProvider>
          </SettingsProvider>
        </ProgramTimeZone>
      </IsPhone>
    </AccountProvider>
  )
}

const topics = [...publicTopics, ...staffTopics]

function LiveQueries({ since }: { since: string }) {
  const client = useQueryClient()
  const cache = client.getQueryCache()
  const changed = useRef(new Set<Topic>())
  const refresh = useThrottled(async () => {
    const stale = [...changed.current]
    changed.current.clear()
    await client.invalidateQueries({ predicate: (query) => concerns(stale, query) })
  })

  function invalidate(topic: string | null) {
    for (const one of topics) if (topic === null || topic === one) changed.current.add(one)
    refresh()
  }

  // The first child's effects come first: no listener has opened the stream.
  useEffect(() => startLive(since), [since])
  useLiveTopics(topics, invalidate)
  useEffect(() => onSessionResumed(() => void client.invalidateQueries()), [client])
  useStaleNotice(
    useSyncExternalStore(
      (listener) => cache.subscribe(listener),
      () => cache.findAll({ type: 'active' }).some((one) => isBehind(one) && !one.meta?.saysBehind),
      () => false,
    ),
  )
  return null
}

interface ProofQuestion {
  Dialog: typeof ProofDialog
  answer: (isProven: boolean) => void
  isOpen: boolean
}

/** The dialog and the library of forms are loaded when the password is asked for. */
function Proof() {
  const [question, setQuestion] = useState<ProofQuestion | null>(null)
  useEffect(
    () =>
      onProofNeeded(async () => {
        const { ProofDialog: Dialog } = await import('./proof-dialog.tsx').catch((cause) => {
          throw connectionProblem(cause)
        })
        return await new Promise((answer) => setQuestion({ Dialog, answer, isOpen: true }))
      }),
    [],
  )
  if (question === null) return null
  const { Dialog, answer, isOpen } = question
  function close(isProven: boolean) {
    answer(isProven)
    setQuestion({ Dialog, answer, isOpen: false })
  }
  return <Dialog open={isOpen} onClose={close} />
}
