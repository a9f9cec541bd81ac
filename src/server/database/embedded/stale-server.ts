import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { codeOf } from '#server/database/errors.ts'
import { sleep } from '#server/lib/scheduler.ts'

const politeMs = 20_000
const firmMs = 10_000
const pollEveryMs = 25

/**
 * Ends a server that a killed process left behind, and removes its files. Only the owner of the folder may call this:
 * any server that still runs there is an orphan.
 */
export async function endStaleServer(clusterDir: string, log: Logger): Promise<void> {
  const server = readServerFile(clusterDir)
  if (server && worksIn(server.pid, clusterDir)) {
    log.info({ databasePid: server.pid }, 'stopping the database that an earlier process left behind')
    await stop(server.pid)
  }
  await waitForBackends(clusterDir)
  // PostgreSQL would refuse to start when another process has the pid in the file meanwhile.
  rmSync(serverFile(clusterDir), { force: true })
}

async function stop(pid: number) {
  // SIGINT is PostgreSQL's fast shutdown, SIGQUIT the immediate one.
  for (const [name, ms] of [['SIGINT', politeMs] as const, ['SIGQUIT', firmMs] as const]) {
    signal(pid, name)
    // A suspended process receives the signal only when it continues.
    signal(pid, 'SIGCONT')
    for (let waited = 0; waited < ms; waited += pollEveryMs) {
      if (!isRunning(pid)) return
      await sleep(pollEveryMs)
    }
  }
  throw new Error(`the database process ${pid}, left behind by an earlier start, does not stop`)
}

function signal(pid: number, name: NodeJS.Signals) {
  try {
    process.kill(pid, name)
  } catch (error) {
    // The process has ended meanwhile.
    if (codeOf(error) !== 'ESRCH') throw error
  }
}

// Backends notice the end of their postmaster with a delay, and may write until then.
async function waitForBackends(clusterDir: string) {
  if (process.platform !== 'linux') return
  for (let waited = 0; ; waited += pollEveryMs) {
    const busy = serverProcessesIn(clusterDir)
    if (busy.length === 0) return
    if (waited > firmMs)
      throw new Error(`processes ${busy.join(', ')} still use the database in ${clusterDir}`)
    await sleep(pollEveryMs)
  }
}

function serverProcessesIn(clusterDir: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && worksIn(pid, clusterDir))
}

// A PostgreSQL process has its cluster as its working directory.
function worksIn(pid: number, clusterDir: string): boolean {
  try {
    if (process.platform === 'linux') {
      if (readFileSync(`/proc/${pid}/comm`, 'utf8').trim() !== 'postgres') return false
      // Folders are compared by inode, not by name: in a container the same name may be another folder.
      const [theirs, ours] = [statSync(`/proc/${pid}/cwd`), statSync(clusterDir)]
      return theirs.ino === ours.ino && theirs.dev === ours.dev
    }
    const command = execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
    return command.includes('postgres') && command.includes(clusterDir)
  } catch {
    // It ended, or belongs to another user.
    return false
  }
}

function serverFile(clusterDir: string): string {
  return join(clusterDir, 'postmaster.pid')
}

/** Reads postmaster.pid, whether or not that server still runs. */
export function readServerFile(clusterDir: string): { pid: number; host: string; port: number } | undefined {
  const file = serverFile(clusterDir)
  if (!existsSync(file)) return undefined
  const [pid, , , port, host = ''] = readFileSync(file, 'utf8').split('\n')
  return { pid: Number(pid), port: Number(port), host }
}

export function findServer(clusterDir: string): { host: string; port: number } | undefined {
  const server = readServerFile(clusterDir)
  return server && { host: server.host, port: server.port }
}

/** Identifies a process among later ones with the same pid, other machines and other containers. */
interface ProcessIdentity {
  pid: number
  // The text that the system prints; empty where it is unknown.
  startedAt: string
  host: string
  // Changes with each boot of the machine; empty where it is unknown.
  boot: string
  // The pid namespace (containers have their own); empty where there is only one.
  pidSpace: string
}

export function ownIdentity(): ProcessIdentity {
  return {
    pid: process.pid,
    startedAt: startOf(process.pid) ?? '',
    host: hostname(),
    boot: readIfThere(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    pidSpace: readIfThere(() => readlinkSync('/proc/self/ns/pid')),
  }
}

/** Whether a process is alive; `unknown` when it can't be seen from this machine or container. */
export function stateOf(other: ProcessIdentity, own = ownIdentity()): 'alive' | 'dead' | 'unknown' {
  if (other.host !== own.host) return 'unknown'
  // The machine was restarted since.
  if (other.boot !== own.boot) return 'dead'
  if (other.pidSpace !== own.pidSpace) return 'unknown'
  return startOf(other.pid) === other.startedAt ? 'alive' : 'dead'
}

/** Whether a process with this pid runs. A zombie doesn't count. */
export function isRunning(pid: number): boolean {
  return startOf(pid) !== undefined
}

function startOf(pid: number): string | undefined {
  try {
    if (process.platform !== 'linux') {
      // '=' leaves the heading out. Fails when there is no such process.
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim()
    }
    // 'pid (name) state ppid …': the name may contain any characters, so count from the last parenthesis.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [state] = fields
    return state === 'Z' || state === 'X' ? undefined : fields[19]
  } catch {
    // There is no such process.
    return undefined
  }
}

function readIfThere(read: () => string): string {
  try {
    return read()
  } catch {
    // Only Linux has these files.
    return ''
  }
}
