import { chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { ServerUser } from './server-user.ts'

export const serverPort = 5432
/** What a Unix socket's path may have, without its end mark: 103 bytes on macOS, 107 on Linux. */
const maxSocketPathBytes = 103

/** What a folder's name begins with where the data's own path is too long. */
const elsewhere = '/tmp/nstp-socket-'

/**
 * Makes an empty folder for the server's socket, closed to other users: who enters it is let in without a
 * password. Beside the data where that path is short enough, else under /tmp by a name that nobody can
 * prepare.
 */
export function createSocketFolder(dataDir: string, user: ServerUser): string {
  const beside = join(dataDir, 'socket')
  rmSync(beside, { recursive: true, force: true })
  const isShort = Buffer.byteLength(join(beside, `.s.PGSQL.${serverPort}`)) <= maxSocketPathBytes
  if (isShort) mkdirSync(beside, { mode: 0o700 })
  const dir = isShort ? beside : mkdtempSync(elsewhere)
  if (user.ids.uid !== undefined && user.ids.gid !== undefined) chownSync(dir, user.ids.uid, user.ids.gid)
  return dir
}

/** Removes the socket's folder of a server that has ended, where it isn't part of the data folder. */
export function removeSocketFolder(dir: string) {
  if (dir.startsWith(elsewhere)) rmSync(dir, { recursive: true, force: true })
}
