import { execFile } from 'node:child_process'
import { existsSync, readFileSync, type Stats, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { userInfo } from 'node:os'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ConfigurationError } from '#server/env.ts'

const run = promisify(execFile)

// Other services may run as this user too, and reach the database's socket. It is what a bare machine has.
const sharedUser = 'nobody'
// Accounts that may run the database when root runs the product, best first.
const candidates = ['nstp-portal', 'postgres', '_postgres', sharedUser]

// PostgreSQL refuses to run as root.
export interface ServerUser {
  name: string
  ids: { uid?: number; gid?: number }
}

/**
 * The user for a cluster: the owner of an existing one, else of the data folder, else an unprivileged account of this
 * machine.
 * @throws ConfigurationError when this process can't act as the cluster's owner
 */
export function chooseServerUser(clusterDir: string): ServerUser {
  const uid = process.getuid?.()
  const owner = ownerOf(clusterDir)
  if (uid !== 0) {
    if (owner && uid !== undefined && owner.uid !== uid) {
      throw new ConfigurationError(
        `The database in ${clusterDir} belongs to another user (number ${owner.uid}). Start NSTP Portal as that user or as root, or set DATA_DIR to another folder.`,
      )
    }
    return { name: nameOf(uid), ids: {} }
  }
  const accounts = readAccounts()
  if (owner && owner.uid !== 0) {
    const name = accounts.find((account) => account.uid === owner.uid)?.name ?? `user ${owner.uid}`
    return { name, ids: { uid: owner.uid, gid: owner.gid } }
  }
  const folderOwner = unprivilegedOwnerOf(dirname(clusterDir))
  if (folderOwner) return folderOwner
  for (const candidate of candidates) {
    const account = accounts.find(({ name }) => name === candidate)
    if (account) return { name: account.name, ids: { uid: account.uid, gid: account.gid } }
  }
  throw new ConfigurationError(
    `PostgreSQL does not run as root, and this machine has none of the users ${candidates.join(', ')}. Start NSTP Portal as an ordinary user, or set DATABASE_URL.`,
  )
}

// A container may run as a number that has no name.
function nameOf(uid: number | undefined): string {
  try {
    return userInfo().username
  } catch {
    // Node's only answer for a user without a name.
    return `user ${uid}`
  }
}

/** @returns a warning, where the database's user is not its own */
export function sharedUserWarning({ name }: ServerUser): string | undefined {
  if (name !== sharedUser) return undefined
  return `Warning: the database runs as the user '${sharedUser}', as other services of this machine may, which could then read it. Create a user for it (useradd --system nstp-portal) before the first start, or stop NSTP Portal and give the data folder to that user.`
}

/** The account that owns a folder, unless it is root or unknown: PostgreSQL needs a name. */
export function unprivilegedOwnerOf(dir: string): ServerUser | undefined {
  const owner = ownerOf(dir)
  const account = owner && readAccounts().find(({ uid }) => uid !== 0 && uid === owner.uid)
  return account && { name: account.name, ids: { uid: account.uid, gid: account.gid } }
}

export function canEnter(user: ServerUser, dir: string): Promise<boolean> {
  return succeeds(user, 'cd -- "$1"', dir)
}

function canRead(user: ServerUser, path: string): Promise<boolean> {
  return succeeds(user, 'test -r "$1"', path)
}

// Asks the system, which knows groups and access lists.
async function succeeds(user: ServerUser, script: string, path: string): Promise<boolean> {
  try {
    await run('/bin/sh', ['-c', script, 'sh', path], { ...user.ids, cwd: '/', env: serverEnvironment })
    return true
  } catch {
    // The shell's refusal is the answer.
    return false
  }
}

function ownerOf(dir: string): Stats | undefined {
  return existsSync(dir) ? statSync(dir) : undefined
}

function readAccounts() {
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
}

// No variable of ours: some are secrets, and the database's user can read them in /proc. No locale or time zone of the
// machine either: they would become the cluster's.
export const serverEnvironment = { PATH: process.env.PATH ?? '', LC_ALL: 'C', TZ: 'UTC' }

/**
 * What is read or loaded only when it is needed: the product's own parts, packages, and the certificates that a mail
 * server may have.
 */
function readLater(): string[] {
  const { resolve } = createRequire(import.meta.url)
  const certificates = process.env.NODE_EXTRA_CA_CERTS
  return [fileURLToPath(import.meta.url), resolve('sharp'), ...(certificates ? [certificates] : [])]
}

/**
 * For a process that root started: the function it returns, to be called once the port is open, makes it the given
 * user for good. Where that user couldn't read the product's files it stays root, and says so.
 */
export async function prepareToLeaveRoot(
  user: ServerUser | undefined,
  print: (sentence: string) => void,
): Promise<() => void> {
  if (process.getuid?.() !== 0) return () => undefined
  const { uid, gid } = user?.ids ?? {}
  if (!user || uid === undefined || gid === undefined) {
    print(
      'Warning: NSTP Portal keeps running as root. Start it as an ordinary user, or give the data folder to one.',
    )
    return () => undefined
  }
  for (const path of readLater()) {
    if (await canRead(user, path)) continue
    print(
      `Warning: NSTP Portal keeps running as root: the user '${user.name}' can't read ${path}. Move the product to a folder that every user may read, such as /opt, or start it as an ordinary user.`,
    )
    return () => undefined
  }
  return () => {
    // The groups first: without root's rights they can't be changed.
    process.setgroups?.([gid])
    process.setgid?.(gid)
    process.setuid?.(uid)
  }
}
