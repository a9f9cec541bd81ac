import { codeOf, toAppError } from './database/errors.ts'
import { ConfigurationError } from './env.ts'

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
  return undefined
}

function causesOf(error: unknown): Error[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : []
}
