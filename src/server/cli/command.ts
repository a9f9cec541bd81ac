import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Logger } from 'pino'
import { codeOf, toAppError } from '#server/database/errors.ts'
import { createNotices } from '#server/database/notices.ts'
import { createDatabase } from '#server/database/pool.ts'
import { joinDatabaseServer } from '#server/database/server.ts'
import { ConfigurationError, type Env } from '#server/env.ts'
import { BackupFileError } from '#server/features/backup/format.ts'
import { AppError } from '#server/lib/errors.ts'
import { fileFaultOf, filePathOf } from '#server/lib/file-faults.ts'

const exitCodes = { done: 0, failed: 1, misused: 2, interrupted: 130 } as const

const noSuchTable = '42P01'

export interface CommandOptions {
  args: string[]
  env: Record<string, string | undefined>
  print: (text: string) => void
  printError: (text: string) => void
  // Only for commands that can be interrupted.
  signal?: AbortSignal
}

interface Command<Request, Options> {
  usage: string
  flags: Record<string, { type: 'boolean' | 'string'; short?: string }>
  /** @returns the request, or what is wrong with it */
  read: (values: Record<string, unknown>, words: string[]) => Request | string
  run: (request: Request, options: Options) => Promise<void>
  /** @returns undefined for a fault that only its stack explains */
  explain: (error: unknown, request: Request) => string | undefined
  interrupted?: string
}

export async function runCommand<Request extends object, Options extends CommandOptions>(
  { usage, flags, read, run, explain, interrupted }: Command<Request, Options>,
  options: Options,
): Promise<number> {
  const { args, print, printError, signal } = options
  const request = readRequest()
  if (request === 'help') {
    print(usage)
    return exitCodes.done
  }
  if (typeof request === 'string') {
    printError(`${request}\n\n${usage}`)
    return exitCodes.misused
  }
  try {
    await run(request, options)
    return exitCodes.done
  } catch (error) {
    if (signal?.aborted) {
      if (interrupted !== undefined) printError(interrupted)
      return exitCodes.interrupted
    }
    const sentence = explain(error, request)
    if (sentence === undefined) throw error
    printError(sentence)
    return exitCodes.failed
  }

  function readRequest(): Request | string {
    const help = { type: 'boolean', short: 'h' } as const
    try {
      const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { ...flags, help } })
      return values.help ? 'help' : read(values, positionals)
    } catch (error) {
      // parseArgs has a readable message: "Unknown option '--mail'".
      return error instanceof Error ? error.message : String(error)
    }
  }
}

/** @param missing the sentence where no file is named */
export function readFileName([file, extra]: string[], missing: string): { file: string } | string {
  if (file === undefined) return missing
  return extra === undefined ? { file } : `Unexpected argument: ${extra}.`
}

/**
 * The sentence for the operator; undefined for a fault that only its stack explains.
 * @param neverStarted the sentence for a database without the product's tables
 */
export function sentenceOf(error: unknown, neverStarted: string): string | undefined {
  if (error instanceof ConfigurationError || error instanceof AppError) return error.message
  if (codeOf(error) === noSuchTable) return neverStarted
  if (toAppError(error)) return 'The database can not be reached. Nothing was changed.'
  return refusalOf([error]) ?? faultOfFile([error])
}

export function studentsIn(count: number): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? 'student' : 'students'}`
}

// SQLSTATEs: a wrong password, a role that may not connect, no such database.
const notAdmitted = ['28000', '28P01', '3D000']
const lacksRight = '42501'

/** What to do when the database that DATABASE_URL names refuses the role. */
function refusalOf(causes: readonly unknown[]): string | undefined {
  for (const cause of causes) {
    const code = codeOf(cause) ?? ''
    if (!(cause instanceof Error)) continue
    if (notAdmitted.includes(code)) {
      return `The database that DATABASE_URL names can't be used: ${cause.message}. Correct DATABASE_URL or DATABASE_OWNER_URL.`
    }
    if (code === lacksRight) {
      return `The database refuses a change of its tables: ${cause.message}. Let DATABASE_OWNER_URL name their owner, or give the role that right.`
    }
  }
  return undefined
}

/** @param path of the command's file: an error of its draft is its own, one of the data folder isn't */
export function fileSentenceOf(error: unknown, path: string): string | undefined {
  if (error instanceof BackupFileError) return `${path}: ${error.message}`
  const fault = fileFaultOf(error)
  const failed = filePathOf(error) ?? path
  return fault && `${resolve(failed).startsWith(resolve(path)) ? path : failed}: ${fault}`
}

/** Aborts at the first signal, so that the command can clean up. A second signal ends the process at once. */
export function abortOnSignals(): AbortSignal {
  const interrupted = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => interrupted.abort())
  }
  return interrupted.signal
}

/** Node's codes for a full disk. */
const diskFullCodes = ['ENOSPC', 'EDQUOT']
/** SQLSTATE of PostgreSQL's full disk. */
const databaseDiskFull = '53100'
/** What initdb and the server print; the code of the failure is lost there. */
const diskFullWords = /No space left on device|Check free disk space/
const notWritableCodes = ['EACCES', 'EPERM', 'EROFS']
// SQLSTATE of a protocol violation: a connection pooler refuses settings that it doesn't know.
const refusedParameters = '08P01'

/**
 * The sentence for the operator when a start or a command fails.
 *
 * @param databaseUrl of a server elsewhere, whose disk isn't the data folder's
 * @returns undefined for a failure that only its stack explains
 */
export function explainStartFailure(
  error: unknown,
  dataDir: string,
  databaseUrl?: string,
): string | undefined {
  const causes = causesOf(error)
  const has = (codes: readonly string[]) => causes.some((cause) => codes.includes(codeOf(cause) ?? ''))
  if (databaseUrl !== undefined && has([databaseDiskFull])) {
    return "The database's disk is full. Free some space there, then start NSTP Portal again."
  }
  if (
    has([...diskFullCodes, databaseDiskFull]) ||
    causes.some(({ message }) => diskFullWords.test(message))
  ) {
    return `The disk with ${dataDir} is full. Free some space, then start NSTP Portal again.`
  }
  if (error instanceof ConfigurationError) return error.message
  if (has([refusedParameters])) {
    return 'The database refuses the connection settings statement_timeout and idle_in_transaction_session_timeout. Set DATABASE_URL to PostgreSQL itself, or let the connection pooler ignore them (PgBouncer: ignore_startup_parameters).'
  }
  if (has(notWritableCodes)) {
    return `NSTP Portal can't write to its data folder ${dataDir}. Give its user write permission, or set DATA_DIR to another folder.`
  }
  if (causes.some((cause) => toAppError(cause))) {
    return 'The database stopped answering during the start. Check it, then start NSTP Portal again.'
  }
  return refusalOf(causes) ?? faultOfFile(causes)
}

/** A sentence about a file that no command names, in the data folder or of the product. */
function faultOfFile(causes: readonly unknown[]): string | undefined {
  for (const cause of causes) {
    const path = filePathOf(cause)
    const sentence = path && fileSentenceOf(cause, path)
    if (sentence) return sentence
  }
  return undefined
}

function causesOf(error: unknown): Error[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : []
}

/**
 * Parses the arguments of the start command.
 * @throws ConfigurationError for an unknown argument
 */
export function readArguments(words: string[]): { demo: boolean } {
  try {
    const { values } = parseArgs({ args: words, options: { demo: { type: 'boolean', default: false } } })
    return values
  } catch (cause) {
    throw new ConfigurationError(
      `Unknown option: ${words.join(' ')}. The only option is --demo (demo content in an empty database).`,
      { cause },
    )
  }
}

export type OperatorDatabase = Awaited<ReturnType<typeof openOperatorDatabase>>

/** Opens the database that the product uses with the same environment, whether or not it runs. */
export async function openOperatorDatabase(env: Env, log: Logger) {
  const { connection, dataDir, stop } = await joinDatabaseServer(env, log)
  const database = createDatabase({ connection, log })
  const notices = createNotices({ db: database.db, listenWith: connection, log })
  return {
    database,
    dataDir,
    publish: notices.publish,
    async close(): Promise<void> {
      await notices.close()
      await database.close()
      await stop()
    },
  }
}
