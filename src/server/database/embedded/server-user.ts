import { execFile } from 'node:child_process'
import { existsSync, readFileSync, type Stats, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { promisify } from 'node:util'
import { ConfigurationError } from '#server/env.ts'

const run = promisify(execFile)

/** Accounts that may run the database when the product itself is run by root, best first. */
const candidates = ['nstp-portal', 'postgres', '_postgres', 'nobody']

/** Who runs the database: PostgreSQL refuses to run as root. */
export interface ServerUser {
  name: string
  /** What to give to `spawn`; empty when it is the user who runs this process. */
  ids: { uid?: number; gid?: number }
}

/**
 * The user for a cluster: the owner of the one that exists, else an unprivileged account of this machine.
 *
 * @throws ConfigurationError when the cluster belongs to somebody that this process can't act for
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
    return { name: userInfo().username, ids: {} }
  }
  const accounts = readAccounts()
  if (owner && owner.uid !== 0) {
    const name = accounts.find((account) => account.uid === owner.uid)?.name ?? `user ${owner.uid}`
    return { name, ids: { uid: owner.uid, gid: owner.gid } }
  }
  for (const candidate of candidates) {
    const account = accounts.find(({ name }) => name === candidate)
    if (account) return { name: account.name, ids: { uid: account.uid, gid: account.gid } }
  }
  throw new ConfigurationError(
    `PostgreSQL does not run as root, and this machine has none of the users ${candidates.join(', ')}. Start NSTP Portal as an ordinary user, or set DATABASE_URL.`,
  )
}

/** Whether the user may enter a folder that exists. Asked of the system, which knows of groups and lists. */
export async function canEnter(user: ServerUser, dir: string): Promise<boolean> {
  try {
    await run('/bin/sh', ['-c', 'cd -- "$1"', 'sh', dir], { ...user.ids, cwd: '/', env: serverEnvironment })
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

/**
 * What every process sees that runs as the database's user: no variable of ours, since some are secrets and
 * that user may read them in /proc, and nothing of the machine's language or zone, which would become the
 * cluster's.
 */
export const serverEnvironment = { PATH: process.env.PATH ?? '', LC_ALL: 'C', TZ: 'UTC' }
