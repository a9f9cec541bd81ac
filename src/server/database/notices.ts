import { Socket } from 'node:net'
import { sql } from 'kysely'
import pg from 'pg'
import type { Logger } from 'pino'
import { createTask, endWithin, every } from '#server/lib/scheduler.ts'
import type { Topic } from '#shared/topics.ts'
import { codeOf } from './errors.ts'
import type { Queryable } from './schema.ts'

const channel = 'nstp_topics'
// A burst of registrations is one notice. NOTIFY takes a lock that serializes commits, so it never runs inside a
// registration's own transaction.
const publishEveryMs = 100
// Comparing versions finds changes where the engine has no LISTEN, and a connection that died silently.
const pollEveryMs = 1_000
// Cached data counts as current for so many ms after the last comparison.
const currentMs = 2_000
// Limits opening and closing the listening connection: a silent database must block neither.
const timeoutMs = 2_000
// SQLSTATEs of engines without LISTEN: not supported, syntax error, no such function.
const lacksListen = new Set<string | undefined>(['0A000', '42601', '42883'])

const versionsQuery = 'select name, version from topics'

interface TopicVersion {
  name: Topic
  version: string
}

type Listener = (topic: Topic) => void

export type Notices = ReturnType<typeof createNotices>

interface NoticesOptions {
  db: Queryable
  listenWith: pg.ClientConfig
  log: Logger
}

/** Makes every process compare the versions, after a command has written them directly. */
export async function wakeProcesses(db: Queryable): Promise<void> {
  try {
    await sql`select pg_notify(${channel}, '')`.execute(db)
  } catch (error) {
    // Processes on such an engine compare every second without a notice.
    if (!lacksListen.has(codeOf(error))) throw error
  }
}

/**
 * Change notices through LISTEN/NOTIFY. The table `topics` (a version for each topic) is the source of truth and a
 * notice only the wake-up, so changes missed during a lost connection are found by comparing.
 */
export function createNotices({ db, listenWith, log }: NoticesOptions) {
  const listeners = new Set<Listener>()
  const publishListeners = new Set<Listener>()
  const changed = new Set<Topic>()
  const seen = new Map<string, string>()
  let isClosed = false
  let client: { connection: pg.Client; socket: Socket; isListening: boolean } | undefined
  let comparing: Promise<void> | undefined
  let isStale = false
  let canListen = true
  let comparedAt = Number.NEGATIVE_INFINITY

  async function publishChanges() {
    const topics = [...changed]
    changed.clear()
    try {
      // Sorted, so that two processes lock the rows in the same order.
      for (const name of topics.sort()) {
        await sql`insert into topics (name, version) values (${name}, 1)
          on conflict (name) do update set version = topics.version + 1`.execute(db)
      }
      if (canListen) await sql`select pg_notify(${channel}, '')`.execute(db)
    } catch (error) {
      if (lacksListen.has(codeOf(error))) canListen = false
      for (const topic of topics) changed.add(topic)
      throw error
    }
    // Listeners of this process are notified at once, not after the round trip.
    await compare()
  }

  const publisher = createTask({
    name: 'sending change notices',
    run: publishChanges,
    gatherMs: publishEveryMs,
    retryMs: pollEveryMs,
    log,
  })

  async function readVersions() {
    const polledAt = performance.now()
    // Through the listening connection, which proves that it is alive and doesn't wait behind requests.
    const { rows } = await (client?.isListening
      ? client.connection.query<TopicVersion>(versionsQuery)
      : sql<TopicVersion>`${sql.raw(versionsQuery)}`.execute(db))
    for (const { name, version } of rows) {
      const isNew = seen.get(name) !== version
      seen.set(name, version)
      if (isNew) for (const listener of listeners) listener(name)
    }
    comparedAt = polledAt
  }

  async function compareWhileStale() {
    while (isStale && !isClosed) {
      isStale = false
      await readVersions()
    }
  }

  function tryComparingLater(error: unknown) {
    if (isClosed) return
    log.warn({ code: codeOf(error) }, 'topics not read; trying again')
    if (client?.isListening) drop(client.connection)
  }

  // Versions are compared once at a time; a wake-up meanwhile starts one more comparison.
  function compare(): Promise<void> {
    isStale = true
    comparing ??= compareWhileStale()
      .catch(tryComparingLater)
      .finally(() => {
        comparing = undefined
      })
    return comparing
  }

  async function listen(): Promise<void> {
    if (isClosed) return
    if (client || !canListen) return compare()
    const socket = new Socket()
    const connection = new pg.Client({
      ...listenWith,
      stream: () => socket,
      keepAlive: true,
      connectionTimeoutMillis: timeoutMs,
      query_timeout: timeoutMs,
    })
    connection.on('error', () => drop(connection))
    connection.on('end', () => drop(connection))
    connection.on('notification', () => void compare())
    const opened = { connection, socket, isListening: false }
    client = opened
    try {
      await connection.connect()
      await connection.query(`listen ${channel}`)
      opened.isListening = true
      await compare()
    } catch (error) {
      if (lacksListen.has(codeOf(error))) canListen = false
      log.warn({ code: codeOf(error), canListen }, 'change notices interrupted; trying again')
      drop(connection)
    }
  }

  function drop(connection: pg.Client) {
    if (client?.connection !== connection) return
    client.socket.destroy()
    client = undefined
  }

  void listen()
  // Polling also opens a lost connection again.
  const stopPolling = every(pollEveryMs, listen)

  return {
    /** Announces a committed change and returns at once. Other processes are notified within about 100 ms. */
    publish(topic: Topic): void {
      for (const listener of publishListeners) listener(topic)
      changed.add(topic)
      publisher.wake()
    },
    /** Calls back for each changed topic, own changes included. Returns the unsubscribe function. */
    subscribe(listener: Listener): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** Calls back for each topic that this process announces, before `publish` returns. */
    onPublish(listener: Listener): void {
      publishListeners.add(listener)
    },
    /** Whether changes of other processes are known up to two seconds ago; false while the database is unavailable. */
    isCurrent: () => performance.now() - comparedAt < currentMs,
    async close(): Promise<void> {
      await publisher.close()
      // What was announced last; an unavailable database is left as it is.
      if (changed.size > 0) await publishChanges().catch(() => undefined)
      isClosed = true
      stopPolling()
      await comparing
      if (!client) return
      const { connection, socket } = client
      // Ending a connection that is already broken fails, and a silent server never closes it.
      await endWithin(
        timeoutMs,
        connection.end().catch(() => undefined),
      )
      socket.destroy()
    },
  }
}
