import { resolve } from 'node:path'
import pg from 'pg'
import type { Logger } from 'pino'
import { ConfigurationError, type Env } from '#server/env.ts'
import { after, sleep } from '#server/lib/scheduler.ts'
import { ensureCluster, prepareBinaries, productRole, serverRole } from './embedded/cluster.ts'
import { clusterDirOf, prepareDataFolder } from './embedded/data-folder.ts'
import { FolderTakenError, ownFolder } from './embedded/folder-owner.ts'
import {
  createSocketFolder,
  type Postmaster,
  type PostmasterOptions,
  removeSocketFolder,
  serverPort,
  startPostmaster,
} from './embedded/postmaster.ts'
import { type ServerUser, unprivilegedOwnerOf } from './embedded/server-user.ts'
import { endStaleServer, findServer } from './embedded/stale-server.ts'
import { codeOf, toAppError } from './errors.ts'
import { runOnce } from './run-once.ts'

// A server that starts together with us (containers, boot of the machine) needs time.
const timeoutMs = 30_000
const tryEveryMs = 1_000

/** Starts the embedded database, or waits for the one that DATABASE_URL names. */
export async function startDatabaseServer(env: Env, log: Logger): Promise<DatabaseServer> {
  if (env.DATABASE_URL === undefined) return startEmbeddedServer({ dataDir: env.DATA_DIR, log })
  const connection = { connectionString: env.DATABASE_URL }
  await waitFor('DATABASE_URL', env.DATABASE_URL, log)
  if (env.DATABASE_OWNER_URL) await waitFor('DATABASE_OWNER_URL', env.DATABASE_OWNER_URL, log)
  return elsewhere(connection, env)
}

/** For commands: joins the embedded server of a running product, or starts one as long as needed. */
export async function joinDatabaseServer(env: Env, log: Logger): Promise<DatabaseServer> {
  return env.DATABASE_URL === undefined
    ? joinEmbeddedServer({ dataDir: env.DATA_DIR, log })
    : elsewhere({ connectionString: env.DATABASE_URL }, env)
}

function elsewhere(product: pg.ClientConfig, env: Env): DatabaseServer {
  const { DATABASE_URL, DATABASE_OWNER_URL } = env
  const roles =
    DATABASE_URL && DATABASE_OWNER_URL
      ? {
          connection: { connectionString: DATABASE_OWNER_URL },
          // pg reads the address, because one with a socket's folder is no URL to Node.
          productRole: new pg.Client(product).user,
        }
      : { connection: product, productRole: undefined }
  const dataDir = resolve(env.DATA_DIR)
  return {
    ...roles,
    product,
    dataDir,
    user: unprivilegedOwnerOf(dataDir),
    insteadOf: undefined,
    pid: () => undefined,
    stop: async () => undefined,
  }
}

async function waitFor(name: 'DATABASE_URL' | 'DATABASE_OWNER_URL', connectionString: string, log: Logger) {
  for (const end = Date.now() + timeoutMs; ; ) {
    try {
      return await runOnce({ connectionString }, 'select 1')
    } catch (cause) {
      // A wrong password won't become right; a server that isn't there yet may come.
      if (!toAppError(cause) || Date.now() > end) {
        const reason = cause instanceof Error ? cause.message : String(cause)
        throw new ConfigurationError(
          `The database that ${name} names can't be used: ${reason}. Correct ${name}, or start that database.`,
          { cause },
        )
      }
      log.warn({ code: codeOf(cause) }, `waiting for the database that ${name} names`)
    }
    await sleep(tryEveryMs)
  }
}

const databaseName = 'nstp_portal'
const firstPauseMs = 100
const longestPauseMs = 10_000
// A crash after so many ms is a new fault: the count of restarts begins again.
const steadyMs = 60_000

interface EmbeddedServerOptions {
  // `prepareDataFolder` may choose another folder.
  dataDir: string
  log: Logger
  // False only in tests: a power failure then loses data.
  fsync?: boolean
  settings?: Record<string, string>
}

export interface DatabaseServer {
  // The connection of the owner of the tables, for migrations and commands.
  connection: pg.ClientConfig
  // The connection of the running product, in a separate role if there is one.
  product: pg.ClientConfig
  productRole: string | undefined
  dataDir: string
  // The user that the product may continue as when root started it.
  user: ServerUser | undefined
  // The requested folder, when the database's user can't enter it and the data is stored elsewhere.
  insteadOf: string | undefined
  pid: () => number | undefined
  stop: () => Promise<void>
}

/**
 * Runs the bundled PostgreSQL on a data folder and creates the database at the first start. Restarts a server that
 * crashes; connections fail meanwhile.
 * @throws ConfigurationError with a sentence for the operator, for example when another process owns the folder
 */
export async function startEmbeddedServer(options: EmbeddedServerOptions): Promise<DatabaseServer> {
  const { log, fsync = true, settings = {} } = options
  const { path: dataDir, user, insteadOf } = await prepareDataFolder(options.dataDir)
  const ownership = await ownFolder(dataDir, user)
  try {
    const binaries = await prepareBinaries(dataDir, user)
    const clusterDir = clusterDirOf(dataDir)
    await ensureCluster({ dir: clusterDir, binaries, user, fsync })
    const left = findServer(clusterDir)
    await endStaleServer(clusterDir, log)
    if (left) removeSocketFolder(left.host)
    const socketDir = createSocketFolder(dataDir, user)
    const connection = { host: socketDir, port: serverPort, user: serverRole, database: databaseName }
    const postmaster = {
      clusterDir,
      socketDir,
      binaries,
      user,
      connection,
      settings: { ...(fsync ? {} : { fsync: 'off' }), ...settings },
      log,
    }
    const supervisor = await supervise(postmaster)
    return {
      connection,
      product: { ...connection, user: productRole },
      productRole,
      dataDir,
      user,
      insteadOf,
      pid: supervisor.pid,
      async stop() {
        await supervisor.stop()
        removeSocketFolder(socketDir)
        ownership.release()
      },
    }
  } catch (error) {
    ownership.release()
    throw error
  }
}

/** For tools beside the product: connects to the server that runs on this folder, or starts one as long as needed. */
async function joinEmbeddedServer(options: EmbeddedServerOptions): Promise<DatabaseServer> {
  try {
    return await startEmbeddedServer(options)
  } catch (error) {
    if (!(error instanceof FolderTakenError)) throw error
    const { path: dataDir, user, insteadOf } = await prepareDataFolder(options.dataDir)
    const running = findServer(clusterDirOf(dataDir))
    if (!running) throw error
    const connection = { ...running, user: serverRole, database: databaseName }
    const product = { ...connection, user: productRole }
    const nothing = { pid: () => undefined, stop: async () => undefined }
    return { connection, product, productRole, dataDir, user, insteadOf, ...nothing }
  }
}

async function supervise(options: PostmasterOptions) {
  const { clusterDir, log } = options
  let pauseMs = firstPauseMs
  let isStopping = false
  let current: Postmaster | undefined
  let restarting: Promise<void> | undefined
  let cancelRestart: (() => void) | undefined

  async function start() {
    const startedAt = Date.now()
    current = await startPostmaster(options)
    void current.ended.then(() => {
      current = undefined
      if (isStopping) return
      if (Date.now() - startedAt > steadyMs) pauseMs = firstPauseMs
      log.error({ pauseMs }, 'the database ended unexpectedly; starting it again')
      restartLater()
    })
  }

  function restartLater() {
    cancelRestart = after(pauseMs, () => {
      restarting = restart()
    })
    pauseMs = Math.min(longestPauseMs, pauseMs * 2)
  }

  async function restart() {
    try {
      await endStaleServer(clusterDir, log)
      await start()
      log.info('the database runs again')
    } catch (error) {
      log.error({ err: error }, 'the database can not be started')
      if (!isStopping) restartLater()
    }
  }

  await start()
  return {
    pid: () => current?.pid,
    async stop() {
      isStopping = true
      cancelRestart?.()
      await current?.stop()
      // A restart under way must end first, or its server outlives us.
      await restarting
      await current?.stop()
    },
  }
}
