import { setTimeout as sleep } from 'node:timers/promises'
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
}

export async function measureExport({ port, pid }: Running, cookie: string): Promise<ExportCost> {
  const before = readResidentSize(pid)
  let peak = before
  let isDone = false
  const watch = (async () => {
    while (!isDone) {
      const now = readResidentSize(pid)
      if (peak !== null && now !== null) peak = Math.max(peak, now)
      await sleep(pollEveryMs)
    }
  })()
  const startedAt = performance.now()
  try {
    const size = await download(`http://127.0.0.1:${port}/api/students/export.xlsx`, cookie)
    const seconds = (performance.now() - startedAt) / 1000
    const growth = before === null || peak === null ? null : peak - before
    return { seconds, size: size / 1e6, peak, growth }
  } finally {
    isDone = true
    await watch
  }
}

async function download(url: string, cookie: string): Promise<number> {
  const answer = await fetch(url, { headers: { Cookie: cookie } })
  if (!answer.ok || !answer.body) throw new Error(`the export answers ${answer.status}`)
  let bytes = 0
  for await (const chunk of answer.body) bytes += chunk.length
  return bytes
}
