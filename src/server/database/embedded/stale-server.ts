import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { codeOf } from '#server/database/errors.ts'
import { isRunning } from './process-identity.ts'
import { readServerFile, serverFile } from './server-file.ts'

const politeMs = 20_000
const firmMs = 10_000
const lookEveryMs = 25

/**
 * Ends a server that a killed process left behind, and clears what it left in the way of a new one. Only the
 * owner of the folder may call this: then whatever still runs there is nobody's.
 */
export async function endStaleServer(clusterDir: string, log: Logger): Promise<void> {
  const server = readServerFile(clusterDir)
  if (server && worksIn(server.pid, clusterDir)) {
    log.info({ databasePid: server.pid }, 'stopping the database that an earlier process left behind')
    await stop(server.pid)
  }
  await waitForBackends(clusterDir)
  // PostgreSQL would refuse to start when the number in the file has meanwhile gone to another process.
  rmSync(serverFile(clusterDir), { force: true })
}

async function stop(pid: number) {
  // SIGINT is PostgreSQL's fast shutdown, SIGQUIT the immediate one.
  for (const [name, ms] of [['SIGINT', politeMs] as const, ['SIGQUIT', firmMs] as const]) {
    signal(pid, name)
    // A suspended process takes no notice before it goes on.
    signal(pid, 'SIGCONT')
    for (let waited = 0; waited < ms; waited += lookEveryMs) {
      if (!isRunning(pid)) return
      await sleep(lookEveryMs)
    }
  }
  throw new Error(`the database process ${pid}, left behind by an earlier start, does not stop`)
}

function signal(pid: number, name: NodeJS.Signals) {
  try {
    process.kill(pid, name)
  } catch (error) {
    // It ended in this very moment.
    if (codeOf(error) !== 'ESRCH') throw error
  }
}

/** Server processes notice the end of their postmaster by themselves; until then they may write. */
async function waitForBackends(clusterDir: string) {
  if (process.platform !== 'linux') return
  for (let waited = 0; ; waited += lookEveryMs) {
    const busy = serverProcessesIn(clusterDir)
    if (busy.length === 0) return
    if (waited > firmMs)
      throw new Error(`processes ${busy.join(', ')} still use the database in ${clusterDir}`)
    await sleep(lookEveryMs)
  }
}

function serverProcessesIn(clusterDir: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && worksIn(pid, clusterDir))
}

/** Whether the process is a PostgreSQL of this very folder: each has its working directory there. */
function worksIn(pid: number, clusterDir: string): boolean {
  try {
    if (process.platform === 'linux') {
      if (readFileSync(`/proc/${pid}/comm`, 'utf8').trim() !== 'postgres') return false
      // By number, not by name: in a container the same name may be another folder.
      const [theirs, ours] = [statSync(`/proc/${pid}/cwd`), statSync(clusterDir)]
      return theirs.ino === ours.ino && theirs.dev === ours.dev
    }
    const command = execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
    return command.includes('postgres') && command.includes(clusterDir)
  } catch {
    // It ended, or belongs to somebody else.
    return false
  }
}
