import { mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createStaticFiles } from '#server/http/static-files.ts'
import { listen } from '#server/listen.ts'
import { makeTemporaryFolder } from '#tests/setup/temporary-folder.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

/** @returns the status of the first response; undefined when the connection was closed without one */
async function send(text: string, url = server.url): Promise<number | undefined> {
  return (await statusesOf(text, url))[0]
}

function statusesOf(text: string, url = server.url): Promise<number[]> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    let answer = ''
    const socket = connect(Number(port), hostname, () => socket.end(text, 'latin1'))
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1')
    })
    socket.on('error', () => undefined)
    socket.on('close', () =>
      resolve([...answer.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status))),
    )
  })
}

const host = 'Host: localhost\r\n'
const post = `POST /api/registrations HTTP/1.1\r\n${host}Content-Type: application/json\r\n`
const requests = [
  '',
  '\r\n\r\n',
  'GET',
  'GET /\r\n\r\n',
  'GET / HTTP/9.9\r\n\r\n',
  'GET / HTTP/1.1\r\n\r\n',
  `GET / HTTP/1.1\r\n${host}${host}\r\n`,
  `G\u0000T / HTTP/1.1\r\n${host}\r\n`,
  `get / HTTP/1.1\r\n${host}\r\n`,
  `TRACE / HTTP/1.1\r\n${host}\r\n`,
  `CONNECT evil.example:443 HTTP/1.1\r\n${host}\r\n`,
  `GET  / HTTP/1.1\r\n${host}\r\n`,
  `GET /\u0000 HTTP/1.1\r\n${host}\r\n`,
  `GET /%00 HTTP/1.1\r\n${host}\r\n`,
  `GET /%ff%fe HTTP/1.1\r\n${host}\r\n`,
  `GET /% HTTP/1.1\r\n${host}\r\n`,
  `GET /..%2f..%2fetc/passwd HTTP/1.1\r\n${host}\r\n`,
  `GET /../../etc/passwd HTTP/1.1\r\n${host}\r\n`,
  `GET /.git/config HTTP/1.1\r\n${host}\r\n`,
  `GET //evil.example/ HTTP/1.1\r\n${host}\r\n`,
  `GET \\\\evil.example HTTP/1.1\r\n${host}\r\n`,
  `GET ? HTTP/1.1\r\n${host}\r\n`,
  `GET * HTTP/1.1\r\n${host}\r\n`,
  `GET /${'a'.repeat(20_000)} HTTP/1.1\r\n${host}\r\n`,
  `GET / HTTP/1.1\r\n${host}X: ${'a'.repeat(20_000)}\r\n\r\n`,
  `GET / HTTP/1.1\r\n${host}${Array.from({ length: 3_000 }, (_, index) => `X${index}: 1\r\n`).join('')}\r\n`,
  `GET / HTTP/1.1\r\n${host}X : 1\r\n\r\n`,
  `GET / HTTP/1.1\r\n${host} folded\r\n\r\n`,
  `GET / HTTP/1.1\r\n${host}X: a\u0000b\r\n\r\n`,
  `GET / HTTP/1.1\r\n${host}X: a\rb\r\n\r\n`,
  `GET / HTTP/1.1\r\nHost: a b\r\n\r\n`,
  `GET / HTTP/1.1\r\nHost: [::1\r\n\r\n`,
  `GET / HTTP/1.1\r\n${host}Cookie: nstp-session=%ff;;=;\r\n\r\n`,
  `GET / HTTP/1.1\r\n${host}Range: bytes=9-1,-,x\r\n\r\n`,
  `GET / HTTP/1.1\r\n${host}If-None-Match: """\r\n\r\n`,
  `${post}\r\n`,
  `${post}Content-Length: x\r\n\r\n{}`,
  `${post}Content-Length: -1\r\n\r\n{}`,
  `${post}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
  `${post}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  `${post}Transfer-Encoding: chunked, identity\r\n\r\n{}`,
  `${post}Transfer-Encoding: xchunked\r\n\r\n{}`,
  `${post}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
  `${post}Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n{}`,
  `${post}Content-Length: 10\r\n\r\n{}`,
  `${post}Content-Length: 4\r\nContent-Encoding: gzip\r\n\r\n{}{}`,
  `${post}Content-Length: 3\r\n\r\n\u00ff\u00fe{`,
  `POST /api/registrations HTTP/1.1\r\n${host}Content-Length: 2\r\nContent-Type: \r\n\r\n{}`,
  `POST /register HTTP/1.1\r\n${host}Content-Length: 4\r\nContent-Type: multipart/form-data\r\n\r\n--x-`,
  `POST /register HTTP/1.1\r\n${host}Content-Length: 4\r\nContent-Type: multipart/form-data; boundary=x\r\n\r\n--x-`,
  `POST /register HTTP/1.1\r\n${host}Content-Length: 3\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\n%ff`,
]

const next = `GET /api/health HTTP/1.1\r\n${host}\r\n`
const chunked = `${post}Transfer-Encoding: chunked\r\n`
// Where a proxy may see another end of the request than the product: what follows would be somebody else's.
const ambiguous = [
  `${post}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
  `${post}Content-Length: 2, 2\r\n\r\n{}`,
  `${post}Content-Length: x\r\n\r\n{}`,
  `${post}Content-Length: -1\r\n\r\n{}`,
  `${post}Content-Length: +2\r\n\r\n{}`,
  `${post}Content-Length : 2\r\n\r\n{}`,
  `${chunked}Content-Length: 2\r\n\r\n0\r\n\r\n`,
  `${post}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  `${post}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
  `${post}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,
  `${chunked}\r\nzz\r\n{}\r\n0\r\n\r\n`,
  `${chunked}\r\n2 \r\n{}\r\n0\r\n\r\n`,
  `${chunked}\r\n2\n{}\n0\n\n`,
  `GET / HTTP/1.1\r\n${host}X : 1\r\n\r\n`,
  `GET / HTTP/1.1\r\n${host} folded\r\n\r\n`,
  `GET / HTTP/1.1\r\n${host}X: a\rb\r\n\r\n`,
  `GET / HTTP/1.1\r\n${host}X: a\u0000b\r\n\r\n`,
  `GET / HTTP/1.1\r\n${host}X: a\u0001b\r\n\r\n`,
  `GET / HTTP/1.1\n${host}\n`,
]

test('a malformed request is refused and leaves the product answering', async () => {
  for (const request of ambiguous) {
    // One answer, and none to the request behind it.
    expect([request.slice(0, 160), await statusesOf(request + next)]).toEqual([request.slice(0, 160), [400]])
  }
  const faults: [string, number | undefined][] = []
  for (const request of requests) {
    const status = await send(request)
    if (status !== undefined && status >= 500) faults.push([request.slice(0, 120), status])
    expect((await fetch(`${server.url}/api/health`)).status).toBe(200)
  }
  expect(faults).toEqual([])
})

test('TRACE is refused', async () => {
  for (const path of ['/', '/api/health', '/api/students', '/assets/x.js']) {
    const status = await send(
      `TRACE ${path} HTTP/1.1\r\n${host}Cookie: nstp-session=x\r\nConnection: close\r\n\r\n`,
    )
    expect([path, status]).toEqual([path, expect.toBeOneOf([400, 401, 403, 404, 405])])
  }
})

test('no file of the source or of the operator is served', async () => {
  for (const path of [
    '.git/config',
    '.env',
    'package.json',
    'src/server/main.ts',
    'data/secret.key',
    'build/server/index.js',
  ]) {
    for (const target of [`/${path}`, `/assets/../../${path}`, `/assets/..%2f..%2f${path}`]) {
      const status = await send(`GET ${target} HTTP/1.1\r\n${host}Connection: close\r\n\r\n`)
      expect([target, status]).toEqual([target, 404])
    }
  }
  // With the files of a build, which the server above hasn't.
  const folder = makeTemporaryFolder()
  onTestFinished(folder.remove)
  const files = ['client/assets/own.js', 'client/robots.txt', 'server/index.js', 'secret.key']
  for (const file of files) {
    mkdirSync(dirname(join(folder.path, file)), { recursive: true })
    writeFileSync(join(folder.path, file), 'text')
  }
  const { fetch: serve } = createStaticFiles(join(folder.path, 'client'))
  const { url, stop } = await listen({ fetch: serve, host: '127.0.0.1', port: 0 })
  onTestFinished(stop)
  const ask = (target: string) => send(`GET ${target} HTTP/1.1\r\n${host}Connection: close\r\n\r\n`, url)
  expect([await ask('/assets/own.js'), await ask('/robots.txt')]).toEqual([200, 200])
  for (const path of ['server/index.js', 'secret.key', 'client/robots.txt']) {
    for (const start of [
      '',
      'assets/../',
      'assets/../../',
      'assets/..%2f..%2f',
      'assets/%2e%2e/%2e%2e/',
      '..%5c',
    ]) {
      expect([start + path, await ask(`/${start}${path}`)]).toEqual([start + path, 404])
    }
  }
})
