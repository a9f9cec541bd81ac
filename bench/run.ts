import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { adminEmail, adminPassword } from '#tests/setup/administrator.ts'
import { measureRoundTrip } from './backup-round-trip.ts'
import { type BenchDatabase, joinDatabase } from './bench-database.ts'
import { measureExport } from './export-memory.ts'
import { timeImport } from './import-time.ts'
import { type LoadResult, runLoad } from './load.ts'
import { measurePages } from './page-bytes.ts'
import { scorePages } from './page-scores.ts'
import { type Memory, type Running, readMemory, startProgram } from './processes.ts'
import { atLeast, atMost, type Figure, format, toMarkdown, writeFigures } from './report.ts'
import { registrationRequests, searchRequests } from './workload.ts'

/** For trying the benchmark itself: shorter, and the figures aren't kept. */
const isQuick = process.argv.includes('--quick')
/** Turns of each measurement, product and reference in turn, so that a busy moment hits both. */
const rounds = isQuick ? 1 : 2
const seconds = isQuick ? 2 : 6
const settleMs = 5_000
const exportCount = 20_000
const backupCount = 20_000
const importCount = 10_000
const recordCounts = isQuick ? [10_000] : [10_000, 100_000]

interface Bench {
  product: Running
  reference: Running
  database: BenchDatabase
  cookie: string
}

const [productEntry = '', readme = ''] = process.argv.slice(2)
const referenceEntry = fileURLToPath(new URL('reference-server.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'nstp-bench-'))
// The database runs as another user when root runs this; that user has to pass.
chmodSync(folder, 0o711)
const dataDir = join(folder, 'data')

function startProduct(): Promise<Running> {
  return startProgram({
    args: [productEntry],
    env: {
      DATA_DIR: dataDir,
      ADMIN_EMAIL: adminEmail,
      ADMIN_PASSWORD: adminPassword,
      RATE_LIMITS: 'off',
    },
    path: '/',
    logFile: join(folder, 'product.log'),
  })
}

function startReference({ env }: BenchDatabase): Promise<Running> {
  const path = '/?archive=active&component=ROTC&academicYear=2026-2027&search=x&page=1'
  return startProgram({ args: [referenceEntry], env, path, logFile: join(folder, 'reference.log') })
}

async function signIn(port: number): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: adminEmail, password: adminPassword }),
  })
  const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '')
  const session = cookies.find((cookie) => cookie.includes('session'))
  if (!session) throw new Error(`signing in gave no session: ${answer.status}`)
  return session
}

/** The same load on both, in turns; of each the mean of its turns. */
async function compare(load: (subject: 'product' | 'reference') => Promise<LoadResult>) {
  const results: Record<'product' | 'reference', LoadResult[]> = { product: [], reference: [] }
  for (let round = 0; round < rounds; round++) {
    for (const subject of ['reference', 'product'] as const) {
      const result = await load(subject)
      if (result.failures > 0) throw new Error(`${subject}: ${result.failures} requests failed`)
      results[subject].push(result)
    }
  }
  return { product: mean(results.product), reference: mean(results.reference) }
}

function mean(results: readonly LoadResult[]) {
  const of = (read: (result: LoadResult) => number) =>
    results.reduce((sum, result) => sum + read(result), 0) / results.length
  return {
    perSecond: of(({ perSecond }) => perSecond),
    p50: of(({ p50 }) => p50),
    p99: of(({ p99 }) => p99),
  }
}

type Mean = ReturnType<typeof mean>

const rate = ({ perSecond, p99 }: Mean) => `${format(perSecond)}/s, p99 ${format(p99)} ms`
const latency = ({ perSecond, p50, p99 }: Mean) =>
  `p50 ${format(p50)}, p99 ${format(p99)} ms (${format(perSecond)}/s)`

async function measureRegistrations({ product, reference, database }: Bench): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const isOnce of [true, false]) {
    const { product: ours, reference: bare } = await compare(async (subject) => {
      await database.empty()
      const { port } = subject === 'product' ? product : reference
      return runLoad({ port, connections: 32, seconds, next: await registrationRequests(port, isOnce) })
    })
    figures.push({
      what: `durable registrations at 32 connections, ${isOnce ? 'each with its idempotency key' : 'without keys'}`,
      product: rate(ours),
      reference: rate(bare),
      aim: atLeast((100 * ours.perSecond) / bare.perSecond, 60, '%'),
    })
  }
  return figures
}

async function measureSearches({ product, reference, database, cookie }: Bench): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const count of recordCounts) {
    await database.empty()
    await database.fill(count)
    for (const connections of [8, 1]) {
      const { product: ours, reference: bare } = await compare((subject) => {
        const { port } = subject === 'product' ? product : reference
        return runLoad({ port, connections, seconds, next: searchRequests(port, cookie) })
      })
      const isSingleAtMost = connections === 1 && count === Math.max(...recordCounts)
      figures.push({
        what: `students page with filter, search and count, ${count.toLocaleString('en')} records, ${connections} connection${connections === 1 ? '' : 's'}`,
        product: latency(ours),
        reference: latency(bare),
        aim: isSingleAtMost
          ? atMost(ours.p99, 50, ' ms')
          : atLeast((100 * ours.perSecond) / bare.perSecond, 60, '%'),
      })
    }
  }
  return figures
}

async function measureExports({ product, database, cookie }: Bench): Promise<Figure[]> {
  await database.empty()
  await database.fill(exportCount)
  const { seconds, size, peak, growth } = await measureExport(product, cookie)
  const memory =
    peak === null || growth === null
      ? 'memory not told by this system'
      : `${format(growth)} MB more memory, ${format(peak)} MB in all`
  return [
    {
      what: `export of ${exportCount.toLocaleString('en')} records: time, and Node's memory at its largest`,
      product: `${format(seconds)} s, ${memory} (file ${format(size)} MB)`,
      reference: '',
      aim: growth === null ? '' : atMost(growth, 150, ' MB'),
    },
  ]
}

async function measureBackups({ database }: Bench): Promise<Figure[]> {
  await database.empty()
  await database.fill(backupCount)
  const { backup, restore, size, content } = await measureRoundTrip({
    productEntry,
    dataDir,
    database,
    folder,
  })
  const memory = ({ peak }: { peak: number | null }) =>
    peak === null ? 'memory not told by this system' : `${format(peak)} MB of memory`
  return [
    {
      what: `backup of ${backupCount.toLocaleString('en')} students and 200 files of ${format(content)} MB, then restored into a new installation: identical`,
      product: `${format(backup.seconds)} s (${memory(backup)}), ${format(restore.seconds)} s (${memory(restore)}); file ${format(size)} MB`,
      reference: '',
      aim: atMost(backup.seconds + restore.seconds, 60, ' s'),
    },
  ]
}

async function measureImport({ product, database, cookie }: Bench): Promise<Figure[]> {
  const records = Math.max(...recordCounts)
  await database.empty()
  await database.fill(records)
  const { upload, check, run, imported, listP99 } = await timeImport(product.port, cookie, importCount)
  const total = upload + check + run
  return [
    {
      what: `import of ${importCount.toLocaleString('en')} rows beside ${records.toLocaleString('en')} records, from the upload to the records`,
      product: `${format(total)} s (upload ${format(upload)}, check ${format(check)}, import ${format(run)}; ${imported.toLocaleString('en')} imported; a page of the list meanwhile p99 ${format(listP99)} ms)`,
      reference: '',
      aim: atMost(total, 60, ' s'),
    },
  ]
}

async function measureStarts(): Promise<Figure[]> {
  const first = await startProduct()
  await first.stop()
  const later: number[] = []
  for (let round = 0; round < 3; round++) {
    const again = await startProduct()
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

function memoryFigure(
  what: string,
  product: Memory | null,
  reference: Memory | null,
  limit?: number,
): Figure {
  const write = (memory: Memory | null, parts: (memory: Memory) => string) =>
    memory === null ? 'not told by this system' : parts(memory)
  return {
    what,
    product: write(
      product,
      ({ own, below }) => `${format(own + below)} MB (Node ${format(own)}, PostgreSQL ${format(below)})`,
    ),
    reference: write(reference, ({ own }) => `Node ${format(own)} MB`),
    aim: limit === undefined || product === null ? '' : atMost(product.own + product.below, limit, ' MB'),
  }
}

async function measurePageBytes({ product, cookie }: Bench): Promise<Figure[]> {
  const base = `http://127.0.0.1:${product.port}`
  const pages = await measurePages(base, [{ path: '/' }, { path: '/register' }, { path: '/admin', cookie }])
  if (pages === null) return [{ what: 'bytes of pages', product: 'no browser found', reference: '', aim: '' }]
  return pages.map(({ path, script, style, document, other, requests }) => ({
    what: `first visit of ${path}: script + style over the wire`,
    product: `${format(script / 1000)} + ${format(style / 1000)} kB (page ${format(document / 1000)}, other ${format(other / 1000)} kB, ${requests} requests)`,
    reference: '',
    aim: path.startsWith('/admin')
      ? ''
      : `${atMost(script / 1000, 120, ' kB')}; ${atMost(style / 1000, 15, ' kB')}`,
  }))
}

async function measureScores({ product }: Bench): Promise<Figure[]> {
  const pages = await scorePages(`http://127.0.0.1:${product.port}`, ['/', '/register'], isQuick ? 1 : 3)
  if (pages === null) return [{ what: 'Lighthouse', product: 'no browser found', reference: '', aim: '' }]
  return pages.map(({ path, scores, largestPaintMs, layoutShift }) => ({
    what: `Lighthouse mobile of ${path}: performance, accessibility, best practices, SEO`,
    product: `${scores.join(', ')} (LCP ${format(largestPaintMs / 1000)} s, CLS ${format(layoutShift)})`,
    reference: '',
    aim: atLeast(Math.min(...scores), 98, ''),
  }))
}

async function measure(): Promise<void> {
  const figures: Figure[] = []
  const note = (added: Figure[]) => {
    for (const { what, product, reference, aim } of added)
      console.log([what, product, reference, aim].join(' | '))
    figures.push(...added)
  }
  note(await measureStarts())

  const product = await startProduct()
  const database = joinDatabase(dataDir)
  const reference = await startReference(database)
  try {
    const bench = { product, reference, database, cookie: await signIn(product.port) }
    await sleep(settleMs)
    note([memoryFigure('memory when idle', readMemory(product.pid), readMemory(reference.pid), 200)])
    note(await measurePageBytes(bench))
    note(await measureScores(bench))
    note(await measureExports(bench))
    note(await measureBackups(bench))
    note(await measureRegistrations(bench))
    note(await measureSearches(bench))
    note(await measureImport(bench))
    await sleep(settleMs)
    note([memoryFigure('memory after the load', readMemory(product.pid), readMemory(reference.pid))])
    const markdown = toMarkdown(figures, await database.settings())
    console.log(`\n${markdown}`)
    if (!isQuick) writeFigures(readme, markdown)
  } finally {
    await reference.stop()
    await product.stop()
  }
}

try {
  await measure()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
