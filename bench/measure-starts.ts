import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { adminEmail } from '#tests/setup/administrator.ts'
import type { Bench } from './bench.ts'
import { type Memory, type Running, readMemory, startProgram } from './processes.ts'
import { atMost, type Figure, format } from './report.ts'

/** Long enough for Node to give back what the start left: V8 waits for 8 s without work. */
export const idleMs = 15_000
const settleMs = 5_000

export async function measureStarts(start: () => Promise<Running>): Promise<Figure[]> {
  const first = await start()
  await first.stop()
  const later: number[] = []
  for (let round = 0; round < 3; round++) {
    const again = await start()
    later.push(again.firstAnswerMs)
    await again.stop()
  }
  const slowest = Math.max(...later)
  return [
    {
      what: 'first start, new database, to the first answer of /',
      product: `${format(first.firstAnswerMs)} ms`,
      reference: '',
      aim: '',
    },
    {
      what: 'second start to the first answer of /, slowest of three',
      product: `${format(slowest)} ms`,
      reference: '',
      aim: atMost(slowest / 1000, 2, ' s'),
    },
  ]
}

/** Another process on the product's database. */
export function startOnExternal(
  { database: { env }, folder, productEntry }: Bench,
  path: string,
): Promise<Running> {
  const connection = new URLSearchParams({ host: env.PGHOST ?? '', port: env.PGPORT ?? '' })
  return startProgram({
    args: [productEntry],
    env: {
      DATABASE_URL: `postgresql://${env.PGUSER}@/${env.PGDATABASE}?${connection}`,
      DATA_DIR: join(folder, 'other'),
      ADMIN_EMAIL: adminEmail,
      RATE_LIMITS: 'off',
    },
    path,
    logFile: join(folder, 'other.log'),
  })
}

export async function measureExternalStarts(bench: Bench): Promise<Figure> {
  const times: number[] = []
  for (let round = 0; round < 3; round++) {
    const other = await startOnExternal(bench, '/')
    times.push(other.firstAnswerMs / 1000)
    await other.stop()
  }
  const slowest = Math.max(...times)
  return {
    what: 'start with a database that runs elsewhere, to the first answer of /, slowest of three',
    product: `${format(slowest)} s`,
    reference: '',
    aim: atMost(slowest, 0.8, ' s'),
  }
}

export async function measureMemory(
  what: string,
  { product, reference }: Bench,
  limit: number,
  afterMs = settleMs,
): Promise<Figure> {
  await sleep(afterMs)
  const ours = readMemory(product.pid)
  return {
    what,
    product: write(
      ours,
      ({ own, below }) => `${format(own + below)} MB (Node ${format(own)}, PostgreSQL ${format(below)})`,
    ),
    reference: write(readMemory(reference.pid), ({ own }) => `Node ${format(own)} MB`),
    aim: ours === null ? '' : atMost(ours.own + ours.below, limit, ' MB'),
  }
}

function write(memory: Memory | null, parts: (memory: Memory) => string): string {
  return memory === null ? 'unknown on this system' : parts(memory)
}
