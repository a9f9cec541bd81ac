import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { adminEmail } from './administrator.ts'
import { createMovedClock, type ProductClock, systemClock } from './moved-clock.ts'
import { changeFirstPassword, firstPassword, storePublicAddress } from './sign-in.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

const builtEntry = 'build/server/index.js'
/** Of the template's data folder; a runner's main process sets it, and its workers inherit it. */
export const templateVariable = 'PRODUCT_TEMPLATE'
/** Whose values are stored with a new database. */
const ofNewDatabase = ['DATABASE_URL', 'SECRET_KEY', 'ADMIN_EMAIL', 'ADMIN_PASSWORD', 'BACKUP_PASSPHRASE']
// In ms. A new database takes about two seconds, the demo's pictures more.
const startMs = 180_000

export interface Product {
  url: string
  process: ChildProcess
  // Exists until `remove`.
  dataDir: string
  clock: ProductClock
  output: () => string
  stop: () => Promise<number | null>
  remove: () => Promise<void>
}

interface Start {
  keepsFirstPassword?: boolean
  keepsNewSettings?: boolean
  entry?: string
  /** A program and its arguments that run the command line after them. */
  launcher?: readonly string[]
  /** When it starts, for the product and its database: their clock can be moved, where `canMoveClock` says so. */
  clock?: Date
}

/**
 * Runs the built product as an operator would: its own process, its own database, a free port.
 * @param args of the command line
 */
export async function startProduct(
  env: Record<string, string> = {},
  args: readonly string[] = [],
  {
    keepsFirstPassword = false,
    keepsNewSettings = false,
    entry = builtEntry,
    launcher = [],
    clock,
  }: Start = {},
): Promise<Product> {
  if (!existsSync(entry)) throw new Error(`${entry} is missing: run npm run build first`)
  const folder = env.DATA_DIR === undefined ? makeTemporaryFolder() : undefined
  const dataDir = env.DATA_DIR ?? join(folder?.path ?? '', 'data')
  const isOrdinary =
    folder !== undefined &&
    entry === builtEntry &&
    args.length === 0 &&
    !keepsFirstPassword &&
    !keepsNewSettings &&
    !ofNewDatabase.some((name) => name in env)
  const template = isOrdinary ? process.env[templateVariable] : undefined
  // With its owners: as root, the database runs as another user.
  if (template) execFileSync('cp', ['-a', template, dataDir])
  const moved = clock && createMovedClock(clock)
  const [program = '', ...rest] = [...launcher, process.execPath, entry, ...args]
  const child = spawn(program, rest, {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      MAIL_PORTS: 'any',
      PORT: '0',
      DATA_DIR: dataDir,
      ADMIN_EMAIL: adminEmail,
      ADMIN_PASSWORD: firstPassword,
      // Of scripts/test.mjs.
      DATABASE_PATIENCE: process.env.TEST_SLOWNESS ?? '1',
      ...moved?.env,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  }
  const url = await waitForAddress(child, () => output)
  if (template) await storePublicAddress(url)
  else if (!keepsFirstPassword) await changeFirstPassword(url, keepsNewSettings)

  async function stop() {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    await exited
    return child.exitCode
  }

  return {
    url,
    process: child,
    dataDir,
    clock: moved?.clock ?? systemClock,
    output: () => output,
    stop,
    async remove() {
      await stop()
      rmSync(dataDir, { recursive: true, force: true })
      folder?.remove()
      moved?.remove(child.pid)
    },
  }
}

/** Memory of the process, or its peak; 0 where the machine doesn't tell. */
export function residentBytes({ process: { pid } }: Product, line: 'VmRSS' | 'VmHWM' = 'VmRSS'): number {
  if (process.platform !== 'linux') return 0
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`${line}:\\s+(\\d+)`).exec(status)?.[1]) * 1024
}

async function waitForAddress(child: ChildProcess, output: () => string): Promise<string> {
  for (const end = Date.now() + startMs; Date.now() < end; ) {
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(output())?.[0]
    if (url && (await isReady(url))) return url
    if (child.exitCode !== null) throw new Error(`the product ended instead of starting:\n${output()}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  child.kill('SIGKILL')
  throw new Error(`the product did not start within ${startMs} ms:\n${output()}`)
}

async function isReady(url: string): Promise<boolean> {
  // Not listening yet is an ordinary answer while it starts.
  const answer = await fetch(`${url}/api/ready`).catch(() => undefined)
  return answer?.ok ?? false
}
