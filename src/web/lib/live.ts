import { useEffect, useEffectEvent } from 'react'
import { useRevalidator } from 'react-router'
import type { Topic } from '#shared/topics.ts'
import { withQuery } from './next-path.ts'
import { abortable, runAfter, useThrottled } from './timers.ts'

/** @param topic null after a gap: anything may have changed @param isOwn the notice of a change that `sendOwn` sent */
type LiveListener = (topic: string | null, isOwn: boolean) => void

const firstRetryMs = 2_000
const greatestRetryMs = 30_000
// A tab that is hidden for this time (ms) closes its stream. Browsers allow six connections per site over HTTP/1.1:
// a seventh tab would hang.
const hiddenMs = 30_000

/** One stream per tab, opened with the first listener and closed with the last. */
export function createLiveConnection() {
  let since: string | undefined
  const listeners = new Set<LiveListener>()
  // Topics whose next notice is that of an own change.
  const expected = new Set<string>()
  let stream: EventSource | undefined
  let stopRetry: (() => void) | undefined
  let stopHidden: (() => void) | undefined
  let stopListening: (() => void) | undefined
  let retryMs = firstRetryMs
  // Events may have been missed since the last reading.
  let gap = false

  function notify(topic: string | null) {
    const isOwn = topic !== null && expected.delete(topic)
    // After a gap the notice of an own change may never come.
    if (topic === null) expected.clear()
    for (const listener of [...listeners]) listener(topic, isOwn)
  }

  function connect() {
    stopRetry?.()
    if (stream || listeners.size === 0) return
    const opened = new EventSource(since === undefined ? '/api/events' : withQuery('/api/events', { since }))
    since = undefined
    stream = opened
    opened.addEventListener('open', () => {
      retryMs = firstRetryMs
      if (gap) notify(null)
      gap = false
    })
    opened.addEventListener('change', (event) => {
      if (event instanceof MessageEvent && typeof event.data === 'string') notify(event.data)
    })
    opened.addEventListener('error', () => {
      gap = true
      // The browser reconnects automatically after a network fault, but gives up on a refusal such as 503.
      if (opened.readyState === EventSource.CLOSED) retryLater()
    })
  }

  function retryLater() {
    disconnect()
    // Spread out, so that all tabs of a school don't return in the same second after a restart.
    stopRetry = runAfter(retryMs * (0.5 + Math.random()), connect)
    retryMs = Math.min(retryMs * 2, greatestRetryMs)
  }

  function disconnect() {
    stopRetry?.()
    if (!stream) return
    stream.close()
    stream = undefined
    gap = true
  }

  function onVisibility() {
    stopHidden?.()
    if (document.hidden) stopHidden = runAfter(hiddenMs, disconnect)
    else connect()
  }

  // A stream may survive a time offline, but requests made during it failed.
  function onOnline() {
    if (stream?.readyState === EventSource.OPEN) notify(null)
    else connect()
  }

  function start() {
    gap = false
    // A page kept in the back-forward cache must not hold a connection.
    stopListening = abortable(({ signal }) => {
      window.addEventListener('pagehide', disconnect, { signal })
      window.addEventListener('pageshow', connect, { signal })
      window.addEventListener('online', onOnline, { signal })
      document.addEventListener('visibilitychange', onVisibility, { signal })
    })
    connect()
  }

  function stop() {
    stopHidden?.()
    stopListening?.()
    disconnect()
  }

  return {
    start(time: string) {
      since = time
    },
    reconnect() {
      disconnect()
      // Out of sight it is opened when the tab is looked at.
      if (!document.hidden) connect()
    },
    /** Sends a change whose notice, which may come before the answer, is no news to the page. */
    async sendOwn<Answer>(topic: Topic, send: () => Promise<Answer>): Promise<Answer> {
      expected.add(topic)
      try {
        return await send()
      } catch (error) {
        expected.delete(topic)
        throw error
      }
    },
    /** Nothing was changed after all. */
    expectNone(topic: Topic) {
      expected.delete(topic)
    },
    subscribe(listener: LiveListener): () => void {
      listeners.add(listener)
      if (listeners.size === 1) start()
      return () => {
        if (listeners.delete(listener) && listeners.size === 0) stop()
      }
    },
  }
}

const connection = createLiveConnection()

export const { sendOwn, expectNone } = connection

/** Starts before the first listener, which then also hears of changes since the server read the page's data. */
export const startLive = connection.start

/** Reconnects with the current cookie; listeners read again. */
export const reconnectLive = connection.reconnect

/** Calls `onChange` for changes of these topics, and after a reconnect: changes during the gap are unknown. */
export function useLiveTopics(topics: readonly Topic[], onChange: LiveListener): void {
  const notify = useEffectEvent(onChange)
  const names = topics.join(' ')
  useEffect(() => {
    const wanted = new Set(names.split(' '))
    return connection.subscribe((topic, isOwn) => {
      if (topic === null || wanted.has(topic)) notify(topic, isOwn)
    })
  }, [names])
}

export function useLiveRevalidation(topics: readonly Topic[]): void {
  useLiveTopics(topics, useThrottled(useRevalidator().revalidate))
}
