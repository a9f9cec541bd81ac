import { AppError } from '#server/lib/errors.ts'

// SQLSTATEs and classes for a database that can't serve now: connection lost (08), out of resources (53), program
// limits such as a full disk's (58), shutting down or starting (57P), cancelled by our statement limit (57014), our
// idle limits (25P03, 25P04), lock not available in time (55P03), a read-only standby (25006).
const unavailableStates = /^(08...|53...|58...|57P..|57014|25P03|25P04|55P03|25006)$/

const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])

// `pg` reports these without a code.
const driverSentences = [
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Query read timeout',
  'Connection terminated',
  'Client has encountered a connection error',
  'Client was closed',
  'Cannot use a pool after calling end',
  'driver has already been destroyed',
]

export class DatabaseSilentError extends Error {
  override name = 'DatabaseSilentError'
}

export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

/** Whether the whole transaction may succeed when it runs again: it conflicted with another one. */
export function isConflictBetweenTransactions(error: unknown): boolean {
  const code = codeOf(error)
  return code === '40001' || code === '40P01'
}

/**
 * `unavailable` for an error that means the database can't serve now; undefined for any other, such as a constraint,
 * which its repository handles.
 */
export function toAppError(error: unknown): AppError | undefined {
  if (!isUnavailable(error)) return undefined
  return new AppError('unavailable', { cause: error, retryAfter: 2 })
}

function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof DatabaseSilentError) return true
  const code = codeOf(error)
  if (code !== undefined) {
    if (networkCodes.has(code) || isClosedSocket(error, code)) return true
    if (unavailableStates.test(code) || isConflictBetweenTransactions(error)) return true
  }
  if (driverSentences.some((sentence) => error.message.startsWith(sentence))) return true
  if (error instanceof AggregateError && error.errors.some(isUnavailable)) return true
  return isUnavailable(error.cause)
}

// Why a socket file can't be connected to: no server, no permission, or the full queue of a suspended server (EAGAIN).
const socketCodes = new Set(['ENOENT', 'EACCES', 'EAGAIN'])

// ENOENT of a file read is not a connection error.
function isClosedSocket(error: Error, code: string): boolean {
  return socketCodes.has(code) && 'syscall' in error && error.syscall === 'connect'
}
