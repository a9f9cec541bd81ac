import { validate as isUuid } from 'uuid'
import type { Actor } from '#server/actor.ts'
import type { Audit } from '#server/audit.ts'
import type { Clock } from '#server/clock.ts'
import type { AppDatabase } from '#server/database/pool.ts'
import { AppError } from '#server/errors.ts'
import type { Mailer } from '#server/mail/mailer.ts'
import type { AuditAction } from '#shared/audit.ts'
import type { BatchDecision } from '#shared/mail.ts'
import { mailDecisionSentences } from '#shared/mail-history.ts'
import type { Topic } from '#shared/topics.ts'
import { createBatchRepository } from './batch-repository.ts'

interface BatchChangesOptions {
  database: Pick<AppDatabase, 'transact'>
  clock: Clock
  audit: Audit
  publish: (topic: Topic) => void
  mailer: Mailer
}

const actions: Record<BatchDecision, AuditAction> = {
  paused: 'mail-batch-paused',
  running: 'mail-batch-resumed',
  cancelled: 'mail-batch-cancelled',
}

export type BatchChanges = ReturnType<typeof createBatchChanges>

/** Pausing, going on, cancelling. Said twice it is done once; what a worker has in hand at that moment still goes out. */
export function createBatchChanges({ database, clock, audit, publish, mailer }: BatchChangesOptions) {
  async function change(id: string, state: BatchDecision, actor: Actor): Promise<void> {
    const isNew = await database.transact(async (tx) => {
      const batches = createBatchRepository(tx)
      const batch = isUuid(id) ? await batches.lock(id) : undefined
      if (!batch) throw new AppError('not_found', { detail: mailDecisionSentences.batchNotFound })
      if (batch.state === state) return false
      if (batch.state === 'cancelled') {
        throw new AppError('conflict', { detail: mailDecisionSentences.cancelled })
      }
      await batches.setState(id, state)
      const affected = state === 'cancelled' ? await batches.cancelQueued(id, clock()) : 1
      await audit.record(tx, { action: actions[state], actor, affected, detail: { batch: id } })
      return true
    })
    if (!isNew) return
    if (state === 'running') mailer.wake()
    publish('mail')
  }

  return {
    /** Nothing more of it goes out for now. @throws AppError `not_found`, `conflict` when it was cancelled */
    pause: (id: string, actor: Actor) => change(id, 'paused', actor),
    /** It goes on. @throws AppError `not_found`, `conflict` when it was cancelled */
    resume: (id: string, actor: Actor) => change(id, 'running', actor),
    /** What has not gone out never will. @throws AppError `not_found` */
    cancel: (id: string, actor: Actor) => change(id, 'cancelled', actor),
  }
}
