import { Socket } from 'node:net'
import { CamelCasePlugin, type IsolationLevel, Kysely, PostgresDialect, sql, type Transaction } from 'kysely'
import pg from 'pg'
import Cursor from 'pg-cursor'
import type { Logger } from 'pino'
import { sha256 } from '#server/lib/digest.ts'
import { AppError } from '#server/lib/errors.ts'
import { endWithin, sleep } from '#server/lib/scheduler.ts'
import { codeOf, DatabaseSilentError, isConflictBetweenTransactions } from './errors.ts'
import type { Tables } from './schema.ts'

/** All in milliseconds. */
interface Limits {
  connections: number
  connectMs: number
  statementMs: number
  // No byte from a server that owes an answer. `statement_timeout` needs a living server; this limit also ends waiting
  // for a suspended process or lost packets.
  silenceMs: number
}

// Requests: connecting and one silent statement together stay below the 5 s that a request may take.
const requestLimits: Limits = { connections: 16, connectMs: 1_500, statementMs: 2_500, silenceMs: 3_000 }
// Long work (export, backup) has its own few connections, so that it can't starve requests.
const longLimits: Limits = { connections: 3, connectMs: 5_000, statementMs: 900_000, silenceMs: 120_000 }

// Building an index may take any time, and only the operator waits for it.
const noLimits: Limits = { connections: 1, connectMs: 5_000, statementMs: 0, silenceMs: 0 }

// Closing waits so many ms for work under way. Then the process ends, and its connections with it.
const timeoutMs = 5_000

// After these the error is `maxretry` (product 29.8).
const maxRetries = 25
const longestPauseMs = 120

// SQLSTATEs behind a pooler that gives each transaction another connection (PgBouncer): the prepared statement is
// missing, or another client's. Nothing was executed then.
const lacksPrepared = new Set<string | undefined>(['26000', '42P05'])

export interface TransactOptions {
  isolation?: IsolationLevel
  long?: boolean
}

export type AppDatabase = ReturnType<typeof createDatabase>

interface DatabaseOptions {
  connection: pg.ClientConfig
  log: Logger
}

/** @param patience how many times longer than usual a request waits for the database */
export function createDatabase({ connection, log }: DatabaseOptions, patience = 1) {
  const { connections, connectMs, statementMs, silenceMs } = requestLimits
  const limits = {
    connections,
    connectMs: connectMs * patience,
    statementMs: statementMs * patience,
    silenceMs: silenceMs * patience,
  }
  const pool = createPool(connection, limits, log)
  const longPool = createPool(connection, longLimits, log)
  // For requests: every statement ends within 5 s.
  const db = createKysely(pool)
  // For streams and other work that may take minutes: export, backup.
  const longDb = createKysely(longPool)

  // Runs work as one transaction, and again after a conflict.
  function transact<T>(
    work: (tx: Transaction<Tables>) => Promise<T>,
    { isolation, long = false }: TransactOptions = {},
  ): Promise<T> {
    const builder = (long ? longDb : db).transaction()
    const transaction = isolation ? builder.setIsolationLevel(isolation) : builder
    return retryConflicts(() => transaction.execute(work))
  }

  let canPrepare = true

  /**
   * For a statement whose planning costs as much as its work. A connection plans its first five runs for their values;
   * then, if a plan for any values isn't dearer, that one stays.
   */
  async function queryPrepared<Row extends pg.QueryResultRow>(
    text: string,
    values: readonly unknown[],
  ): Promise<Row[]> {
    const isPrepared = canPrepare
    const name = isPrepared ? { name: sha256(text).toString('base64url') } : {}
    try {
      return (await pool.query<Row>({ ...name, text, values: [...values] })).rows
    } catch (error) {
      if (!isPrepared || !lacksPrepared.has(codeOf(error))) throw error
      canPrepare = false
      return queryPrepared(text, values)
    }
  }

  return {
    db,
    longDb,
    pool,
    queryPrepared,
    transact,
    async check(): Promise<void> {
      await sql`select 1`.execute(db)
    },
    async close(): Promise<void> {
      await endWithin(timeoutMs, Promise.all([pool.end(), longPool.end()]))
    },
  }
}

/** One connection without limits, for a command that works on the whole database, such as a restore. */
export function createUnlimitedDatabase({ connection, log }: DatabaseOptions) {
  const pool = createPool(connection, noLimits, log)
  return { db: createKysely(pool), close: () => pool.end() }
}

export async function retryConflicts<T>(attempt: () => Promise<T>): Promise<T> {
  for (let retries = 0; ; retries++) {
    try {
      return await attempt()
    } catch (error) {
      if (!isConflictBetweenTransactions(error)) throw error
      if (retries === maxRetries) throw new AppError('maxretry', { cause: error })
      // Grows, and is random so that the same transactions don't collide again.
      await sleep(Math.random() * Math.min(longestPauseMs, 4 * 2 ** retries))
    }
  }
}

function createKysely(pool: pg.Pool): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: new PostgresDialect({ pool, cursor: Cursor }),
    plugins: [new CamelCasePlugin()],
  })
}

function createPool(connection: pg.ClientConfig, limits: Limits, log: Logger): pg.Pool {
  const pool = new pg.Pool({
    ...connection,
    application_name: 'nstp-portal',
    types: { getTypeParser },
    max: limits.connections,
    // Each takes 3 to 5 MB of the database's memory. A few stay for one person's clicks: opening them takes 5 ms each.
    min: Math.floor(limits.connections / 4),
    idleTimeoutMillis: 3_000,
    // A connection keeps each plan, some of 0.3 MB, until it ends.
    maxLifetimeSeconds: 600,
    connectionTimeoutMillis: limits.connectMs,
    statement_timeout: limits.statementMs,
    idle_in_transaction_session_timeout: limits.silenceMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  })

  // An 'error' event without a listener ends the process: the pool emits for idle connections, a
  // connection that is in use emits itself. The pending query gets the error as well.
  const noteLoss = (error: Error) => {
    // While the pool closes, its last connections may end after their server.
    if (!pool.ending) log.warn({ code: codeOf(error) ?? error.name }, 'database connection lost')
  }
  pool.on('error', noteLoss)
  pool.on('connect', (client) => {
    client.on('error', noteLoss)
    const socket = socketOf(client)
    socket?.on('timeout', () => {
      // Destroying it rejects what waits for an answer and keeps the connection from being used again;
      // pg's own query_timeout would hand it, still hanging, to the next request.
      socket.destroy(new DatabaseSilentError(`no answer from the database in ${limits.silenceMs} ms`))
    })
  })
  pool.on('acquire', (client) => socketOf(client)?.setTimeout(limits.silenceMs))
  pool.on('release', (_error, client) => socketOf(client)?.setTimeout(0))
  return pool
}

function socketOf(client: object): Socket | undefined {
  const connection: unknown = 'connection' in client ? client.connection : undefined
  if (typeof connection !== 'object' || connection === null || !('stream' in connection)) return undefined
  return connection.stream instanceof Socket ? connection.stream : undefined
}

// A calendar date has no time zone: it remains the text 'YYYY-MM-DD'.
const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === pg.types.builtins.DATE ? String : pg.types.getTypeParser(oid, format)
