import type { Logger } from 'pino'
import type { ServerBuild } from 'react-router'
import { createApp } from './app.ts'
import { prepareToLeaveRoot, sharedUserWarning } from './database/embedded/server-user.ts'
import { migrate } from './database/migrate.ts'
import { createNotices } from './database/notices.ts'
import { type AppDatabase, createDatabase } from './database/pool.ts'
import { type DatabaseServer, startDatabaseServer } from './database/server.ts'
import { type Env, refusePlainHttp } from './env.ts'
import { readKeptKeys } from './features/backup/kept-keys-repository.ts'
import { systemClock } from './lib/clock.ts'
import { networkList } from './lib/network.ts'
import { createTask } from './lib/scheduler.ts'
import { readSecretKey } from './lib/secret-key.ts'
import { productVersion } from './lib/version.ts'
import { type Listener, listen, type Middleware, maxConnections, maxConnectionsOfNetwork } from './listen.ts'
import { createPages } from './pages.ts'

const sweepMs = 60 * 60_000

const ownsTables =
  'the role of DATABASE_URL owns the tables, so it could alter the audit trail: let DATABASE_OWNER_URL name an owner, and DATABASE_URL another role'

interface StartOptions {
  env: Env
  log: Logger
  pagesBuild: ServerBuild | (() => Promise<ServerBuild>)
  mode: 'production' | 'development'
  filesDir: string | null
  exportThread?: URL
  middleware?: Middleware
  print: (sentence: string) => void
  // Fills a database without records. Runs before the port opens.
  fill?: ((database: AppDatabase) => Promise<void>) | undefined
}

export interface RunningServer {
  url: string
  // Finishes requests under way, then stops everything, the database last.
  stop: () => Promise<void>
  // Signals the database to stop, for an exit that can't wait.
  abandon: () => void
}

/**
 * Starts the product: database, migrations, first administrator, port.
 * @throws ConfigurationError with the sentence for the operator, after everything was stopped again
 */
export async function startServer(options: StartOptions): Promise<RunningServer> {
  const { env, log, print } = options
  refusePlainHttp(env)
  print(`NSTP Portal ${productVersion}: NSTP enlistment and records`)
  // What was started, to be stopped in the opposite order.
  const started: (() => Promise<void> | void)[] = []
  const stop = async () => {
    for (let undo = started.pop(); undo; undo = started.pop()) await undo()
  }
  try {
    const server = await startDatabaseServer(env, log)
    started.push(server.stop)
    if (server.insteadOf !== undefined) {
      print(`The database's user can't open ${server.insteadOf}, so the data is in ${server.dataDir}.`)
    }
    const warning = env.DATABASE_URL || !server.user ? undefined : sharedUserWarning(server.user)
    if (warning !== undefined) print(warning)
    if (env.DATABASE_URL && !env.DATABASE_OWNER_URL) log.warn(ownsTables)
    print(`Data:    ${env.DATABASE_URL ? 'the database that DATABASE_URL names' : server.dataDir}`)
    const { connection, product, productRole } = server
    await migrate({ connection, log, print, productRole })
    const database = createDatabase({ connection: product, log }, env.DATABASE_PATIENCE)
    started.push(database.close)
    await options.fill?.(database)
    const { dataDir, user } = server
    const listener = await serve(options, { database, product, dataDir, user }, started)
    return { url: listener.url, stop, abandon: () => interrupt(server.pid()) }
  } catch (error) {
    await stop()
    throw error
  }
}

interface Store extends Pick<DatabaseServer, 'product' | 'dataDir' | 'user'> {
  database: AppDatabase
}

async function serve(
  { env, log, print, pagesBuild, mode, filesDir, exportThread, middleware }: StartOptions,
  { database, product, dataDir, user }: Store,
  started: (() => Promise<void> | void)[],
): Promise<Listener> {
  const notices = createNotices({ db: database.db, listenWith: product, log })
  started.push(notices.close)
  const closing = new AbortController()
  const secretKey = await readSecretKey(env.SECRET_KEY, dataDir)
  const app = createApp({
    env,
    database,
    notices,
    log,
    clock: systemClock,
    secretKey,
    keptKeys: await readKeptKeys(database.db, secretKey),
    closing: closing.signal,
    pages: { render: createPages({ build: pagesBuild, mode, timeZone: env.TZ_PROGRAM }), files: filesDir },
    exportThread: exportThread && { file: exportThread, connection: product },
    // Files in development change without a notice.
    cachesResponses: mode === 'production',
  })
  started.push(app.close)
  const sweep = createTask({ name: 'hourly clean-up', run: app.sweep, everyMs: sweepMs, log })
  started.push(sweep.close)
  await app.load()
  const first = await app.administrators.ensureFirstAdministrator({
    email: env.ADMIN_EMAIL,
    password: env.ADMIN_PASSWORD,
  })
  // The password is printed before the port is opened, which may be in use: it is stored nowhere and would be lost.
  const password = first.password ? `, password ${first.password} (shown only now)` : ''
  print(`Sign in: as ${first.email}${password}`)
  // Only production leaves root. In development the tools write into the source folders.
  const leaveRoot = mode === 'production' ? await prepareToLeaveRoot(user, print) : undefined
  const listener = await listen({
    fetch: app.fetch,
    host: env.HOST,
    port: env.PORT,
    middleware: middleware ?? app.respondFromCache,
    connectionsFor: connectionsFor(env),
  })
  // Event streams never end on the server side, so they are aborted before the port waits for its requests.
  started.push(listener.stop, () => closing.abort())
  leaveRoot?.()
  sweep.wake()
  print(`Open:    ${listener.url}${env.PUBLIC_URL ? ` (public address: ${env.PUBLIC_URL})` : ''}`)
  print(`Enlist:  ${env.PUBLIC_URL ?? listener.url}/register`)
  print('Stop:    Ctrl+C')
  if (env.RATE_LIMITS === 'off') log.warn('rate limits are off: for benchmarks only')
  return listener
}

function connectionsFor({ RATE_LIMITS, TRUST_PROXY, SCHOOL_NETWORKS }: Env) {
  if (RATE_LIMITS === 'off' || TRUST_PROXY === 'on') return undefined
  const isOfSchool = networkList(SCHOOL_NETWORKS)
  // Ten times as many, as of all limits, would be more than there are.
  return (address: string) => (isOfSchool(address) ? maxConnections : maxConnectionsOfNetwork)
}

// SIGINT is PostgreSQL's fast shutdown: it needs no waiting parent.
function interrupt(pid: number | undefined) {
  if (pid !== undefined) process.kill(pid, 'SIGINT')
}
