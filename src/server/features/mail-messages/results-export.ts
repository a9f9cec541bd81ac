import type { Readable } from 'node:stream'
import { validate as isUuid } from 'uuid'
import type { Actor } from '#server/actor.ts'
import type { Audit } from '#server/audit.ts'
import type { Clock } from '#server/clock.ts'
import type { Queryable } from '#server/database/schema.ts'
import { AppError } from '#server/errors.ts'
import type { Column } from '#server/spreadsheet/column.ts'
import { writeWorkbook } from '#server/spreadsheet/workbook.ts'
import { mailStateTexts } from '#shared/mail.ts'
import { mailDecisionSentences } from '#shared/mail-history.ts'
import { calendarDateOf } from '#shared/program-calendar.ts'
import { nameOf } from './present.ts'
import { createMessagesRepository, type MessageFilters, type MessageRow } from './repository.ts'
import type { ResultsQuery } from './service.ts'

/** Rows read at a time. */
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

interface ResultsExportOptions {
  db: Queryable
  audit: Audit
  clock: Clock
  /** Whose clocks the workbook shows. */
  timeZone: string
}

export type ResultsExport = ReturnType<typeof createResultsExport>

/** Makes the function that writes a workbook of what became of a bulk e-mail. */
export function createResultsExport({ db, audit, clock, timeZone }: ResultsExportOptions) {
  const messages = createMessagesRepository(db)

  async function* rowsOf(batchId: string, filters: MessageFilters): AsyncGenerator<MessageRow> {
    for (let afterId: string | null = null; ; ) {
      const rows: MessageRow[] = await messages.ofBatch(batchId, { ...filters, afterId }, rowsAtOnce)
      yield* rows
      afterId = rows.at(-1)?.id ?? null
      if (rows.length < rowsAtOnce) return
    }
  }

  /**
   * A workbook of the messages that the filters show. Whoever takes it reads it to the end or destroys it.
   *
   * @throws AppError `not_found`
   */
  return async (
    batchId: string,
    { state, search }: Pick<ResultsQuery, 'state' | 'search'>,
    actor: Actor,
  ): Promise<{ fileName: string; workbook: Readable }> => {
    if (!isUuid(batchId) || !(await messages.hasBatch(batchId))) {
      throw new AppError('not_found', { detail: mailDecisionSentences.batchNotFound })
    }
    const filters = { state: state === 'all' ? null : state, search }
    const affected = await messages.countOfBatch(batchId, filters)
    // What was searched for may be somebody's name, so only that there was a search is kept.
    const detail = { batch: batchId, state, searched: search !== '' }
    await audit.record(db, { action: 'mail-exported', actor, affected, detail })
    const now = clock()
    const workbook = writeWorkbook({
      title: 'Results of a bulk e-mail',
      sheetName: 'Results',
      creator: 'NSTP Portal',
      created: now,
      timeZone,
      columns,
      rows: rowsOf(batchId, filters),
    })
    return { fileName: `Bulk e-mail results ${calendarDateOf(now, timeZone)}.xlsx`, workbook }
  }
}
