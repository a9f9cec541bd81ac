import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { chooseAnswer } from './choose-answer.ts'
import { type KeptAnswer, mayBeKept, prepareAnswer } from './kept-answer.ts'

const text = 'the same for everybody '.repeat(200)

let kept: KeptAnswer

beforeAll(async () => {
  const response = new Response(text, { headers: { 'Content-Type': 'text/plain', 'X-Request-Id': 'theirs' } })
  kept = await prepareAnswer({ response, route: '/', nonce: undefined })
})

function choose(acceptEncoding?: string, ifNoneMatch?: string) {
  const { status, headers, body } = chooseAnswer(kept, { acceptEncoding, ifNoneMatch })
  const named = new Headers()
  for (let at = 0; at < headers.length; at += 2) named.append(headers[at] ?? '', headers[at + 1] ?? '')
  return { status, body, headers: Object.fromEntries(named) }
}

describe('the encoding', () => {
  test.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['gzip;q=0', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('for %s is %s', (accepted, encoding) => {
    const { headers, body } = choose(accepted)
    expect(headers['content-encoding']).toBe(encoding)
    expect(headers['content-length']).toBe(String(body?.length))
  })

  test('changes nothing of the content', () => {
    expect(choose().body?.toString()).toBe(text)
    expect(gunzipSync(choose('gzip').body ?? '').toString()).toBe(text)
    expect(brotliDecompressSync(choose('br').body ?? '').toString()).toBe(text)
  })
})

test('who has it already gets no body', () => {
  for (const known of [kept.etag, `"other", ${kept.etag}`, kept.etag.replace('W/', ''), '*']) {
    const { status, body, headers } = choose('br', known)
    expect({ status, body }).toEqual({ status: 304, body: null })
    expect(headers).toMatchObject({ etag: kept.etag, 'cache-control': 'no-cache' })
    expect(headers).not.toHaveProperty('content-length')
  }
  expect(choose('br', '"other"').status).toBe(200)
})

test('an answer says what it depends on, and nothing of the request that it was made for', () => {
  const { headers } = choose('br')
  expect(headers.vary).toBe('Accept-Encoding, Cookie')
  expect(headers).not.toHaveProperty('x-request-id')
})

test.each([
  [{ status: 404 }, false],
  [{ headers: { 'Set-Cookie': 'a=b' } }, false],
  [{ headers: { 'Cache-Control': 'private, no-store' } }, false],
  [{ headers: { 'Cache-Control': 'private, no-cache' } }, true],
])('%o is kept: %s', (init, may) => {
  expect(mayBeKept(new Response('x', init))).toBe(may)
})
