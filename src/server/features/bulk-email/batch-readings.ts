import { validate as isUuid } from 'uuid'
import { cutPiece } from '#server/cut-piece.ts'
import type { Queryable } from '#server/database/schema.ts'
import { AppError } from '#server/errors.ts'
import { openPlaceCursor, placeCursor } from '#server/place-cursor.ts'
import type { BatchSummary, MailCounts } from '#shared/mail.ts'
import { type BatchPage, batchPageSize, mailDecisionSentences } from '#shared/mail-history.ts'
import { createBatchRepository, noCounts, type StoredBatch } from './batch-repository.ts'
import { batchStateOf } from './batch-state.ts'
import { countRepeatable } from './repeat-repository.ts'

/** When the last message of a batch will probably be sent; null when it can't be said. */
export type FinishOfBatch = (batchId: string) => Promise<Date | null>

interface BatchReadingsOptions {
  db: Queryable
  finishOf: FinishOfBatch
}

export type BatchReadings = ReturnType<typeof createBatchReadings>

/** What is read of bulk e-mails. */
export function createBatchReadings({ db, finishOf }: BatchReadingsOptions) {
  const batches = createBatchRepository(db)

  async function present(stored: readonly StoredBatch[]): Promise<BatchSummary[]> {
    if (stored.length === 0) return []
    const ids = stored.map(({ id }) => id)
    const [counts, repeatable] = await Promise.all([batches.counts(ids), countRepeatable(db, ids)])
    return await Promise.all(
      stored.map(async (batch) => {
        const ofBatch = counts.get(batch.id) ?? noCounts
        const isGoing = batchStateOf(batch.state, ofBatch) === 'running'
        const finishesAt = isGoing ? await finishOf(batch.id) : null
        return presentBatch(batch, ofBatch, { repeatableCount: repeatable.get(batch.id) ?? 0, finishesAt })
      }),
    )
  }

  return {
    /** A piece of the history, newest first. @throws AppError `invalid` for a cursor that is none */
    async list(cursor: string): Promise<BatchPage> {
      const rows = await batches.list(openPlaceCursor(cursor), batchPageSize + 1)
      const { shown, last } = cutPiece(rows, batchPageSize)
      return {
        items: await present(shown),
        nextCursor: last ? placeCursor({ at: last.createdAt, id: last.id }) : null,
      }
    },

    /** One bulk e-mail. @throws AppError `not_found` */
    async read(id: string): Promise<BatchSummary> {
      const stored = isUuid(id) ? await batches.find(id) : undefined
      const [batch] = stored ? await present([stored]) : []
      if (!batch) throw new AppError('not_found', { detail: mailDecisionSentences.batchNotFound })
      return batch
    },
  }
}

function presentBatch(
  batch: StoredBatch,
  counts: MailCounts,
  { repeatableCount, finishesAt }: { repeatableCount: number; finishesAt: Date | null },
): BatchSummary {
  const { id, kind, subject, createdAt, createdBy, source } = batch
  const { recipientCount, optedOutCount, duplicateCount, invalidCount } = batch
  return {
    id,
    kind,
    subject,
    state: batchStateOf(batch.state, counts),
    createdAt: createdAt.toISOString(),
    createdBy,
    source,
    recipientCount,
    optedOutCount,
    duplicateCount,
    invalidCount,
    counts,
    repeatableCount,
    finishesAt: finishesAt?.toISOString() ?? null,
  }
}
