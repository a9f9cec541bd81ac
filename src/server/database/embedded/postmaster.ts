import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import type { Logger } from 'pino'
import { codeOf } from '#server/database/errors.ts'
import { runOnce } from '#server/database/run-once.ts'
import { ConfigurationError } from '#server/env.ts'
import { sleep } from '#server/lib/scheduler.ts'
import { managingRole, productRole, type ServerBinaries } from './cluster.ts'
import { type ServerUser, serverEnvironment } from './server-user.ts'

// Recovery after a power failure takes minutes on a slow disk.
const startMs = 300_000
const pollEveryMs = 10
const lastLines = 20

export interface PostmasterOptions {
  clusterDir: string
  socketDir: string
  binaries: ServerBinaries
  user: ServerUser
  connection: pg.ClientConfig
  settings: Record<string, string>
  log: Logger
}

export interface Postmaster {
  pid: number
  ended: Promise<void>
  stop: () => Promise<void>
}

function settingsFor({ socketDir, settings }: PostmasterOptions): Record<string, string> {
  return {
    listen_addresses: '',
    // A list: a comma or a space in a folder's name needs quotes.
    unix_socket_directories: `"${socketDir.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    max_connections: '40',
    // What doesn't fit is in the system's own cache of files.
    shared_buffers: '64MB',
    // Processes that read ahead would take 6 MB, and the data is mostly in a cache.
    io_method: 'sync',
    // Nothing replicates from here, so the log of changes can be smaller.
    wal_level: 'minimal',
    max_wal_senders: '0',
    log_checkpoints: 'off',
    // Errors of single statements stay out of the log: their texts repeat what people typed.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    ...settings,
  }
}

export async function startPostmaster(options: PostmasterOptions): Promise<Postmaster> {
  const { clusterDir, binaries, user, log } = options
  const settings = Object.entries(settingsFor(options)).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(binaries('postgres'), ['-D', clusterDir, '-p', String(serverPort), ...settings], {
    ...user.ids,
    cwd: '/',
    env: serverEnvironment,
    // Ctrl+C in a terminal reaches a whole process group; the database must outlast the last requests.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = endOf(child)
  const lastLines = followLog(child, log)

  try {
    await waitUntilReady(options, ended, lastLines)
  } catch (error) {
    await stop(child, ended)
    throw error
  }
  return { pid: child.pid ?? 0, ended, stop: () => stop(child, ended) }
}

async function waitUntilReady(options: PostmasterOptions, ended: Promise<void>, lastLines: () => string[]) {
  let hasEnded = false
  void ended.then(() => {
    hasEnded = true
  })
  for (let waited = 0; waited < startMs; waited += pollEveryMs) {
    if (hasEnded) throw doesNotStart(options, lastLines())
    if (await isReady(options.connection)) return
    await sleep(pollEveryMs)
  }
  throw new Error(`the database did not start within ${startMs / 1000} s: ${lastLines().join(' / ')}`)
}

// The sentences are those of PostgreSQL and of the system.
const notOurs = /Permission denied|has wrong ownership|has invalid permissions/

function doesNotStart({ clusterDir, user }: PostmasterOptions, lines: string[]): ConfigurationError {
  const printed = `The database does not start: ${lines.join(' / ')}.`
  // Files that another user copied there, or whose rights were changed, aren't damaged.
  if (notOurs.test(printed)) {
    return new ConfigurationError(
      `${printed} All its files must belong to the user '${user.name}', as whom it runs, and its folder must be closed to others. As root: chown -R ${user.ids.uid ?? user.name} ${clusterDir}; chmod 700 ${clusterDir}`,
    )
  }
  return new ConfigurationError(
    `${printed} If its files are damaged, restore a backup into a new data folder.`,
  )
}

async function stop(child: ChildProcess, ended: Promise<void>) {
  child.kill('SIGINT')
  // A suspended process receives the signal only when it continues.
  child.kill('SIGCONT')
  await ended
}

async function endOf(child: ChildProcess): Promise<void> {
  try {
    await once(child, 'exit')
  } catch {
    // 'error': it never ran. The caller's last lines are empty then; the reason is in its files.
  }
}

function followLog(child: ChildProcess, log: Logger): () => string[] {
  const lines: string[] = []
  child.once('error', (error) => lines.push(error.message))
  if (child.stderr) {
    createInterface(child.stderr).on('line', (line) => {
      lines.push(line)
      if (lines.length > lastLines) lines.shift()
      log.debug({ line }, 'database')
    })
  }
  return () => lines
}

// SQLSTATEs for a missing role and a missing database.
const missing = new Set(['28000', '3D000'])
// SQLSTATEs for a role and a database that exist already.
const alreadyThere = new Set(['42710', '42P04'])

/** Whether the server takes connections to the product's database. The first call creates the roles and the database. */
async function isReady(connection: pg.ClientConfig): Promise<boolean> {
  try {
    await runOnce({ ...connection, user: productRole }, 'select 1')
    return true
  } catch (error) {
    if (!missing.has(codeOf(error) ?? '')) return false
    await createDatabase(connection)
    return true
  }
}

async function createDatabase({ host, port, user, database }: pg.ClientConfig) {
  const manager = { ...(host && port ? { host, port } : {}), user: managingRole, database: 'postgres' }
  const role = pg.escapeIdentifier(user ?? '')
  for (const statement of [
    `create role ${role} login`,
    `create role ${productRole} login`,
    `create database ${pg.escapeIdentifier(database ?? '')} owner ${role}`,
  ]) {
    try {
      await runOnce(manager, statement)
    } catch (error) {
      // An earlier first start got this far.
      if (!alreadyThere.has(codeOf(error) ?? '')) throw error
    }
  }
}

export const serverPort = 5432
// Bytes in a Unix socket's path without its terminator: 103 on macOS, 107 on Linux.
const maxSocketPathBytes = 103

const elsewhere = '/tmp/nstp-socket-'

/**
 * Creates an empty folder for the server's socket, closed to other users: the socket asks for no password. Beside the
 * data where that path is short enough, else under /tmp with an unpredictable name.
 */
export function createSocketFolder(dataDir: string, user: ServerUser): string {
  const beside = join(dataDir, 'socket')
  rmSync(beside, { recursive: true, force: true })
  const isShort = Buffer.byteLength(join(beside, `.s.PGSQL.${serverPort}`)) <= maxSocketPathBytes
  if (isShort) mkdirSync(beside, { mode: 0o700 })
  const dir = isShort ? beside : mkdtempSync(elsewhere)
  if (user.ids.uid !== undefined && user.ids.gid !== undefined) chownSync(dir, user.ids.uid, user.ids.gid)
  return dir
}

export function removeSocketFolder(dir: string) {
  if (dir.startsWith(elsewhere)) rmSync(dir, { recursive: true, force: true })
}
