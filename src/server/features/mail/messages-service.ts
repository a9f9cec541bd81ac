import type { Queryable } from '#server/database/schema.ts'
import type { CountedReader, Staff } from '#server/lib/actor.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { commitChange, mustExist, pick } from '#server/lib/change.ts'
import { monthsBefore } from '#server/lib/clock.ts'
import { AppError } from '#server/lib/errors.ts'
import { decodeCursor, pageOf } from '#server/lib/paging.ts'
import { type Column, writeWorkbook } from '#server/spreadsheet/workbook.ts'
import { defaultFirstName, type MailKind, mailStateTexts } from '#shared/mail/mail.ts'
import { addressKey } from '#shared/mail/mail-address.ts'
import { mailPageSize, mailDecisionSentences as sentences } from '#shared/mail/mail-history.ts'
import { calendarDateOf } from '#shared/program-calendar.ts'
import { createBatchRepository, currentAddress } from './batch-repository.ts'
import { mustBeShown } from './batch-service.ts'
import { type MailContext, mustBeConfigured, mustOfferOptOut } from './mail-context.ts'
import {
  createDecisionsRepository,
  createMessagesRepository,
  type DecidedMessage,
  deleteExpired,
  expiringTables,
  type MessageFilters,
  type MessageRow,
  type StoredMessage,
} from './messages-repository.ts'
import { dayMs } from './queue-repository.ts'
import type { MailRenderer } from './rendering/renderer.ts'

type SettledAs = 'sent' | 'failed'

export type MailMessages = ReturnType<typeof createMailMessages>

export function createMailMessages(context: MailContext, { preview }: Pick<MailRenderer, 'preview'>) {
  const { database, clock, audit, mailer, optOuts, timeZone } = context
  const messages = createMessagesRepository(database.db)

  const stored = async (id: string, actor: Staff): Promise<StoredMessage> =>
    mustExist(await messages.find(id, actor), sentences.notFound)

  async function* rowsOf(batchId: string, filters: MessageFilters): AsyncGenerator<MessageRow[]> {
    for (let afterId: string | null = null; ; ) {
      const rows: MessageRow[] = await messages.ofBatch(batchId, { ...filters, afterId }, rowsAtOnce)
      yield rows
      afterId = rows.at(-1)?.id ?? null
      if (rows.length < rowsAtOnce) return
    }
  }

  async function assertRepeatable(tx: Queryable, message: DecidedMessage, address: string): Promise<void> {
    const { kind, state, batchState, isRepeated, isRejected } = message
    const refuse = (detail: string): never => {
      throw new AppError('conflict', { detail })
    }
    if (state !== 'failed' && state !== 'unknown') refuse(sentences.notToSendAgain)
    if (batchState === 'cancelled') refuse(sentences.cancelled)
    if (isRepeated) refuse(sentences.repeated)
    if (isRejected) refuse(sentences.rejected)
    if (kind !== 'bulk' && kind !== 'announcement') return
    mustOfferOptOut(context)
    const optedOut = await optOuts.optedOutAmong(tx, [addressKey(address)])
    if (optedOut.size > 0) refuse(sentences.optedOut)
  }

  // Privacy: a search text may be a name, so only the fact of a search is stored.
  async function noteList(
    { search, ...filters }: MessageFilters & Record<string, string>,
    actor: Staff,
    cursor: string,
  ) {
    const detail = { ...filters, searched: search !== '' }
    const entry = { action: 'mail-listed', actor, affected: mailPageSize, detail } as const
    await audit.recordView(database.db, entry, `${search} ${cursor}`)
  }

  return {
    async history(
      { cursor, ...filters }: MessageFilters & { kind: MailKind | 'all'; cursor: string },
      actor: Staff,
    ) {
      await noteList({ ...filters }, actor, cursor)
      const after = decodeCursor(cursor)
      return presentPage(await messages.history({ ...filters, after }, actor, mailPageSize + 1))
    },

    /** Counts the messages that ended within the last day, and all that wait. */
    counts: (actor: Staff) => messages.counts(new Date(clock().getTime() - dayMs), actor),

    async results(
      batchId: string,
      { cursor, ...filters }: MessageFilters & { cursor: string },
      actor: Staff,
    ) {
      await mustBeBatch(database.db, batchId, actor)
      await noteList({ batch: batchId, ...filters }, actor, cursor)
      const afterId = decodeCursor(cursor)?.id ?? null
      return presentPage(await messages.ofBatch(batchId, { ...filters, afterId }, mailPageSize + 1))
    },

    async read(id: string, actor: Staff) {
      const message = await stored(id, actor)
      await audit.recordView(database.db, { action: 'mail-listed', actor, detail: { message: id } })
      const { html, text } = await preview(message)
      return { ...presentMessage(message), html, text }
    },

    // The caller must read the workbook to its end or destroy it.
    async exportResults(batchId: string, { state, search }: MessageFilters, { actor, admit }: CountedReader) {
      await mustBeBatch(database.db, batchId, actor)
      const filters = { state, search }
      const affected = await messages.countOfBatch(batchId, filters)
      await admit(affected)
      // Privacy: a search text may be a name, so only the fact of a search is stored.
      const detail = { batch: batchId, state, searched: search !== '' }
      await audit.record(database.db, { action: 'mail-exported', actor, affected, detail })
      const now = clock()
      const workbook = writeWorkbook({
        title: 'Results of a bulk e-mail',
        sheetName: 'Results',
        created: now,
        timeZone,
        columns,
        rows: rowsOf(batchId, filters),
      })
      return { fileName: `Bulk e-mail results ${calendarDateOf(now, timeZone)}.xlsx`, workbook }
    },

    async sendAgain(id: string, actor: Staff) {
      mustBeConfigured(context)
      await database.transact(async (tx) => {
        const decisions = createDecisionsRepository(tx)
        const message = await lockedMessage(decisions, id, actor)
        if (message.kind === 'code') throw new AppError('conflict', sentences.codeNotAgain)
        const address = currentAddress(message)
        await assertRepeatable(tx, message, address)
        await decisions.queue(id, address, clock())
        await audit.record(tx, entryOf(id, message, 'send again', actor))
      })
      mailer.wake()
      return presentMessage(await stored(id, actor))
    },

    async settle(id: string, as: SettledAs, actor: Staff) {
      await commitChange(context, 'mail', async (tx, record) => {
        const decisions = createDecisionsRepository(tx)
        const message = await lockedMessage(decisions, id, actor)
        if (message.state !== 'unknown') throw new AppError('conflict', sentences.alreadySettled)
        await decisions.settle({ id }, as, failureOf(as))
        await record(entryOf(id, message, as, actor))
      })
      return presentMessage(await stored(id, actor))
    },

    settleBatch: (batchId: string, as: SettledAs, actor: Staff): Promise<number> =>
      commitChange(context, 'mail', async (tx, record) => {
        await mustBeBatch(tx, batchId, actor)
        const affected = await createDecisionsRepository(tx).settle({ batchId }, as, failureOf(as))
        const detail = { batch: batchId, was: 'unknown', as }
        if (affected > 0) await record({ action: 'mail-decided', actor, affected, detail })
        return affected
      }),
  }
}

async function mustBeBatch(db: Queryable, id: string, actor: Staff): Promise<void> {
  mustBeShown(await createBatchRepository(db).find(id), actor)
}

async function lockedMessage(
  decisions: ReturnType<typeof createDecisionsRepository>,
  id: string,
  actor: Staff,
) {
  return mustExist(await decisions.lock(id, actor), sentences.notFound)
}

function failureOf(as: SettledAs): string {
  return as === 'failed' ? sentences.settledAsFailed : ''
}

function entryOf(id: string, { state, studentId }: DecidedMessage, as: string, actor: Staff) {
  return {
    action: 'mail-decided',
    actor,
    ...(studentId ? { studentId } : {}),
    detail: { message: id, was: state, as },
  } as const
}

function presentPage(rows: readonly MessageRow[]) {
  const page = pageOf(rows, mailPageSize, ({ createdAt }) => createdAt)
  return { ...page, items: page.items.map(presentMessage) }
}

export function presentMessage(row: MessageRow) {
  const { state, createdAt, notBefore } = row
  return {
    ...pick(row, shownFields),
    name: nameOf(row),
    notBefore: state === 'queued' && notBefore > createdAt ? notBefore : null,
  }
}

const shownFields = [
  ...(['id', 'kind', 'batchId', 'studentId', 'recipient', 'subject', 'state'] as const),
  ...(['createdAt', 'attempts', 'endedAt', 'failure'] as const),
]

function nameOf({ firstName, lastName }: Pick<MessageRow, 'firstName' | 'lastName'>): string {
  if (lastName !== '') return `${lastName}, ${firstName}`
  return firstName === defaultFirstName ? '' : firstName
}

const rowsAtOnce = 500

const columns: readonly Column<MessageRow>[] = [
  { header: 'Recipient', width: 36, kind: 'text', value: ({ recipient }) => recipient },
  { header: 'Name', width: 30, kind: 'text', value: nameOf },
  { header: 'Reference', width: 18, kind: 'text', value: ({ reference }) => reference },
  { header: 'State', width: 12, kind: 'text', value: ({ state }) => mailStateTexts[state] },
  { header: 'Ended', width: 18, kind: 'instant', value: ({ endedAt }) => endedAt },
  { header: 'Attempts', width: 10, kind: 'number', value: ({ attempts }) => attempts },
  { header: 'Reason', width: 60, kind: 'text', value: ({ failure }) => failure },
]

// Limits each statement to well below the statement timeout.
const deletedAtOnce = 5_000

interface MailRetentionOptions extends Pick<AppContext, 'db' | 'clock'> {
  // months; read at each call, because settings may change.
  months: () => number
}

export function createMailRetention({ db, clock, months }: MailRetentionOptions) {
  /** @returns the number of messages */
  return async (): Promise<number> => {
    const before = monthsBefore(clock(), months())
    let messages = 0
    for (const table of expiringTables) {
      for (let some = deletedAtOnce; some === deletedAtOnce; ) {
        some = await deleteExpired(db, table, before, deletedAtOnce)
        if (table === 'mail_messages') messages += some
      }
    }
    return messages
  }
}
