import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '#tests/setup/free-port.ts'

const startMs = 60_000
const pollEveryMs = 5

export interface Running {
  port: number
  pid: number
  // In ms, from the start of the process to the end of its first response.
  firstAnswerMs: number
  stop: () => Promise<void>
}

interface Program {
  args: readonly string[]
  env: Record<string, string>
  path: string
  logFile: string
}

export async function startProgram({ args, env, path, logFile }: Program): Promise<Running> {
  const port = await findFreePort()
  const log = openSync(logFile, 'a')
  const startedAt = performance.now()
  const child = spawn(process.execPath, args, {
    env: { ...process.env, NODE_ENV: 'production', PORT: String(port), ...env },
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  await waitForAnswer(child, `http://127.0.0.1:${port}${path}`, logFile)
  const firstAnswerMs = performance.now() - startedAt
  return { port, pid: child.pid ?? 0, firstAnswerMs, stop: () => stop(child) }
}

async function waitForAnswer(child: ChildProcess, url: string, logFile: string) {
  for (const end = performance.now() + startMs; performance.now() < end; ) {
    // Not listening yet is an ordinary answer while it starts.
    const answer = await fetch(url).catch(() => undefined)
    await answer?.arrayBuffer()
    if (answer?.ok) return
    if (child.exitCode !== null) throw new Error(`it ended: ${readFileSync(logFile, 'utf8')}`)
    await sleep(pollEveryMs)
  }
  throw new Error(`no answer from ${url} in ${startMs} ms`)
}

async function stop(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
}

export interface Memory {
  // In megabytes; shared pages count in proportion.
  own: number
  // In megabytes, of the child processes: the database.
  below: number
}

/** Memory of a process and its children; null where the system has no /proc. */
export function readMemory(pid: number): Memory | null {
  const own = proportionalSize(pid)
  if (own === null) return null
  const below = descendants(pid).reduce((sum, child) => sum + (proportionalSize(child) ?? 0), 0)
  return { own: own / 1024, below: below / 1024 }
}

/** Megabytes of one process, fast enough for polling; null where the system has no /proc. */
export function readResidentSize(pid: number): number | null {
  try {
    const text = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/^VmRSS:\s+(\d+)/m.exec(text)?.[1] ?? 0) / 1024
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

function proportionalSize(pid: number): number | null {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
    return Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0)
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

function descendants(pid: number): number[] {
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
  return children.flatMap((name) => [Number(name), ...descendants(Number(name))])
}

function parentOf(pid: string): number | undefined {
  try {
    // 'pid (name) state parent …'; the name may contain spaces and parentheses.
    const stat = readFileSync(join('/proc', pid, 'stat'), 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')
}
