import { fileURLToPath } from 'node:url'
import pino, { type Logger } from 'pino'
import { explainStartFailure, readArguments } from './cli/command.ts'
import { type Env, readEnv } from './env.ts'
import { createLog, toReadableLine } from './lib/log.ts'
import type { RunningServer } from './start.ts'

// Ctrl+C under npm arrives twice, from the terminal and from npm. Within so many ms, the second signal is the same one.
const echoMs = 1_000
const interruptedCode = 130

// Written in blocks, and at the latest after a second: a write for each line costs a busy server a fifth of its
// time. `end` writes what is left.
const destination = pino.destination({ fd: 1, sync: false, minLength: 16_000, periodicFlush: 1_000 })
const isTerminal = process.stdout.isTTY
let dataDir = ''
let databaseUrl: string | undefined

async function main() {
  const env = readEnv(process.env)
  dataDir = env.DATA_DIR
  databaseUrl = env.DATABASE_URL
  const { demo } = readArguments(process.argv.slice(2))
  const log = isTerminal ? createTerminalLog(env) : createLog(env.LOG_LEVEL, destination)
  const [pagesBuild, { startServer }] = await Promise.all([
    import('virtual:react-router/server-build'),
    import('./start.ts'),
  ])
  const starting = startServer({
    env,
    log,
    pagesBuild,
    mode: 'production',
    exportThread: new URL('./export-worker.js', import.meta.url),
    filesDir: fileURLToPath(new URL('../client', import.meta.url)),
    print,
    fill: demo
      ? async (database) => (await import('./demo/fill-with-demo.ts')).fillWithDemo(database, print)
      : undefined,
  })
  stopOnSignals(starting, log)
  await starting
}

// A signal during the start counts too: the server stops once it has started.
function stopOnSignals(starting: Promise<RunningServer>, log: Logger) {
  let server: RunningServer | undefined
  let stoppingSince: number | undefined

  async function stop(exitCode: number) {
    stoppingSince = Date.now()
    try {
      server = await starting
      await server.stop()
      end(exitCode)
    } catch (error) {
      log.fatal({ err: error }, 'not stopped in order')
      end(1)
    }
  }

  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (stoppingSince === undefined) return void stop(0)
      if (Date.now() - stoppingSince < echoMs) return
      server?.abandon()
      end(interruptedCode)
    })
  }
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'unexpected fault; stopping')
    if (stoppingSince === undefined) void stop(1)
  })
}

function createTerminalLog(env: Env): Logger {
  const level = process.env.LOG_LEVEL ? env.LOG_LEVEL : 'warn'
  return createLog(level, { write: (line) => process.stdout.write(`${toReadableLine(line)}\n`) })
}

// Standard error: standard output is for the log.
function print(sentence: string) {
  console.error(sentence)
}

function end(exitCode: number): never {
  destination.flushSync()
  process.exit(exitCode)
}

try {
  await main()
} catch (error) {
  // The message has the instruction; a stack would hide it.
  console.error(explainStartFailure(error, dataDir, databaseUrl) ?? error)
  end(1)
}
