import { EventEmitter, once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { listen } from './listen.ts'

const listenFor = (fetch: (request: Request) => Response | Promise<Response>) =>
  listen({ fetch, host: '127.0.0.1', port: 0 })

async function connectTo(url: string) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

test('stopping does not wait for an idle connection without a request', async () => {
  const { url, stop } = await listenFor(() => new Response('ok'))
  const socket = await connectTo(url)
  const ended = once(socket, 'close')
  const begun = performance.now()
  await stop()
  await ended
  expect(performance.now() - begun).toBeLessThan(5_000)
})

test('stopping waits for running requests, and accepts no new connection', async () => {
  const steps = new EventEmitter()
  const { url, stop } = await listenFor(async () => {
    steps.emit('asked')
    await once(steps, 'answer')
    return new Response('done')
  })
  const requested = once(steps, 'asked')
  const response = fetch(url)
  await requested
  let isStopped = false
  const stopped = stop().then(() => {
    isStopped = true
  })
  await expect(connectTo(url)).rejects.toThrow('ECONNREFUSED')
  await wait(100)
  expect(isStopped).toBe(false)
  steps.emit('answer')
  expect(await (await response).text()).toBe('done')
  await stopped
})

test.each([
  ['http://other.host/api/site?a=http://b/', '/api/site?a=http://b/'],
  ['HTTPS://user@other.host:8443/x', '/x'],
  ['http://other.host', '/'],
  ['http://other.host?a=b', '/?a=b'],
  ['/x//y?a=http://b/', '/x//y?a=http://b/'],
])('a request for %s is one for %s of this host', async (target, path) => {
  const seen: (string | undefined)[] = []
  const { url, stop } = await listen({
    fetch: (request) => new Response(request.url, { headers: { Connection: 'close' } }),
    host: '127.0.0.1',
    port: 0,
    middleware: (request, _response, next) => {
      seen.push(request.url)
      next()
    },
  })
  const { host } = new URL(url)
  const socket = await connectTo(url)
  socket.write(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
  let answer = ''
  for await (const chunk of socket) answer += String(chunk)
  expect(answer.split('\r\n\r\n')[1]).toContain(`http://${host}${path}`)
  expect(seen).toEqual([path])
  await stop()
})
