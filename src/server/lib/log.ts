import pino, { type DestinationStream, type Logger } from 'pino'

/**
 * The loggable part of an error: name, code and stack. PostgreSQL repeats values in `detail`, `where` and in messages
 * on bad input, so database errors are reduced to the code and the stack.
 */
export function faultOf(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error }
  const isDatabaseError = 'severity' in error
  // A stack begins with the message.
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line))
  return {
    type: error.name,
    message: isDatabaseError ? 'database error' : error.message,
    code: 'code' in error ? error.code : undefined,
    constraint: 'constraint' in error ? error.constraint : undefined,
    stack: frames?.join('\n'),
    cause: error.cause === undefined ? undefined : faultOf(error.cause),
  }
}

/** The product's log: one JSON object a line. Errors under `err` are reduced by `faultOf`. */
export function createLog(level: string, destination?: DestinationStream): Logger {
  return pino({ level, serializers: { err: faultOf } }, destination)
}

/** Pino's number of `error`. */
const errorLevel = 50

/** A JSON line of the log as a person reads it in a terminal: '14:03:21 warn: database connection lost (code=57P01)'. */
export function toReadableLine(json: string): string {
  const { time, level, msg, pid, hostname, err, ...facts }: Record<string, unknown> = JSON.parse(json)
  const fault: { message?: unknown; stack?: unknown } = typeof err === 'object' && err !== null ? err : {}
  if (fault.message !== undefined) facts.error = fault.message
  const details = Object.entries(facts).map(
    ([name, value]) => `${name}=${typeof value === 'object' ? JSON.stringify(value) : value}`,
  )
  const end = details.length > 0 ? ` (${details.join(', ')})` : ''
  const frames = Number(level) >= errorLevel && fault.stack ? String(fault.stack).split('\n') : []
  const line = `${new Date(Number(time)).toTimeString().slice(0, 8)} ${pino.levels.labels[Number(level)]}: ${msg}${end}`
  // A terminal interprets control characters, and some of these texts are external input.
  return [line, ...frames].map((text) => text.replace(/\p{Cc}+/gu, ' ')).join('\n')
}
