import { chmodSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findClockLibrary } from '../../scripts/clock-library.mjs'
import { makeTemporaryFolder } from './temporary-folder.ts'

/** Without it, tests that move the clock of the built product are skipped. */
export const canMoveClock = findClockLibrary() !== undefined

/** The time in a product and its database. */
export interface ProductClock {
  now: () => Date
  /** From there it goes on; timers do as if nothing had happened. */
  moveTo: (moment: Date) => void
}

export const systemClock: ProductClock = {
  now: () => new Date(),
  moveTo() {
    throw new Error('the product was started without a clock that moves')
  },
}

const ofDatabase = fileURLToPath(new URL('moved-database-clock.mjs', import.meta.url))

export function createMovedClock(first: Date) {
  const library = findClockLibrary()
  if (library === undefined) throw new Error('libfaketime is missing')
  const folder = makeTemporaryFolder()
  const file = join(folder.path, 'clock')
  let ahead = 0
  const clock: ProductClock = {
    now: () => new Date(Date.now() + ahead),
    moveTo(moment) {
      ahead = moment.getTime() - Date.now()
      // At once: a half-written file would be another time.
      writeFileSync(`${file}.new`, `${ahead < 0 ? '-' : '+'}${Math.abs(ahead) / 1_000}\n`)
      // The database's user reads it too.
      chmodSync(`${file}.new`, 0o644)
      renameSync(`${file}.new`, file)
    },
  }
  clock.moveTo(first)
  return {
    clock,
    env: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      // Timers, and what the product measures, go on.
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      NO_FAKE_STAT: '1',
      NODE_OPTIONS: `--import=${ofDatabase}`,
    },
    /** @param pid of the product, which as another user than it began can't do it at its end */
    remove(pid = 0) {
      for (const name of ['faketime_shm', 'sem.faketime_sem'])
        rmSync(`/dev/shm/${name}_${pid}`, { force: true })
      folder.remove()
    },
  }
}
