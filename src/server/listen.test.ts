import { EventEmitter, once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { listen } from './listen.ts'

const listenFor = (fetch: () => Response | Promise<Response>) => listen({ fetch, host: '127.0.0.1', port: 0 })

async function connectTo(url: string) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

test('stopping does not wait for a connection that asked nothing, as browsers open them ahead of need', async () => {
  const { url, stop } = await listenFor(() => new Response('ok'))
  const socket = await connectTo(url)
  const ended = once(socket, 'close')
  const begun = performance.now()
  await stop()
  await ended
  expect(performance.now() - begun).toBeLessThan(5_000)
})

test('stopping waits for the request under way, and takes no new connection', async () => {
  const steps = new EventEmitter()
  const { url, stop } = await listenFor(async () => {
    steps.emit('asked')
    await once(steps, 'answer')
    return new Response('done')
  })
  const asked = once(steps, 'asked')
  const response = fetch(url)
  await asked
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
