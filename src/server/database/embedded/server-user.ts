import { execFile } from 'node:child_process'
import { existsSync, readFileSync, type Stats, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { promisify } from 'node:util'
import { ConfigurationError } from '#server/env.ts'

const run = promisify(execFile)

// Accounts that may run the database when root runs the product, best first.
const candidates = ['nstp-portal', 'postgres', '_postgres', 'nobody']

// PostgreSQL refuses to run as root.
export interface ServerUser {
  name: string
  ids: { uid?: number; gid?: number }
}

/**
 * The user for a cluster: the owner of an existing one, else an unprivileged account of this machine.
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

// Asks the system, which knows groups and access lists.
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

// No variable of ours: some are secrets, and the database's user can read them in /proc. No locale or time zone of the
// machine either: they would become the cluster's.
export const serverEnvironment = { PATH: process.env.PATH ?? '', LC_ALL: 'C', TZ: 'UTC' }
