import { type ControlledTransaction, type Kysely, type RawBuilder, sql } from 'kysely'
import type { Tables } from './schema.ts'

export interface SnapshotReader {
  tx: ControlledTransaction<Tables>
  /**
   * Each batch is its own FETCH statement, so the connection's limits apply and a lost connection is an error; the driver's
   * cursor hangs on close then.
   */
  fetchRows: <Row>(query: RawBuilder<Row>, batchSize: number) => AsyncGenerator<Row[]>
}

/** The database at one moment, for a stream that may take minutes. The caller must close it. */
export async function openSnapshot<T extends object>(
  longDb: Kysely<Tables>,
  open: (reader: SnapshotReader) => Promise<T>,
): Promise<T & { close: () => Promise<void> }> {
  const tx = await longDb
    .startTransaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute()
  let closing: Promise<unknown> | undefined

  async function close(): Promise<void> {
    // Waits for a statement that is under way. A lost connection frees it as well; the reader of the rows gets the error.
    const rollback = () => tx.rollback().execute()
    closing ??= rollback().catch(() => undefined)
    await closing
  }

  async function* fetchRows<Row>(query: RawBuilder<Row>, batchSize: number): AsyncGenerator<Row[]> {
    await sql`declare streamed no scroll cursor for ${query}`.execute(tx)
    function fetchBatch() {
      const fetched = sql<Row>`fetch forward ${sql.lit(batchSize)} from streamed`.execute(tx)
      // The caller gets the error when it asks for the batch; a caller that has left doesn't.
      fetched.catch(() => undefined)
      return fetched
    }
    for (let next = fetchBatch(); !closing; ) {
      const { rows } = await next
      if (rows.length === 0) return void (await sql`close streamed`.execute(tx))
      // The database reads ahead while the caller uses this batch.
      next = fetchBatch()
      yield rows
    }
  }

  try {
    return { ...(await open({ tx, fetchRows })), close }
  } catch (error) {
    await close()
    throw error
  }
}
