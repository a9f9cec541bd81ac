import { isDeepStrictEqual } from 'node:util'
import { v4 as createToken } from 'uuid'
import { type Access, officeItself } from '#server/lib/access.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { AppError } from '#server/lib/errors.ts'
import { every, sleep } from '#server/lib/scheduler.ts'
import { accountEnded } from '#shared/auth/account.ts'
import { purposePermissions } from '#shared/imports/imports.ts'
import { problemSentences } from '#shared/problem.ts'
import { runList } from './apply-rows.ts'
import { type CheckingOptions, checkRows } from './check-rows.ts'
import { type ImportingOptions, runImport } from './import-rows.ts'
import {
  createImportsRepository,
  type StoredImport,
  type WorkOrder,
  workLeaseSeconds,
} from './imports-repository.ts'
import { listOf } from './match-rows.ts'

const beatMs = (workLeaseSeconds * 1000) / 5

class WorkLost extends Error {
  override name = 'WorkLost'
}

export type WorkOptions = CheckingOptions &
  ImportingOptions &
  Pick<AppContext, 'log' | 'closing'> & {
    /** What an account may do now; null when there is none. */
    accessOfStored: (adminId: string) => Promise<Access | null>
  }

/** Progress is stored in the database and the import's row has the claim, so that one process works at a time and any can resume after a crash. */
export function createImportWork(options: WorkOptions) {
  const { publish, log, closing } = options
  const { db } = options.database
  const imports = createImportsRepository(db)
  const own = new Set<string>()
  const restarts = new Set<string>()

  async function work(id: string): Promise<void> {
    const token = createToken()
    const job = await imports.claim(id, token)
    if (!job) return
    const orderWith = (access: Access): WorkOrder => ({
      job,
      access,
      async advance(done, tx = db) {
        if (closing.aborted || !(await createImportsRepository(tx).advance(id, token, done)))
          throw new WorkLost()
        await mustStillHave(access, job)
        publish('imports')
      },
      async finish(outcome, tx) {
        await mustStillHave(access, job)
        if (!(await createImportsRepository(tx).finish(id, token, outcome))) throw new WorkLost()
      },
    })
    // A single statement over all rows may take longer than the claim lasts. A beat that fails is made good by the
    // next, or the claim is lost, which the work itself hears of.
    const stopBeat = every(beatMs, () => imports.advance(id, token, {}).catch(() => undefined))
    try {
      const order = orderWith(await accessOfWork(job))
      const list = listOf(job, options.lists)
      if (job.state === 'checking') await checkRows(order, options)
      else if (list) await runList(order, list, options)
      else await runImport(order, options)
    } catch (error) {
      await giveUp(job, token, error)
    } finally {
      stopBeat()
      publish('imports')
    }
  }

  // The product itself ordered the work of an older version, which stored no account.
  async function accessOfWork({ actor, purpose }: StoredImport): Promise<Access> {
    if (!actor?.adminId) return officeItself
    const access = await options.accessOfStored(actor.adminId)
    if (access?.can('imports') && access.can(purposePermissions[purpose])) return access
    if (!access) throw new AppError('permission_denied', accountEnded)
    throw new AppError('permission_denied', 'The account that started this may no longer import.')
  }

  // The account may end, or get other rights, while thousands of rows are worked on. At the end of a transaction this
  // takes all of it back.
  async function mustStillHave({ account }: Access, job: StoredImport): Promise<void> {
    const { account: stored } = await accessOfWork(job)
    if (stored.role === account.role && isDeepStrictEqual(stored.components, account.components)) return
    throw new AppError('permission_denied', 'The account that started this has got other rights meanwhile.')
  }

  async function giveUp(job: StoredImport, token: string, error: unknown): Promise<void> {
    if (error instanceof WorkLost) {
      await imports.update(job.id, { workToken: null, workUntil: null }, token)
      return
    }
    if (closing.aborted) return
    log.warn({ err: error, import: job.id }, 'work on an import failed')
    const sentence = error instanceof AppError ? error.message : problemSentences.unavailable
    const isCheck = job.state === 'checking'
    await imports.finish(job.id, token, {
      state: isCheck ? 'uploaded' : 'checked',
      failure: `${isCheck ? 'The check could not be finished' : nothingWas(job)}. ${sentence}`,
    })
  }

  function start(id: string): void {
    if (closing.aborted) return
    if (own.has(id)) {
      restarts.add(id)
      return
    }
    own.add(id)
    void work(id)
      // The claim expires, and the next process resumes the work.
      .catch((error: unknown) => {
        if (!closing.aborted) log.warn({ err: error, import: id }, 'work on an import stopped')
      })
      .finally(() => {
        own.delete(id)
        if (restarts.delete(id)) start(id)
      })
  }

  return {
    start,

    // Resumes abandoned work, and work whose claim expires within seconds. Only the end of the server breaks the loop off.
    async resume(): Promise<void> {
      while (!closing.aborted) {
        const others = (await imports.working()).filter(({ id }) => !own.has(id))
        for (const { id, isAbandoned } of others) if (isAbandoned) start(id)
        if (others.every(({ isAbandoned }) => isAbandoned)) return
        await sleep(workLeaseSeconds * 1000, closing)
      }
    },
  }
}

function nothingWas({ purpose, updateBy }: StoredImport): string {
  if (purpose !== 'students') return 'Nothing was changed'
  return updateBy ? 'Nothing was updated' : 'Nothing was imported'
}
