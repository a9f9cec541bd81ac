import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { adminEmail, adminPassword } from '#tests/setup/administrator.ts'
import { changeFirstPassword, firstPassword } from '#tests/setup/sign-in.ts'
import { type Bench, isQuick } from './bench.ts'
import { type BenchDatabase, joinDatabase } from './bench-database.ts'
import { measureBackups } from './measure-backups.ts'
import { measureContent } from './measure-content.ts'
import { measureExports } from './measure-exports.ts'
import { measureFloods } from './measure-floods.ts'
import { measureImports } from './measure-imports.ts'
import { measureInstall } from './measure-install.ts'
import { measureCounted, measureSearches } from './measure-lists.ts'
import { measureMail } from './measure-mail.ts'
import { measureOffice } from './measure-office.ts'
import { measureOwnPage } from './measure-own-page.ts'
import { measurePublicPages } from './measure-pages.ts'
import { measurePapers } from './measure-papers.ts'
import { measurePeople } from './measure-people.ts'
import { measureRegistrations } from './measure-registrations.ts'
import { idleMs, measureExternalStarts, measureMemory, measureStarts } from './measure-starts.ts'
import { measureWelcome } from './measure-welcome.ts'
import { type Running, startProgram } from './processes.ts'
import { type Figure, toMarkdown, writeFigures } from './report.ts'
import { measureSoak } from './soak.ts'

const parts: Record<string, (bench: Bench) => Promise<Figure[]>> = {
  memory: async (bench) => [await measureMemory('memory when idle', bench, 130, idleMs)],
  install: measureInstall,
  pages: measurePublicPages,
  content: measureContent,
  exports: measureExports,
  backups: measureBackups,
  floods: measureFloods,
  registrations: measureRegistrations,
  own: measureOwnPage,
  welcome: measureWelcome,
  searches: async (bench) => [
    ...(await measureSearches(bench)),
    await measureMemory('memory after the load', bench, 300),
  ],
  imports: measureImports,
  mail: measureMail,
  office: measureOffice,
  papers: measurePapers,
  lists: (bench) => measureCounted(bench, isQuick ? 10_000 : 100_000),
  people: measurePeople,
  soak: async (bench) => [
    ...(await measureSoak(bench)),
    await measureMemory('memory after the hour', bench, 300),
  ],
  million: (bench) => measureCounted(bench, isQuick ? 200_000 : 1_000_000, 25),
}
const everyPart = ['starts', ...Object.keys(parts)]
// An hour: only when it is named.
const usualParts = everyPart.filter((part) => part !== 'soak')

const [productEntry = '', figuresFile = '', ...options] = process.argv.slice(2)
const named = options.filter((option) => !option.startsWith('--'))
const selected = named.length === 0 ? usualParts : named
const referenceEntry = fileURLToPath(new URL('reference-server.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'nstp-bench-'))
// The database runs as another user when root runs this; that user has to pass.
chmodSync(folder, 0o711)
const dataDir = join(folder, 'data')

function startProduct(): Promise<Running> {
  return startProgram({
    // The heap of `npm start`.
    args: ['--max-old-space-size=400', productEntry],
    env: {
      DATA_DIR: dataDir,
      ADMIN_EMAIL: adminEmail,
      ADMIN_PASSWORD: firstPassword,
      RATE_LIMITS: 'off',
      MAIL_PORTS: 'any',
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
  await changeFirstPassword(`http://127.0.0.1:${port}`)
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

async function saveFigures(part: string, figures: Figure[], database: BenchDatabase): Promise<void> {
  const markdown = toMarkdown(figures, await database.settings())
  console.log(`\n${part}\n${markdown}`)
  if (!isQuick) writeFigures(figuresFile, part, markdown)
}

async function measure(): Promise<void> {
  const unknown = selected.find((part) => !everyPart.includes(part))
  if (unknown) throw new Error(`There is no part ${unknown}. The parts are: ${everyPart.join(', ')}.`)
  const starts = selected.includes('starts') ? await measureStarts(startProduct) : undefined
  const product = await startProduct()
  const database = joinDatabase(dataDir)
  const reference = await startReference(database)
  try {
    const cookie = await signIn(product.port)
    const bench = { product, reference, database, cookie, productEntry, dataDir, folder }
    const all: typeof parts = {
      starts: async () => [...(starts ?? []), await measureExternalStarts(bench)],
      ...parts,
    }
    for (const [part, run] of Object.entries(all)) {
      if (!selected.includes(part)) continue
      try {
        await saveFigures(part, await run(bench), database)
      } catch (error) {
        // The other parts are still worth their time.
        console.error(`\n${part} failed:`, error)
        process.exitCode = 1
      }
    }
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
