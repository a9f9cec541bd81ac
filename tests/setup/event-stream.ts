/** The events of one address, read as they come. */
export async function openEvents(url: string, cookie?: string, query = '') {
  const abort = new AbortController()
  const answer = await fetch(`${url}/api/events${query}`, {
    headers: cookie ? { Cookie: cookie } : {},
    signal: abort.signal,
  })
  if (!answer.body) throw new Error('the event stream has no body')
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader()
  let received = ''
  const readToEnd = (async () => {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      received += value
    }
  })().catch(() => undefined) // ends when the test aborts the stream
  return {
    received: () => received,
    ended: readToEnd,
    async waitFor(text: string, ms = 3000) {
      for (const end = Date.now() + ms; Date.now() < end; ) {
        if (received.includes(text)) return
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
      throw new Error(`no "${text}" within ${ms} ms; received: ${received}`)
    },
    async close() {
      abort.abort()
      await readToEnd
    },
  }
}
