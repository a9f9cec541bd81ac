import { Readable } from 'node:stream'
import { Hono } from 'hono'
import { expect, test, vi } from 'vitest'
import { createLog } from '#server/lib/log.ts'
import { listen } from '#server/listen.ts'
import type { AppEnv } from './context.ts'
import { attachment, streamed } from './download.ts'

test('a failure in a streamed answer cuts it off, and its message is neither sent nor printed', async () => {
  const printed = vi.spyOn(console, 'error')
  const log = createLog('silent')
  let isRead: () => void = () => undefined
  const reading = new Promise<void>((resolve) => {
    isRead = resolve
  })
  async function* rows() {
    yield Buffer.from('first row\n')
    // The reader is up to date when it fails.
    await reading
    throw new Error('duplicate key (email)=(ana@student.example)')
  }
  const app = new Hono<AppEnv>()
    .use(async (c, next) => {
      c.set('log', log)
      await next()
    })
    .get('/', (c) => c.body(streamed(c, Readable.from(rows(), { objectMode: false }))))
  const { url, stop } = await listen({ fetch: app.fetch, host: '127.0.0.1', port: 0 })

  const reader = (await fetch(url)).body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const read = async () => {
    for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
      text += part.value
      isRead()
    }
  }
  await expect(read()).rejects.toThrow()
  expect(text).toBe('first row\n')
  expect(printed).not.toHaveBeenCalled()
  await stop()
})

test('a plain name', () => {
  expect(attachment('NSTP students 2026-11-20.xlsx')).toBe(
    `attachment; filename="NSTP students 2026-11-20.xlsx"; filename*=UTF-8''NSTP%20students%202026-11-20.xlsx`,
  )
})

test('a name with quotes, line breaks and other scripts is escaped in the header', () => {
  expect(attachment('a"b\\c\r\nSet-Cookie: x (ñ)\'*.pdf')).toBe(
    `attachment; filename="a_b_c__Set-Cookie: x (_)'*.pdf"; ` +
      `filename*=UTF-8''a%22b%5Cc%0D%0ASet-Cookie%3A%20x%20%28%C3%B1%29%27%2A.pdf`,
  )
})
