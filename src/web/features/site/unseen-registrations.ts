import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { tabOf } from '#web/lib/admin-tab.ts'
import { api, callApi } from '#web/lib/api.ts'
import { ApiProblem } from '#web/lib/api-problem.ts'
import { createCalmRunner } from '#web/lib/calm-runner.ts'
import { useLiveTopics } from '#web/lib/live.ts'
import { adminPath } from '#web/lib/next-path.ts'

const restMs = 500

// BroadcastChannel to the browser's other tabs.
const seenChannel = 'nstp-students-seen'

/** While the list is open and visible, new registrations count as seen. */
export function useUnseenRegistrations(): number {
  const { pathname, search } = useLocation()
  const isListOpen = pathname === adminPath && tabOf(search) === 'students'
  const [count, setCount] = useState(0)
  const channel = useRef<BroadcastChannel>(null)
  const isSeenHere = () => isListOpen && !document.hidden

  const read = useEffectEvent(async () => {
    try {
      if (isSeenHere()) {
        await api.students.seen.$put()
        setCount(0)
        channel.current?.postMessage(null)
      } else {
        const unseen = await callApi(api.students.unseen.$get())
        setCount(unseen.count)
      }
    } catch (error) {
      // Not known now: the bell keeps what it showed, and the next notice asks again.
      if (!(error instanceof ApiProblem)) throw error
    }
  })
  const runner = useRef<ReturnType<typeof createCalmRunner>>(null)
  const refresh = useEffectEvent(() => runner.current?.request())

  useEffect(() => {
    const own = createCalmRunner(() => read(), restMs)
    runner.current = own
    return () => own.stop()
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: opening and leaving the list both ask again
  useEffect(() => refresh(), [isListOpen])

  useEffect(() => {
    const onVisibility = () => {
      if (!document.hidden) refresh()
    }
    document.addEventListener('visibilitychange', onVisibility)
    return () => document.removeEventListener('visibilitychange', onVisibility)
  }, [])

  const hearOfSeen = useEffectEvent(() => {
    // Two lists side by side would answer each other for ever.
    if (!isSeenHere()) refresh()
  })
  useEffect(() => {
    const own = new BroadcastChannel(seenChannel)
    own.addEventListener('message', () => hearOfSeen())
    channel.current = own
    return () => own.close()
  }, [])

  useLiveTopics(['students'], () => refresh())
  return count
}
