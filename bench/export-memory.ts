import { setTimeout as sleep } from 'node:timers/promises'
import { percentile } from './load.ts'
import { type Running, readResidentSize } from './processes.ts'

const pollEveryMs = 10

export interface ExportCost {
  seconds: number
  // In megabytes.
  size: number
  // In megabytes; null where the system has no /proc.
  peak: number | null
  // In megabytes, caused by the export.
  growth: number | null
  // In ms: of a request every 10 ms meanwhile.
  othersP99: number
}

/** @param path of the file */
export async function measureExport(
  { port, pid }: Running,
  cookie: string,
  path = '/api/students/export.xlsx?archive=all',
): Promise<ExportCost> {
  const before = readResidentSize(pid)
  let peak = before
  const others: number[] = []
  let isDone = false
  const watch = (async () => {
    while (!isDone) {
      const now = readResidentSize(pid)
      if (peak !== null && now !== null) peak = Math.max(peak, now)
      const askedAt = performance.now()
      await (await fetch(`http://127.0.0.1:${port}/api/announcements`)).arrayBuffer()
      others.push(performance.now() - askedAt)
      await sleep(pollEveryMs)
    }
  })()
  const startedAt = performance.now()
  try {
    const size = await download(`http://127.0.0.1:${port}${path}`, cookie)
    const seconds = (performance.now() - startedAt) / 1000
    const growth = before === null || peak === null ? null : peak - before
    return { seconds, size: size / 1e6, peak, growth, othersP99: percentile(others.sort(ascending), 0.99) }
  } finally {
    isDone = true
    await watch
  }
}

const ascending = (one: number, other: number) => one - other

async function download(url: string, cookie: string): Promise<number> {
  const answer = await fetch(url, { headers: { Cookie: cookie } })
  if (!answer.ok || !answer.body) throw new Error(`the export answers ${answer.status}`)
  let bytes = 0
  for await (const chunk of answer.body) bytes += chunk.length
  return bytes
}
