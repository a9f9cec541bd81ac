import { validate as isUuid } from 'uuid'
import type { AppDatabase } from '#server/database/pool.ts'
import type { Actor } from '#server/lib/actor.ts'
import type { Audit } from '#server/lib/audit.ts'
import type { Clock } from '#server/lib/clock.ts'
import { AppError } from '#server/lib/errors.ts'
import { cutPiece, openPlaceCursor, placeCursor } from '#server/lib/paging.ts'
import {
  type MailboxStatus,
  type ReturnedMessage,
  type ReturnedPage,
  returnedPageSize,
  returnedSentences,
} from '#shared/mail/returned-mail.ts'
import type { Topic } from '#shared/topics.ts'
import type { MailboxCheck } from './mailbox-check.ts'
import type { Mailbox } from './mailbox-reader.ts'
import { type BounceRow, createBouncesRepository, createMailboxRepository } from './returned-repository.ts'

// ms: a longer reading goes on in the background.
const patienceMs = 15_000

interface ReturnedMailOptions {
  database: Pick<AppDatabase, 'db' | 'transact'>
  mailbox: () => Mailbox | null
  check: Pick<MailboxCheck, 'now'>
  clock: Clock
  publish: (topic: Topic) => void
  audit: Audit
}

export type ReturnedMailService = ReturnType<typeof createReturnedMailService>

export function createReturnedMailService(options: ReturnedMailOptions) {
  const { database, mailbox, check, clock, publish, audit } = options
  const bounces = createBouncesRepository(database.db)

  async function mailboxStatus(): Promise<MailboxStatus> {
    const isConfigured = mailbox() !== null
    const row = await createMailboxRepository(database.db).find()
    return {
      isConfigured,
      isChecking: isConfigured && (row?.isChecking ?? false),
      checkedAt: row?.checkedAt?.toISOString() ?? null,
      failure: isConfigured ? (row?.failure ?? '') : '',
    }
  }

  return {
    /** @throws AppError `invalid` for a cursor that is none of ours */
    async list(cursor: string): Promise<ReturnedPage> {
      const rows = await bounces.listOpen(openPlaceCursor(cursor), returnedPageSize + 1)
      const { shown, last } = cutPiece(rows, returnedPageSize)
      return {
        items: shown.map(present),
        nextCursor: last ? placeCursor({ at: last.receivedAt, id: last.id }) : null,
        openCount: await bounces.countOpen(),
        mailbox: await mailboxStatus(),
      }
    },

    /** @throws AppError `not_found` */
    async resolve(id: string, actor: Actor): Promise<void> {
      const isChanged = await database.transact(async (tx) => {
        const resolved = isUuid(id) ? await createBouncesRepository(tx).resolve(id, clock()) : undefined
        if (!resolved) throw new AppError('not_found', { detail: returnedSentences.missing })
        const { studentId } = resolved
        if (resolved.isChanged) {
          await audit.record(tx, { action: 'bounce-resolved', actor, ...(studentId ? { studentId } : {}) })
        }
        return resolved.isChanged
      })
      if (isChanged) publish('mail')
    },

    /** @throws AppError `invalid` where none is configured */
    async checkNow(): Promise<MailboxStatus> {
      if (!mailbox()) throw new AppError('invalid', { detail: returnedSentences.notConfigured })
      await check.now(patienceMs)
      return await mailboxStatus()
    },
  }
}

function present({ receivedAt, subject, ...row }: BounceRow): ReturnedMessage {
  return { ...row, receivedAt: receivedAt.toISOString(), subject: subject ?? '' }
}
