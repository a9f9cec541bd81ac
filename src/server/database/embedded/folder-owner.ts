import { randomUUID } from 'node:crypto'
import {
  chownSync,
  linkSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { z } from '@hono/zod-openapi'
import { codeOf } from '#server/database/errors.ts'
import { ConfigurationError } from '#server/env.ts'
import { every, sleep } from '#server/lib/scheduler.ts'
import type { ServerUser } from './server-user.ts'
import { ownIdentity, stateOf } from './stale-server.ts'

const heartbeatMs = 2_000
// How long an owner on another machine or in another container is watched for a heartbeat.
const watchMs = 3 * heartbeatMs + 1_000

const recordSchema = z.object({
  pid: z.int(),
  startedAt: z.string(),
  host: z.string(),
  boot: z.string(),
  pidSpace: z.string(),
  // The folder's inode: a record in a copied folder doesn't count.
  folder: z.number(),
  released: z.boolean(),
})

type OwnerRecord = z.output<typeof recordSchema>

export interface FolderOwnership {
  release: () => void
}

/**
 * Makes this process the only owner of a data folder, also against processes that start at the same moment and after
 * owners that were killed. Records are numbered files `owner-N.json`. A process that finds the newest record's owner
 * dead creates the next number by link(2), which succeeds for one process only and never shows a partial record.
 * Numbers are never reused, since released records remain: a process delayed between reading and linking either fails
 * or sees a newer record and gives up. The record belongs to the database's user, as whom the product continues.
 * @throws FolderTakenError when a living process owns the folder
 */
export async function ownFolder(dir: string, { ids }: Pick<ServerUser, 'ids'>): Promise<FolderOwnership> {
  const record: OwnerRecord = { ...ownIdentity(), folder: statSync(dir).ino, released: false }
  const newest = listRecords(dir).at(-1) ?? 0
  const newestPath = recordPath(dir, newest)
  const owner = readRecord(newestPath)
  if (owner && (await isAlive(newestPath, owner, record))) throw alreadyRuns(dir, owner)

  const own = newest + 1
  const path = recordPath(dir, own)
  if (!linkRecord(dir, path, record, ids)) throw alreadyRuns(dir, readRecord(path))
  const winner = listRecords(dir).at(-1) ?? own
  if (winner !== own) {
    rmSync(path, { force: true })
    throw alreadyRuns(dir, readRecord(recordPath(dir, winner)))
  }
  for (const number of listRecords(dir)) {
    if (number < own) rmSync(recordPath(dir, number), { force: true })
  }

  const stopHeartbeat = every(heartbeatMs, () => showLife(path))
  return {
    release() {
      stopHeartbeat()
      // The file is overwritten in place, because the folder may be closed to this user. A record that a crash
      // truncates counts as released too.
      writeFileSync(path, JSON.stringify({ ...record, released: true }))
    },
  }
}

async function isAlive(path: string, owner: OwnerRecord, own: OwnerRecord): Promise<boolean> {
  if (owner.released || owner.folder !== own.folder) return false
  const state = stateOf(owner, own)
  if (state !== 'unknown') return state === 'alive'
  // Its number means nothing here, but an owner that lives touches its record.
  const before = lastSignOfLife(path)
  for (let waited = 0; waited < watchMs; waited += heartbeatMs / 2) {
    await sleep(heartbeatMs / 2)
    if (lastSignOfLife(path) !== before) return true
  }
  return false
}

function showLife(path: string) {
  try {
    utimesSync(path, new Date(), new Date())
  } catch {
    // The folder is missing or unreadable: the database reports that itself.
  }
}

function lastSignOfLife(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs
}

function linkRecord(
  dir: string,
  path: string,
  record: OwnerRecord,
  { uid, gid }: ServerUser['ids'],
): boolean {
  const draft = draftPath(dir)
  writeFileSync(draft, JSON.stringify(record), { mode: 0o644 })
  try {
    if (uid !== undefined && gid !== undefined) chownSync(draft, uid, gid)
    linkSync(draft, path)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

function listRecords(dir: string): number[] {
  return readdirSync(dir)
    .map((name) => Number(/^owner-(\d+)\.json$/.exec(name)?.[1]))
    .filter((number) => number > 0)
    .sort((a, b) => a - b)
}

function recordPath(dir: string, number: number): string {
  return join(dir, `owner-${number}.json`)
}

function draftPath(dir: string): string {
  return join(dir, `owner-draft-${randomUUID()}.json`)
}

// Undefined when the record is missing, or was truncated by a power failure. One that may not be read is of an owner that
// may live.
function readRecord(path: string): OwnerRecord | undefined {
  try {
    return recordSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch (error) {
    const code = codeOf(error)
    if (code !== undefined && code !== 'ENOENT') throw error
    return undefined
  }
}

export class FolderTakenError extends ConfigurationError {
  override name = 'FolderTakenError'
}

function alreadyRuns(dir: string, owner: OwnerRecord | undefined): FolderTakenError {
  const who = owner ? ` (process ${owner.pid}${owner.host === hostname() ? '' : ` on ${owner.host}`})` : ''
  return new FolderTakenError(
    `NSTP Portal is already running from this data folder${who}: ${dir}. Stop it first, or set DATA_DIR to another folder.`,
  )
}
