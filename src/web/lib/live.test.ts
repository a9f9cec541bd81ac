import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createLiveConnection } from './live.ts'

class Stream extends EventTarget {
  static readonly OPEN = 1
  static readonly CLOSED = 2
  readyState = 0
  url = ''
  close() {
    this.readyState = 2
  }
  connected() {
    this.readyState = 1
    this.dispatchEvent(new Event('open'))
  }
  change(topic: string) {
    this.dispatchEvent(new MessageEvent('change', { data: topic }))
  }
  interrupted() {
    this.readyState = 0
    this.dispatchEvent(new Event('error'))
  }
  refused() {
    this.readyState = 2
    this.dispatchEvent(new Event('error'))
  }
}

class Page extends EventTarget {
  readonly document = Object.assign(new EventTarget(), { hidden: false })
  send(type: string) {
    this.dispatchEvent(new Event(type))
  }
  hide(hidden: boolean) {
    this.document.hidden = hidden
    this.document.dispatchEvent(new Event('visibilitychange'))
  }
}

function setUp() {
  const streams: Stream[] = []
  const page = new Page()
  vi.stubGlobal('window', page)
  vi.stubGlobal('document', page.document)
  vi.stubGlobal(
    'EventSource',
    class extends Stream {
      constructor(url: string) {
        super()
        this.url = url
        streams.push(this)
      }
    },
  )
  const connection = createLiveConnection()
  const latest = () => {
    const stream = streams.at(-1)
    if (!stream) throw new Error('no stream was opened')
    return stream
  }
  return { connection, page, streams, latest }
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('the live connection of a tab', () => {
  test('is one for all listeners, from the first to the last of them', () => {
    const { connection, streams, latest } = setUp()
    const stopFirst = connection.subscribe(() => undefined)
    const stopSecond = connection.subscribe(() => undefined)
    expect(streams).toHaveLength(1)
    stopFirst()
    expect(latest().readyState).not.toBe(2)
    stopSecond()
    expect(latest().readyState).toBe(2)
  })

  test('reports the changed topic, and nothing when it first opens', () => {
    const { connection, latest } = setUp()
    const heard: (string | null)[] = []
    connection.subscribe((topic) => heard.push(topic))
    latest().connected()
    latest().change('students')
    expect(heard).toEqual(['students'])
  })

  test('asks for what changed since the page was read, once', () => {
    const { connection, streams, latest } = setUp()
    connection.start('2026-11-24T00:00:00.000Z')
    connection.subscribe(() => undefined)
    expect(latest().url).toBe('/api/events?since=2026-11-24T00%3A00%3A00.000Z')
    latest().connected()
    latest().refused()
    vi.advanceTimersByTime(3_000)
    expect(streams.map(({ url }) => url).at(1)).toBe('/api/events')
  })

  test('knows the next notice of a topic as that of an own change', async () => {
    const { connection, latest } = setUp()
    const heard: unknown[] = []
    connection.subscribe((...notice) => heard.push(notice))
    latest().connected()
    await connection.sendOwn('papers', async () => latest().change('papers'))
    latest().change('papers')
    await expect(connection.sendOwn('papers', () => Promise.reject(new Error('refused')))).rejects.toThrow()
    latest().change('papers')
    await connection.sendOwn('papers', async () => undefined)
    latest().interrupted()
    latest().connected()
    latest().change('papers')
    expect(heard).toEqual([
      ['papers', true],
      ['papers', false],
      ['papers', false],
      [null, false],
      ['papers', false],
    ])
  })

  test('reports a gap once after reconnecting', () => {
    const { connection, latest } = setUp()
    const heard: (string | null)[] = []
    connection.subscribe((topic) => heard.push(topic))
    latest().connected()
    latest().interrupted()
    latest().interrupted()
    expect(heard).toEqual([])
    latest().connected()
    expect(heard).toEqual([null])
  })

  test('is reopened after a refusal, with growing delays', () => {
    const { connection, streams, latest } = setUp()
    connection.subscribe(() => undefined)
    latest().refused()
    vi.advanceTimersByTime(3_000)
    expect(streams).toHaveLength(2)
    latest().refused()
    vi.advanceTimersByTime(1_900)
    expect(streams).toHaveLength(2)
    vi.advanceTimersByTime(4_200)
    expect(streams).toHaveLength(3)
  })

  test('is opened at once when the device comes online', () => {
    const { connection, page, streams, latest } = setUp()
    connection.subscribe(() => undefined)
    latest().refused()
    page.send('online')
    expect(streams).toHaveLength(2)
  })

  test('that survived a time offline reports a gap when the device is online again', () => {
    const { connection, page, streams, latest } = setUp()
    const heard: (string | null)[] = []
    connection.subscribe((topic) => heard.push(topic))
    latest().connected()
    page.send('online')
    expect(heard).toEqual([null])
    expect(streams).toHaveLength(1)
  })

  test('is reopened for another user, and reports the gap', () => {
    const { connection, streams, latest } = setUp()
    const heard: (string | null)[] = []
    connection.reconnect()
    expect(streams).toHaveLength(0)
    connection.subscribe((topic) => heard.push(topic))
    latest().connected()
    connection.reconnect()
    expect(streams.map(({ readyState }) => readyState)).toEqual([2, 0])
    latest().connected()
    expect(heard).toEqual([null])
  })

  test('is closed in the back-forward cache, and reports the gap afterwards', () => {
    const { connection, page, latest } = setUp()
    const heard: (string | null)[] = []
    connection.subscribe((topic) => heard.push(topic))
    latest().connected()
    page.send('pagehide')
    expect(latest().readyState).toBe(2)
    page.send('pageshow')
    latest().connected()
    expect(heard).toEqual([null])
  })

  test('is closed when the tab is hidden for long', () => {
    const { connection, page, streams, latest } = setUp()
    connection.subscribe(() => undefined)
    latest().connected()
    page.hide(true)
    vi.advanceTimersByTime(10_000)
    page.hide(false)
    vi.advanceTimersByTime(60_000)
    expect(streams).toHaveLength(1)
    page.hide(true)
    vi.advanceTimersByTime(31_000)
    expect(latest().readyState).toBe(2)
    page.hide(false)
    expect(streams).toHaveLength(2)
  })
})
