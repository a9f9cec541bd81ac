import { execFile } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { ConfigurationError } from '#server/env.ts'
import type { ServerBinaries } from './server-binaries.ts'
import { type ServerUser, serverEnvironment } from './server-user.ts'

const run = promisify(execFile)

export const managingRole = 'postgres'
// Owns the product's database only.
export const serverRole = 'nstp'
const majorVersion = '18'

interface ClusterOptions {
  dir: string
  binaries: ServerBinaries
  user: ServerUser
  fsync: boolean
}

/** Creates the cluster if there is none, under a temporary name: a partial cluster is never used. */
export async function ensureCluster({ dir, binaries, user, fsync }: ClusterOptions): Promise<void> {
  if (existsSync(dir)) return checkVersion(dir)
  const parent = dirname(dir)
  const draftPrefix = `${basename(dir)}-draft-`
  for (const name of readdirSync(parent)) {
    // Left by a first start that was interrupted.
    if (name.startsWith(draftPrefix))
      rmSync(join(parent, name), { recursive: true, force: true, maxRetries: 5 })
  }
  const draft = mkdtempSync(join(parent, draftPrefix))
  if (user.ids.uid !== undefined && user.ids.gid !== undefined) chownSync(draft, user.ids.uid, user.ids.gid)
  try {
    await initialize(draft, binaries, user, fsync)
  } catch (cause) {
    rmSync(draft, { recursive: true, force: true })
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new ConfigurationError(`The database can't be created in ${parent}: ${reason}`, { cause })
  }
  renameSync(draft, dir)
}

async function initialize(dir: string, binaries: ServerBinaries, user: ServerUser, fsync: boolean) {
  const flags = [
    ...['-D', dir, '-U', managingRole, '--auth=trust', '-E', 'UTF8'],
    // The built-in locale knows every letter on every machine. `C` is for what it doesn't cover.
    ...['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'],
    ...(fsync ? [] : ['--no-sync']),
  ]
  const options = { ...user.ids, cwd: '/', env: serverEnvironment }
  try {
    // pg_trgm uses the C library's letters: without this, ñ is none and trigrams drop it.
    await run(binaries('initdb'), [...flags, '--lc-ctype=C.UTF-8'], options)
  } catch (error) {
    if (!(error instanceof Error) || !error.message.includes('invalid locale name')) throw error
    // Not every system has that locale. Names with ñ are then found by fewer trigrams, but are found.
    await run(binaries('initdb'), flags, options)
  }
}

function checkVersion(dir: string) {
  const version = readFileSync(join(dir, 'PG_VERSION'), 'utf8').trim()
  if (version === majorVersion) return
  throw new ConfigurationError(
    `The database in ${dir} was written by PostgreSQL ${version}; this version of NSTP Portal has PostgreSQL ${majorVersion}. Restore a backup into a new data folder.`,
  )
}
