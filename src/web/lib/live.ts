import { useEffect, useEffectEvent } from 'react'
import type { Topic } from '#shared/topics.ts'

/** The part of EventSource that is used, so that tests can stand in for a server. */
interface EventStream extends EventTarget {
  readonly readyState: number
  close(): void
}

/** The part of the window that is listened to. */
interface PageEvents extends EventTarget {
  readonly document: EventTarget & { readonly hidden: boolean }
}

interface LiveConnectionOptions {
  open: () => EventStream
  /** The window; asked for late because modules load on the server too. */
  page: () => PageEvents
}

/** Hears the topic that changed, or null when anything may have changed during a gap. */
type LiveListener = (topic: string | null) => void

const connected = 1 // EventSource.OPEN
const closed = 2 // EventSource.CLOSED
const firstRetryMs = 2_000
const greatestRetryMs = 30_000
/**
 * A tab out of sight gives its connection back after a while: browsers allow six per site over HTTP/1.1, and
 * a seventh tab would hang.
 */
const hiddenMs = 30_000

/** One stream of change notices for a tab: opened with the first listener, closed with the last. */
export function createLiveConnection({ open, page }: LiveConnectionOptions) {
  const listeners = new Set<LiveListener>()
  let stream: EventStream | undefined
  let retryTimer: ReturnType<typeof setTimeout> | undefined
  let hiddenTimer: ReturnType<typeof setTimeout> | undefined
  let retryMs = firstRetryMs
  /** Something may have been missed since the listeners last read. */
  let gap = false

  function tell(topic: string | null) {
    for (const listener of [...listeners]) listener(topic)
  }

  function connect() {
    clearTimeout(retryTimer)
    if (stream || listeners.size === 0) return
    const opened = open()
    stream = opened
    opened.addEventListener('open', () => {
      retryMs = firstRetryMs
      if (gap) tell(null)
      gap = false
    })
    opened.addEventListener('change', (event) => {
      if (event instanceof MessageEvent && typeof event.data === 'string') tell(event.data)
    })
    opened.addEventListener('error', () => {
      gap = true
      // The browser reconnects by itself after a network fault, but gives up on a refusal such as 503.
      if (opened.readyState === closed) retryLater()
    })
  }

  function retryLater() {
    disconnect()
    // Spread out, so that all tabs of a school don't return in the same second after a restart.
    retryTimer = setTimeout(connect, retryMs * (0.5 + Math.random()))
    retryMs = Math.min(retryMs * 2, greatestRetryMs)
  }

  function disconnect() {
    clearTimeout(retryTimer)
    if (!stream) return
    stream.close()
    stream = undefined
    gap = true
  }

  function onVisibility() {
    clearTimeout(hiddenTimer)
    if (page().document.hidden) hiddenTimer = setTimeout(disconnect, hiddenMs)
    else connect()
  }

  /** A stream may outlive the time without a network; what was asked for meanwhile failed all the same. */
  function onOnline() {
    if (stream?.readyState === connected) tell(null)
    else connect()
  }

  function start() {
    gap = false
    // A page kept in the back-forward cache must not hold a connection.
    page().addEventListener('pagehide', disconnect)
    page().addEventListener('pageshow', connect)
    page().addEventListener('online', onOnline)
    page().document.addEventListener('visibilitychange', onVisibility)
    connect()
  }

  function stop() {
    clearTimeout(hiddenTimer)
    page().removeEventListener('pagehide', disconnect)
    page().removeEventListener('pageshow', connect)
    page().removeEventListener('online', onOnline)
    page().document.removeEventListener('visibilitychange', onVisibility)
    disconnect()
  }

  return {
    /** Opens the stream anew, when there is anybody to listen; the listeners hear that anything may have changed. */
    renew() {
      disconnect()
      // Out of sight it is opened when the tab is looked at.
      if (!page().document.hidden) connect()
    },
    /** @returns how to stop listening */
    subscribe(listener: LiveListener): () => void {
      listeners.add(listener)
      if (listeners.size === 1) start()
      return () => {
        if (listeners.delete(listener) && listeners.size === 0) stop()
      }
    },
  }
}

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
