import { connect } from 'node:net'
import { type Bench, isQuick } from './bench.ts'
import { percentile } from './load.ts'
import { atMost, type Figure, format } from './report.ts'

const connections = 4
const requests = 1_600
const bursts = isQuick ? 2 : 10
// One after the other, from the moment the packets are written.
const others = ['/api/health', '/login', '/api/registrations/offer']
const othersOfBurst = 12

/** What others wait beside packets of requests whose answer nobody waits for. */
export async function measureFloods({ product }: Bench): Promise<Figure[]> {
  const refused = JSON.stringify({ email: 'nobody' })
  const post =
    'POST /api/registrations HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n' +
    `Content-Length: ${refused.length}\r\n\r\n${refused}`
  const packet = Buffer.from(post.repeat(requests))
  const times: number[] = []
  for (let burst = 0; burst < bursts; burst++) {
    const ended = Array.from({ length: connections }, () => send(product.port, packet))
    for (let i = 0; i < othersOfBurst; i++) {
      const begun = performance.now()
      const answer = await fetch(`http://127.0.0.1:${product.port}${others[i % others.length]}`)
      await answer.arrayBuffer()
      if (!answer.ok) throw new Error(`another visitor was refused: ${answer.status} ${answer.url}`)
      times.push(performance.now() - begun)
    }
    await Promise.all(ended)
  }
  times.sort((one, other) => one - other)
  const slowest = times.at(-1) ?? Number.NaN
  return [
    {
      what:
        `other visitors' requests beside ${connections} connections with ` +
        `${requests.toLocaleString('en')} refused enlistments each in one write (${format(packet.length / 1000)} kB)`,
      product: `p50 ${format(percentile(times, 0.5))} ms, slowest ${format(slowest)} ms`,
      reference: '',
      aim: atMost(slowest, 1_000, ' ms'),
    },
  ]
}

/** Ends when the server closes the connection, or is silent for three seconds. */
function send(port: number, packet: Buffer): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(packet))
    socket.resume()
    socket.setTimeout(3_000, () => socket.destroy())
    // It is cut from the other side.
    socket.on('error', () => socket.destroy())
    socket.once('close', () => resolve())
  })
}
