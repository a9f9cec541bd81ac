import { execFileSync } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/**
 * Which process this is, told so that it can't be mistaken for a later one with the same number, one on
 * another machine, or one in another container.
 */
export interface ProcessIdentity {
  pid: number
  /** When it started, in the system's own words; empty where the system doesn't tell. */
  startedAt: string
  host: string
  /** Changes with each start of the machine; empty where the system doesn't tell. */
  boot: string
  /** The space in which the number means something (containers have their own); empty where there is one. */
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

/** Whether a process lives, or `unknown` when it can't be seen from here. */
export function stateOf(other: ProcessIdentity, own = ownIdentity()): 'alive' | 'dead' | 'unknown' {
  if (other.host !== own.host) return 'unknown'
  // The machine was restarted since.
  if (other.boot !== own.boot) return 'dead'
  if (other.pidSpace !== own.pidSpace) return 'unknown'
  return startOf(other.pid) === other.startedAt ? 'alive' : 'dead'
}

/** Whether a process with this number runs; one that has ended but wasn't collected by its parent doesn't. */
export function isRunning(pid: number): boolean {
  return startOf(pid) !== undefined
}

/** When a process started; undefined when there is none. */
function startOf(pid: number): string | undefined {
  try {
    if (process.platform !== 'linux') {
      // '=' leaves the heading out. Fails when there is no such process.
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim()
    }
    // 'pid (name) state ppid …': the name may hold anything, so count from the last parenthesis.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [state] = fields
    return state === 'Z' || state === 'X' ? undefined : fields[19]
  } catch {
    // No such process.
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
