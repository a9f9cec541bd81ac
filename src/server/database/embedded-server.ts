import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from 'pino'
import { ensureCluster, serverRole } from './embedded/cluster.ts'
import { clusterDirOf, prepareDataFolder } from './embedded/data-folder.ts'
import { FolderTakenError, ownFolder } from './embedded/folder-owner.ts'
import { type Postmaster, type PostmasterOptions, startPostmaster } from './embedded/postmaster.ts'
import { prepareBinaries } from './embedded/server-binaries.ts'
import { createSocketFolder, removeSocketFolder, serverPort } from './embedded/socket-folder.ts'
import { endStaleServer, findServer } from './embedded/stale-server.ts'

const databaseName = 'nstp_portal'
const firstPauseMs = 100
const longestPauseMs = 10_000
// In ms. A crash after this time is a new fault: the count of restarts begins again.
const steadyMs = 60_000

interface EmbeddedServerOptions {
  // `prepareDataFolder` may choose another folder.
  dataDir: string
  log: Logger
  // False only in tests: a power failure then loses data.
  fsync?: boolean
  settings?: Record<string, string>
}

export interface EmbeddedServer {
  connection: pg.ClientConfig
  dataDir: string
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
export async function startEmbeddedServer(options: EmbeddedServerOptions): Promise<EmbeddedServer> {
  const { log, fsync = true, settings = {} } = options
  const { path: dataDir, user, insteadOf } = await prepareDataFolder(options.dataDir)
  const ownership = await ownFolder(dataDir)
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
      dataDir,
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
export async function joinEmbeddedServer(options: EmbeddedServerOptions): Promise<EmbeddedServer> {
  try {
    return await startEmbeddedServer(options)
  } catch (error) {
    if (!(error instanceof FolderTakenError)) throw error
    const { path: dataDir, insteadOf } = await prepareDataFolder(options.dataDir)
    const running = findServer(clusterDirOf(dataDir))
    if (!running) throw error
    const connection = { ...running, user: serverRole, database: databaseName }
    return { connection, dataDir, insteadOf, pid: () => undefined, stop: async () => undefined }
  }
}

async function supervise(options: PostmasterOptions) {
  const stopping = new AbortController()
  let current: Postmaster | undefined = await startPostmaster(options)
  const watch = restartWhenStopped()

  async function restartWhenStopped() {
    let pause = firstPauseMs
    while (!stopping.signal.aborted) {
      const startedAt = Date.now()
      await current?.ended
      if (stopping.signal.aborted) return
      current = undefined
      if (Date.now() - startedAt > steadyMs) pause = firstPauseMs
      options.log.error({ pauseMs: pause }, 'the database ended unexpectedly; starting it again')
      // Stopping interrupts it, and is checked next.
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => undefined)
      pause = Math.min(longestPauseMs, pause * 2)
      await restart()
    }
  }

  async function restart() {
    if (stopping.signal.aborted) return
    try {
      await endStaleServer(options.clusterDir, options.log)
      current = await startPostmaster(options)
      options.log.info('the database runs again')
    } catch (error) {
      // The next round tries again, after a longer pause.
      options.log.error({ err: error }, 'the database can not be started')
    }
  }

  return {
    pid: () => current?.pid,
    async stop() {
      stopping.abort()
      // A restart under way must end first, or its server outlives us.
      await current?.stop()
      await watch
      await current?.stop()
    },
  }
}
