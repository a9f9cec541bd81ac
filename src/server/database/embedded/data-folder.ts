import { accessSync, chmodSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { codeOf } from '#server/database/errors.ts'
import { ConfigurationError } from '#server/env.ts'
import { sha256 } from '#server/lib/digest.ts'
import { fileFaultOf } from '#server/lib/file-faults.ts'
import { canEnter, chooseServerUser, type ServerUser } from './server-user.ts'

const systemDataDir = '/var/lib'

export interface DataFolder {
  path: string
  user: ServerUser
  insteadOf?: string
}

export function clusterDirOf(dataDir: string): string {
  return join(dataDir, 'postgres')
}

/**
 * Finds the folder for the data and creates it. When root runs the product, the database runs as another user, who
 * can't enter a folder under /root. The data is then stored below /var/lib, under a name made from the requested folder, so
 * that each clone has its own. Existing data decides first: a change of permissions must not make the product start
 * with an empty database.
 * @throws ConfigurationError when there is no usable folder
 */
export async function prepareDataFolder(wanted: string, fallbackRoot = systemDataDir): Promise<DataFolder> {
  const path = resolve(wanted)
  const elsewhere = join(fallbackRoot, `nstp-portal-${sha256(path).toString('hex').slice(0, 8)}`)
  const isHere = existsSync(clusterDirOf(path))
  const isElsewhere = !isHere && existsSync(clusterDirOf(elsewhere))
  const user = chooseServerUser(clusterDirOf(isElsewhere ? elsewhere : path))

  // Only root can act for another user; other users either have access or get the system's error.
  const isOther = user.ids.uid !== undefined
  if (!isElsewhere && (!isOther || (await canEnter(user, closestFolder(path))))) {
    createFolder(path, user)
    return { path, user }
  }
  if (isHere) {
    throw new ConfigurationError(
      `The database's user '${user.name}' can no longer enter ${path}. Give it permission to pass through every folder on that path (chmod o+x), or move the data folder and set DATA_DIR.`,
    )
  }
  createFolder(elsewhere, user)
  return { path: elsewhere, user, insteadOf: path }
}

function closestFolder(path: string): string {
  let dir = path
  while (!existsSync(dir)) dir = dirname(dir)
  if (statSync(dir).isDirectory()) return dir
  throw new ConfigurationError(
    `The data folder ${path} can't be created: ${dir} is a file. Set DATA_DIR to another folder.`,
  )
}

/**
 * Creates a folder and its parents one by one: the mode of a recursive mkdir, or a strict umask, would also lock the
 * database's user out of the new parents.
 */
function createFolder(path: string, user: ServerUser) {
  try {
    if (existsSync(path)) {
      refuseAnothers(closestFolder(path))
      return accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
    }
    createParents(dirname(path))
    // The database's user may traverse it; only the owner may list it.
    createOne(path, user.ids.uid === undefined ? 0o700 : 0o711)
  } catch (cause) {
    if (cause instanceof ConfigurationError) throw cause
    const fault = fileFaultOf(cause) ?? `${String(cause)}.`
    throw new ConfigurationError(
      `The data folder ${path} can't be used. ${fault} Set DATA_DIR to another folder.`,
      { cause },
    )
  }
}

/** A folder that is closed to us because it belongs to somebody else. Root may use each. */
function refuseAnothers(path: string) {
  const { uid, mode } = statSync(path)
  const own = process.getuid?.()
  // Others, or a group, may have been let in on purpose.
  if (own === undefined || own === 0 || uid === own || (mode & 0o022) !== 0) return
  throw new ConfigurationError(
    `The data folder ${path} belongs to another user (number ${uid}). Start NSTP Portal as that user or as root, or set DATA_DIR to another folder.`,
  )
}

function createParents(path: string) {
  if (existsSync(path)) return
  createParents(dirname(path))
  createOne(path, 0o755)
}

// Race: another process may create it at the same moment.
function createOne(path: string, mode: number) {
  try {
    mkdirSync(path)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
  chmodSync(path, mode)
}
