import pg from 'pg'

const answerMs = 5_000

/**
 * Runs one statement on a new connection.
 * @param withinMs limit for connecting and for the answer, each
 */
export async function runOnce(connection: pg.ClientConfig, statement: string, withinMs = answerMs) {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: withinMs, query_timeout: withinMs })
  // A lost connection without a listener would end the process. The calls below fail with the same error.
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query(statement)
  } finally {
    // Closing what never opened fails too; that error adds nothing.
    await client.end().catch(() => undefined)
  }
}
