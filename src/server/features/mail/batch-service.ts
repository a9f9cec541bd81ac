import type { Queryable } from '#server/database/schema.ts'
import type { Access } from '#server/lib/access.ts'
import type { Staff } from '#server/lib/actor.ts'
import { commitChange, isOwn, mustExist, pick } from '#server/lib/change.ts'
import { AppError } from '#server/lib/errors.ts'
import { decodeCursor, pageOf } from '#server/lib/paging.ts'
import type { BatchDecision, BatchState, MailCounts } from '#shared/mail/mail.ts'
import { batchPageSize, mailDecisionSentences } from '#shared/mail/mail-history.ts'
import { countRepeatable, createBatchRepository, type StoredBatch } from './batch-repository.ts'
import type { MailContext } from './mail-context.ts'
import { createCancellationsRepository, noCounts } from './queue-repository.ts'

export type Batches = ReturnType<typeof createBatches>

export function createBatches(context: MailContext, finishOf: (batchId: string) => Promise<Date | null>) {
  const { database, clock, mailer, optOuts } = context
  const { db } = database
  const batches = createBatchRepository(db)

  async function present(stored: readonly StoredBatch[], access: Access) {
    if (stored.length === 0) return []
    const ids = stored.map(({ id }) => id)
    const [counts, repeatable] = await Promise.all([
      batches.counts(ids),
      countRepeatable(db, ids, { optOuts: optOuts.hash, access }),
    ])
    return await Promise.all(
      stored.map(async (batch) => {
        const { id } = batch
        const ofBatch = counts.get(id) ?? noCounts
        const state = batchStateOf(batch.state, ofBatch)
        return {
          ...pick(batch, shownFields),
          createdBy: batch.creator,
          state,
          counts: ofBatch,
          repeatableCount: repeatable.get(id) ?? 0,
          finishesAt: state === 'running' ? await finishOf(id) : null,
        }
      }),
    )
  }

  async function readBatch(id: string, actor: Staff) {
    const stored = mustBeShown(await batches.find(id), actor)
    const [batch] = await present([stored], actor.access)
    return mustExist(batch)
  }

  return {
    readBatch,

    // Idempotent. Messages that a worker has claimed are still sent.
    async changeBatch(id: string, state: BatchDecision, actor: Staff) {
      await commitChange(context, 'mail', async (tx, record) => {
        const batch = await lockedBatch(tx, id, actor)
        if (batch.state === state) return
        if (batch.state === 'cancelled') throw new AppError('conflict', mailDecisionSentences.cancelled)
        await createBatchRepository(tx).setState(id, state)
        const affected =
          state === 'cancelled' ? await createCancellationsRepository(tx).ofBatch(id, clock()) : 1
        await record({ action: actions[state], actor, affected, detail: { batch: id } })
      })
      if (state === 'running') mailer.wake()
      return await readBatch(id, actor)
    },

    async listBatches(cursor: string, { access, adminId }: Staff) {
      const createdById = access.components === 'all' ? null : adminId
      const rows = await batches.list(decodeCursor(cursor), { createdById, limit: batchPageSize + 1 })
      const page = pageOf(rows, batchPageSize, ({ createdAt }) => createdAt)
      return { ...page, items: await present(page.items, access) }
    },
  }
}

const shownFields = [
  ...(['id', 'kind', 'subject', 'createdAt', 'source', 'recipientCount'] as const),
  ...(['optedOutCount', 'duplicateCount', 'invalidCount'] as const),
]

const actions = {
  paused: 'mail-batch-paused',
  running: 'mail-batch-resumed',
  cancelled: 'mail-batch-cancelled',
} as const

/** Accounts that aren't office-wide see only their own bulk e-mails. @throws AppError `not_found` */
export function mustBeShown(found: StoredBatch | undefined, actor: Staff): StoredBatch {
  return mustExist(isOwn(found?.createdById, actor) ? found : undefined, mailDecisionSentences.batchNotFound)
}

export async function lockedBatch(tx: Queryable, id: string, actor: Staff): Promise<StoredBatch> {
  return mustBeShown(await createBatchRepository(tx).lock(id), actor)
}

export function batchStateOf(decision: BatchDecision, counts: MailCounts): BatchState {
  // Cancelled after every message had ended: nothing was withheld.
  if (decision === 'cancelled') return counts.cancelled > 0 || counts.sending > 0 ? 'cancelled' : 'finished'
  return counts.queued + counts.sending > 0 ? decision : 'finished'
}
