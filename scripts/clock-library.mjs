import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const libraries = '/usr/lib'

/** @returns {string | undefined} of Debian's libfaketime, which gives a program another time */
export function findClockLibrary() {
  if (process.platform !== 'linux') return undefined
  // A folder has the name of its kind of machine.
  return readdirSync(libraries)
    .map((name) => join(libraries, name, 'faketime', 'libfaketimeMT.so.1'))
    .find((path) => existsSync(path))
}
