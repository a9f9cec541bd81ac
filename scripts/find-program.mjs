import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * Finds the first of several programs in the PATH.
 * @param {readonly string[]} names
 * @returns {string | undefined} its path
 */
export function findProgram(names) {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path))
}
