import { type ControlledTransaction, type RawBuilder, sql } from 'kysely'
import type { Tables } from '#server/database/schema.ts'

/** Records taken from the database at a time. */
const batchSize = 500

/** Many records, read as fast as they are wanted. Whoever opens one closes it. */
export interface RecordCursor<Row> {
  rows: AsyncIterable<Row>
  /** Gives the connection back. Safe to call at any time and more than once. */
  close: () => Promise<void>
}

/**
 * A cursor over a query inside a transaction, which ends with it.
 *
 * Each batch is a statement of its own (FETCH), so that each answer is awaited under the connection's limits,
 * and a lost connection is an error of that statement. A cursor of the driver hangs there: closing it waits
 * for an answer that never comes.
 */
export async function openCursor<Row>(
  tx: ControlledTransaction<Tables>,
  query: RawBuilder<Row>,
): Promise<RecordCursor<Row>> {
  let closing: Promise<void> | undefined

  async function* rows(): AsyncGenerator<Row> {
    while (!closing) {
      const batch = await sql<Row>`fetch forward ${sql.lit(batchSize)} from records`.execute(tx)
      if (batch.rows.length === 0) return
      yield* batch.rows
    }
  }

  async function end(): Promise<void> {
    try {
      // Waits for a statement that is under way. Nothing was written, so there is nothing to commit.
      await tx.rollback().execute()
    } catch {
      // The connection is lost, and that frees it as well; whoever reads the rows gets the error.
    }
  }

  await sql`declare records no scroll cursor for ${query}`.execute(tx)
  return {
    rows: rows(),
    close() {
      closing ??= end()
      return closing
    },
  }
}
