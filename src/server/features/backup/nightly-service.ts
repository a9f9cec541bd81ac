import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { toAppError } from '#server/database/errors.ts'
import { type Actor, ownActor } from '#server/lib/actor.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { commitChange, mustBeCurrent } from '#server/lib/change.ts'
import { AppError, invalid } from '#server/lib/errors.ts'
import { createTask, endWithin } from '#server/lib/scheduler.ts'
import { createSealedSecrets } from '#server/lib/sealed-secret.ts'
import type { NightlyBackupInput } from '#shared/backup/backup.ts'
import type { NightlyBackup } from '#shared/backup/backup-response.ts'
import { calendarDateOf } from '#shared/program-calendar.ts'
import { writeNewFile } from './new-file.ts'
import { deleteOlder, mustBeUsable, nameOfNow, prepareFolder, reasonOf, tryFolder } from './nightly-folder.ts'
import { createNightlyRepository, type NightlyRow } from './nightly-repository.ts'
import type { BackupService } from './service.ts'

const hourMs = 60 * 60_000
const nightBeginsMs = 2 * hourMs
// Sweeps are an hour apart in each process.
const retryMs = 50 * 60_000
const lateMs = 48 * hourMs
const twiceMs = 10_000
const patienceMs = 15_000
const stopMs = 5_000

const messages = {
  off: 'The nightly backup is off. Name its folder first.',
  twice: 'Somebody began a backup a moment ago. Please wait a few seconds.',
  choose: 'Please choose a passphrase.',
  unreadable:
    'The passphrase of the nightly backup can’t be read, because the secret key is another one. Please set it again.',
  late: 'There was no nightly backup for more than two days.',
  unknown: 'It was broken off. The log of the server says why.',
}

type NightlyOptions = Pick<
  AppContext,
  'env' | 'database' | 'publish' | 'clock' | 'timeZone' | 'audit' | 'log' | 'closing' | 'secretKey'
>

/** Backups to a folder of the server, once a night, or when somebody asks. */
export function createNightlyBackups(options: NightlyOptions, backups: Pick<BackupService, 'make'>) {
  const { env, database, publish, clock, timeZone, log, closing, secretKey } = options
  const sealed = createSealedSecrets({ secretKey, purpose: 'nightly backup' })
  const stored = createNightlyRepository(database.db)
  const task = createTask({ name: 'nightly backup', run: runIfDue, log, closing })
  const running = new Set<Promise<unknown>>()

  const passphraseOf = ({ passphrase }: NightlyRow) => passphrase && sealed.open(passphrase)

  function statusOf(row: NightlyRow): NightlyBackup {
    const { version, folder, madeAt, bytes, kept } = row
    return {
      version,
      folder,
      hasPassphrase: passphraseOf(row) !== null,
      madeAt: madeAt?.toISOString() ?? null,
      bytes: bytes === null ? null : Number(bytes),
      kept,
      problem: problemOf(row),
    }
  }

  function problemOf(row: NightlyRow): string | null {
    const { folder, failure, madeAt, changedAt } = row
    if (folder === '') return null
    if (passphraseOf(row) === null) return messages.unreadable
    if (failure !== null) return failure
    const since = madeAt ?? changedAt
    return since && clock().getTime() - since.getTime() > lateMs ? messages.late : null
  }

  async function runIfDue(): Promise<void> {
    const row = await stored.find()
    const now = clock()
    if (!isDue(row, now, timeZone) || !(await stored.claim(row, now))) return
    await run(row, ownActor('system'))
  }

  /** Makes the file, and notes in the database how that ended. */
  async function run(row: NightlyRow, actor: Actor): Promise<void> {
    const { version, folder } = row
    try {
      const { madeAt, bytes, name } = await writeFile(row, actor)
      await stored.noteMade(version, { madeAt, bytes, ...(await tidy(folder, name, madeAt)) })
    } catch (error) {
      // Another backup is under way, or the product stops: neither is a fault, and it is tried again.
      const isOther = error instanceof AppError && error.code === 'too_many_requests'
      if (isOther || closing.aborted) throw error
      await stored.noteFailure(version, sentenceOf(error, folder))
    } finally {
      publish('settings')
    }
  }

  async function writeFile(row: NightlyRow, actor: Actor) {
    const passphrase = passphraseOf(row)
    if (passphrase === null) throw new AppError('unavailable', messages.unreadable)
    // The folder is tried before there is an entry in the trail: one that is gone is tried every hour.
    await tryFolder(row.folder)
    const madeAt = clock()
    const name = await nameOfNow(row.folder, madeAt, timeZone)
    const path = join(row.folder, name)
    const { content, finish, breakOff } = await backups.make({ actor, passphrase, isNightly: true })
    try {
      await writeNewFile(path, content, closing)
    } catch (error) {
      await breakOff()
      throw error
    }
    await finish()
    return { madeAt, name, bytes: (await stat(path)).size }
  }

  // The file is there whatever comes of the older ones.
  async function tidy(folder: string, made: string, now: Date) {
    try {
      return { kept: await deleteOlder(folder, made, now), failure: null }
    } catch (error) {
      return { kept: null, failure: `Older files can’t be deleted. ${sentenceOf(error, folder)}` }
    }
  }

  function sentenceOf(error: unknown, folder: string): string {
    if (error instanceof AppError && !error.errors) return error.message
    const reason = reasonOf(error)
    if (reason !== undefined) return `${folder}: ${reason}`
    log.warn({ err: error }, 'the nightly backup was broken off')
    return toAppError(error)?.message ?? messages.unknown
  }

  function differenceOf(row: NightlyRow, { folder, passphrase }: NightlyBackupInput) {
    const isOn = folder !== ''
    const isMoved = folder !== row.folder
    const newPassphrase = isOn ? passphrase : undefined
    const fields = [...(isMoved ? ['folder'] : []), ...(newPassphrase === undefined ? [] : ['passphrase'])]
    const kept = isOn ? row.passphrase : null
    return {
      isMoved,
      fields,
      sealedPassphrase: newPassphrase === undefined ? kept : sealed.seal(newPassphrase),
    }
  }

  return {
    status: async (): Promise<NightlyBackup> => statusOf(await stored.find()),

    async change(input: NightlyBackupInput, version: number, actor: Actor): Promise<NightlyBackup> {
      const { folder, passphrase } = input
      const before = mustBeCurrent(await stored.find(), '', version)
      if (folder !== '') {
        if (passphrase === undefined && passphraseOf(before) === null) {
          throw invalid('passphrase', messages.choose)
        }
        await (folder === before.folder ? mustBeUsable(folder) : prepareFolder(folder, env.DATA_DIR))
      }
      return await commitChange(options, 'settings', async (tx, record) => {
        const nightly = createNightlyRepository(tx)
        const row = mustBeCurrent(await nightly.findForChange(), '', version)
        const { isMoved, fields, sealedPassphrase } = differenceOf(row, input)
        if (fields.length === 0) return statusOf(row)
        await nightly.change({
          version: version + 1,
          folder,
          passphrase: sealedPassphrase,
          changedAt: clock(),
        })
        if (isMoved) await nightly.forgetFiles()
        const values = { before: { folder: row.folder }, after: { folder } }
        await record({ action: 'nightly-backup-changed', actor, fields, ...(isMoved && { values }) })
        return statusOf(await nightly.find())
      })
    },

    /** @returns after its end, or while a large one is still being written */
    async makeNow(actor: Actor): Promise<NightlyBackup & { isRunning: boolean }> {
      const row = await stored.find()
      if (row.folder === '') throw new AppError('conflict', messages.off)
      const now = clock()
      const sinceMs = row.triedAt ? now.getTime() - row.triedAt.getTime() : twiceMs
      const isTwice = row.failure === null && sinceMs >= 0 && sinceMs < twiceMs
      if (isTwice || !(await stored.claim(row, now))) {
        throw new AppError('too_many_requests', { detail: messages.twice, retryAfter: twiceMs / 1000 })
      }
      let isRunning = true
      const made = run(row, actor).finally(() => {
        isRunning = false
        running.delete(made)
      })
      running.add(made)
      await endWithin(patienceMs, made)
      return { ...statusOf(await stored.find()), isRunning }
    },

    /** Called by the hourly clean-up, which doesn't wait for the backup. */
    wake: task.wake,

    close: () => endWithin(stopMs, Promise.allSettled([task.close(), ...running])),
  }
}

export function isDue(
  { folder, madeAt, triedAt }: Pick<NightlyRow, 'folder' | 'madeAt' | 'triedAt'>,
  now: Date,
  timeZone: string,
): boolean {
  const nightOf = (at: Date) => calendarDateOf(new Date(at.getTime() - nightBeginsMs), timeZone)
  if (folder === '') return false
  // Not `<`: a clock that ran ahead would end the nightly backups until that day.
  if (madeAt && nightOf(madeAt) === nightOf(now)) return false
  return triedAt === null || Math.abs(now.getTime() - triedAt.getTime()) >= retryMs
}
