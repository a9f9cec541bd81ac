import { useEffect, useEffectEvent } from 'react'
import type { Topic } from '#shared/topics.ts'
import { createLiveConnection } from './live-connection.ts'

const connection = createLiveConnection({
  open: () => new EventSource('/api/events'),
  page: () => window,
})

/** Opens the tab's connection anew, by the cookie as it is now; what happened meanwhile is read again. */
export const renewLiveConnection = connection.renew

/**
 * Calls back when one of the topics changed, and once after a lost connection came back: what happened in
 * between is unknown. One connection serves the whole tab.
 */
export function useLiveTopics(topics: readonly Topic[], onChange: () => void): void {
  const notify = useEffectEvent(onChange)
  const names = topics.join(' ')
  useEffect(() => {
    const wanted = new Set(names.split(' '))
    return connection.subscribe((topic) => {
      if (topic === null || wanted.has(topic)) notify()
    })
  }, [names])
}
