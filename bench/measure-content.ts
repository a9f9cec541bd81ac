import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Bench, isQuick, seconds } from './bench.ts'
import { captureAnswer } from './capture-answer.ts'
import { compare, rateText, ratio } from './compare.ts'
import { type LoadResult, runLoad } from './load.ts'
import { startOnExternal } from './measure-starts.ts'
import { type OpenStreams, openStreams } from './open-streams.ts'
import { readResidentSize, startProgram } from './processes.ts'
import { atLeast, atMost, type Figure, format } from './report.ts'

const connections = 32
const streamCount = isQuick ? 100 : 1_000
const manyStreams = isQuick ? 300 : 10_000
const changes = isQuick ? 1 : 5
const acceptEncoding = 'gzip, deflate, br, zstd'
const listPath = '/api/announcements?limit=20'

export async function measureContent(bench: Bench): Promise<Figure[]> {
  await bench.database.fillContent()
  for (let count = 0; count < 20; count++) await announce(bench)
  return [await measureHome(bench), await measureList(bench), ...(await measureStreams(bench))]
}

async function measureHome(bench: Bench): Promise<Figure> {
  const answer = await captureAnswer(`http://127.0.0.1:${bench.product.port}/`, acceptEncoding)
  const file = join(bench.folder, 'home.json')
  writeFileSync(file, JSON.stringify(answer))
  const bare = await startProgram({
    args: [fileURLToPath(new URL('same-bytes-server.js', import.meta.url))],
    env: { ANSWER: file },
    path: '/',
    logFile: join(bench.folder, 'bare.log'),
  })
  try {
    const { product, reference } = await compare({ ...bench, reference: bare }, (port) => load(port, '/'))
    const bytes = Buffer.from(answer.body, 'base64').length
    return {
      what: `cached home page (${format(bytes / 1000)} kB compressed), ${connections} connections, beside node:http with the same bytes`,
      product: rateText(product),
      reference: rateText(reference),
      aim: atLeast((product.perSecond / reference.perSecond) * 100, 80, '%'),
    }
  } finally {
    await bare.stop()
  }
}

async function measureList(bench: Bench): Promise<Figure> {
  const { product, reference } = await compare(bench, (port) => load(port, listPath))
  return {
    what: `20 announcements as JSON, ${connections} connections, beside node:http with one query each`,
    product: rateText(product),
    reference: rateText(reference),
    aim: ratio({ product, reference }, 1.6),
  }
}

async function measureStreams(bench: Bench): Promise<Figure[]> {
  const other = await startOnExternal(bench, '/api/ready')
  try {
    const streams = await openStreams(other.port, streamCount)
    const last: number[] = []
    for (let change = 0; change < changes; change++) last.push(await timeToLast(bench, streams))
    last.sort((one, another) => one - another)
    const median = last[Math.floor(last.length / 2)] ?? Number.NaN
    const slowest = last.at(-1) ?? Number.NaN
    const all = [streams]
    // Not all at once: the queue of new connections is short.
    while (all.length * streamCount < manyStreams) all.push(await openStreams(other.port, streamCount))
    const size = readResidentSize(other.pid)
    for (const each of all) each.close()
    return [
      {
        what: `${streamCount.toLocaleString('en')} open event streams of another process: from a change to the last notice`,
        product: `${format(median)} ms, slowest of ${changes} ${format(slowest)} ms`,
        reference: '',
        aim: atMost(slowest, 1_000, ' ms'),
      },
      {
        what: `${manyStreams.toLocaleString('en')} open event streams: memory of their process`,
        product: size === null ? 'unknown on this system' : `${format(size)} MB`,
        reference: '',
        aim: size === null ? '' : atMost(size, 700, ' MB'),
      },
    ]
  } finally {
    await other.stop()
  }
}

async function timeToLast(bench: Bench, streams: OpenStreams): Promise<number> {
  const received = streams.whenReceived('announcements')
  await announce(bench)
  return (await received).at(-1) ?? Number.NaN
}

function load(port: number, path: string): Promise<LoadResult> {
  const request = Buffer.from(
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAccept-Encoding: ${acceptEncoding}\r\n\r\n`,
  )
  return runLoad({ port, connections, seconds, next: () => request })
}

async function announce({ product, cookie }: Bench): Promise<void> {
  const content = 'Bring your identification card. '.repeat(12)
  const answer = await fetch(`http://127.0.0.1:${product.port}/api/announcements`, {
    method: 'POST',
    headers: { Cookie: cookie, 'Content-Type': 'application/json' },
    body: JSON.stringify({ title: 'Schedule of the field training', content, category: 'ROTC' }),
  })
  if (!answer.ok) throw new Error(`announcing failed: ${answer.status} ${await answer.text()}`)
}
