import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { isAbsolute, join, normalize, resolve } from 'node:path'
import { codeOf } from '#server/database/errors.ts'
import { AppError, invalid } from '#server/lib/errors.ts'
import { fileFaultOf } from '#server/lib/file-faults.ts'
import { endWithin } from '#server/lib/scheduler.ts'
import { nightsKept } from '#shared/backup/backup.ts'
import { calendarDateOf, perZone } from '#shared/program-calendar.ts'

const beginning = 'nstp-portal-'
const fileName = /^nstp-portal-(\d{4}-\d\d-\d\d)(-\d{6})?\.nstp$/
// A file, or the test of the folder, that was killed before its end.
const draftName = /^nstp-portal-(\d{4}-\d\d-\d\d(-\d{6})?\.nstp|test)\.[0-9a-f]{8}\.part$/

const draftMs = 24 * 60 * 60_000
const answerMs = 10_000

const times = perZone(
  (timeZone) =>
    new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', second: '2-digit' }),
)

/** A second one of a day has its time too. */
export async function nameOfNow(folder: string, now: Date, timeZone: string): Promise<string> {
  const day = beginning + calendarDateOf(now, timeZone)
  const isTaken = (await readdir(folder)).includes(`${day}.nstp`)
  return `${day}${isTaken ? `-${times(timeZone).format(now).replaceAll(':', '')}` : ''}.nstp`
}

/** @throws AppError `invalid`; the file system's error */
export async function tryFolder(folder: string): Promise<void> {
  await answered(folder, async () => {
    if (!(await stat(folder)).isDirectory()) throw invalid('folder', 'It is a file, not a folder.')
    const test = join(folder, `${beginning}test.${randomBytes(4).toString('hex')}.part`)
    try {
      await writeFile(test, 'x', { flag: 'wx', mode: 0o600, flush: true })
    } finally {
      await rm(test, { force: true })
    }
  })
}

/**
 * Makes it where there is none. Only when it is chosen: at night a folder that is gone is a disk that isn't there.
 * @param dataDir a copy in it is lost with it, and what is in the build may be served to visitors
 * @throws AppError with the system's reason beside the field
 */
export async function prepareFolder(folder: string, dataDir: string): Promise<void> {
  if (!isAbsolute(folder) || normalize(folder) !== folder) {
    throw invalid('folder', 'Please write the whole path, such as /mnt/backup/nstp.')
  }
  if ([resolve(dataDir), resolve('build')].some((own) => `${folder}/`.startsWith(`${own}/`))) {
    throw invalid('folder', 'This folder is of NSTP Portal itself. Please choose one elsewhere.')
  }
  await mustBeUsable(folder, () => mkdir(folder, { recursive: true, mode: 0o700 }))
}

/** @throws AppError with the system's reason beside the field */
export async function mustBeUsable(folder: string, make?: () => Promise<unknown>): Promise<void> {
  try {
    if (make) await answered(folder, make)
    await tryFolder(folder)
  } catch (error) {
    const reason = reasonOf(error)
    if (reason === undefined) throw error
    throw invalid('folder', `This folder can’t be used. ${reason}`, error)
  }
}

const forbidden: readonly unknown[] = ['EACCES', 'EPERM', 'EROFS']
const noFolder: readonly unknown[] = ['EEXIST', 'ENOTDIR']

/** Undefined for an error that isn't the folder's. */
export function reasonOf(error: unknown): string | undefined {
  if (error instanceof AppError) return error.message
  if (noFolder.includes(codeOf(error))) return 'A part of its path is a file, not a folder.'
  const fault = fileFaultOf(error)
  if (fault === undefined || !forbidden.includes(codeOf(error))) return fault
  return `${fault} NSTP Portal must be allowed to write there.`
}

// What didn't answer yet. Each try holds one of the few threads that all files share, so there is no second one.
const silent = new Set<string>()

/** A share on another machine may not answer at all. */
async function answered(folder: string, work: () => Promise<unknown>): Promise<void> {
  let isEnded = false
  if (!silent.has(folder)) {
    const ended = work().finally(() => {
      isEnded = true
      silent.delete(folder)
    })
    await endWithin(answerMs, ended)
  }
  if (isEnded) return
  silent.add(folder)
  throw invalid('folder', 'It doesn’t answer.')
}

/**
 * Deletes what is older than the kept days, and nothing of another name. By days, so that many of one day leave those of
 * the others.
 * @param made never deleted, also where the clock went back
 * @returns how many there are
 */
export async function deleteOlder(folder: string, made: string, now: Date): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name)
  const dayOf = (name: string) => fileName.exec(name)?.[1] ?? ''
  const own = names.filter((name) => fileName.test(name))
  const days = [...new Set(own.map(dayOf))].sort().slice(-nightsKept)
  const older = own.filter((name) => name !== made && !days.includes(dayOf(name)))
  for (const name of older) await rm(join(folder, name))
  for (const name of names.filter((one) => draftName.test(one))) {
    const path = join(folder, name)
    if (now.getTime() - (await stat(path)).mtimeMs > draftMs) await rm(path)
  }
  return own.length - older.length
}
