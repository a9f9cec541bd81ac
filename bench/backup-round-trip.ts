import { spawn } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { startEmbeddedServer } from '#server/database/server.ts'
import { type BenchDatabase, joinDatabase } from './bench-database.ts'
import { readResidentSize } from './processes.ts'

const fileCount = 200
// Bytes of photos and scans as people upload them.
const [smallest, largest] = [500_000, 2_000_000]
const pollEveryMs = 10

export interface RoundTripCost {
  backup: CommandCost
  restore: CommandCost
  // In megabytes.
  size: number
  // In megabytes, of the uploaded files.
  content: number
}

interface CommandCost {
  seconds: number
  // In megabytes; null where the system has no /proc.
  peak: number | null
}

interface RoundTripOptions {
  // The built commands are in the same folder.
  productEntry: string
  dataDir: string
  database: BenchDatabase
  folder: string
}

/** Backs up a running product with many files and restores it into a new installation; throws when the two differ. */
export async function measureRoundTrip(options: RoundTripOptions): Promise<RoundTripCost> {
  const { productEntry, dataDir, database, folder } = options
  const content = await database.addFiles(
    Array.from({ length: fileCount }, () => () => randomBytes(randomInt(smallest, largest))),
  )
  const file = join(folder, 'round-trip.nstp')
  const restoredDir = join(folder, 'restored')
  const command = (name: string) => join(dirname(productEntry), `${name}.js`)
  const backup = await runCommand([command('backup'), file], dataDir)
  const restore = await runCommand([command('restore'), file], restoredDir)
  await compare(database, restoredDir)
  return { backup, restore, size: statSync(file).size / 1e6, content: content / 1e6 }
}

async function compare(database: BenchDatabase, restoredDir: string) {
  const server = await startEmbeddedServer({ dataDir: restoredDir, log: pino({ level: 'silent' }) })
  try {
    const [before, after] = [await database.digest(), await joinDatabase(restoredDir).digest()]
    if (before !== after) throw new Error('the restored rows differ from the backed-up ones')
  } finally {
    await server.stop()
  }
}

async function runCommand(args: readonly string[], dataDir: string): Promise<CommandCost> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, args, {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      DATA_DIR: dataDir,
      BACKUP_PASSPHRASE: 'a pass phrase of the bench',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const exited = once(child, 'exit')
  let peak: number | null = null
  while (child.exitCode === null && child.signalCode === null) {
    peak = Math.max(peak ?? 0, readResidentSize(child.pid ?? 0) ?? 0) || null
    await sleep(pollEveryMs)
  }
  await exited
  if (child.exitCode !== 0) throw new Error(`${args[0]} ended with ${child.exitCode}`)
  return { seconds: (performance.now() - startedAt) / 1000, peak }
}
