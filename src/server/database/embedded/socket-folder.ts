import { chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { ServerUser } from './server-user.ts'

export const serverPort = 5432
// Bytes in a Unix socket's path without its terminator: 103 on macOS, 107 on Linux.
const maxSocketPathBytes = 103

const elsewhere = '/tmp/nstp-socket-'

/**
 * Creates an empty folder for the server's socket, closed to other users: the socket asks for no password. Beside the
 * data where that path is short enough, else under /tmp with an unpredictable name.
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

export function removeSocketFolder(dir: string) {
  if (dir.startsWith(elsewhere)) rmSync(dir, { recursive: true, force: true })
}
