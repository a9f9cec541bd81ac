import { codeOf, toAppError } from '#server/database/errors.ts'
import { ConfigurationError } from '#server/env.ts'
import { BackupFileError } from '#server/features/backup/format.ts'
import { AppError } from '#server/lib/errors.ts'

export const exitCodes = { done: 0, failed: 1, misused: 2, interrupted: 130 } as const

const noSuchTable = '42P01'

export interface CommandOptions {
  args: string[]
  env: Record<string, string | undefined>
  print: (text: string) => void
  printError: (text: string) => void
}

interface Misuse {
  misuse: string
}

/**
 * Reads a command's arguments and prints the usage on `--help` or misuse.
 * @param read throws what `parseArgs` throws
 * @returns the request, or the exit code when the command ends here
 */
export function readRequest<Request extends object>(
  { args, print, printError }: Pick<CommandOptions, 'args' | 'print' | 'printError'>,
  usage: string,
  read: (args: string[]) => Request | Misuse | 'help',
): Request | number {
  const request = readOrExplain(args, read)
  if (request === 'help') {
    print(usage)
    return exitCodes.done
  }
  if ('misuse' in request) {
    printError(`${request.misuse}\n\n${usage}`)
    return exitCodes.misused
  }
  return request
}

function readOrExplain<Request>(args: string[], read: (args: string[]) => Request): Request | Misuse {
  try {
    return read(args)
  } catch (error) {
    // parseArgs has a readable message: "Unknown option '--mail'".
    return { misuse: error instanceof Error ? error.message : String(error) }
  }
}

/**
 * The sentence for the operator; undefined for a fault that only its stack explains.
 * @param neverStarted the sentence for a database without the product's tables
 */
export function sentenceOf(error: unknown, neverStarted: string): string | undefined {
  if (error instanceof ConfigurationError || error instanceof AppError) return error.message
  if (codeOf(error) === noSuchTable) return neverStarted
  if (toAppError(error)) return 'The database can not be reached. Nothing was changed.'
  return undefined
}

export function studentsIn(count: number): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? 'student' : 'students'}`
}

const sentences: Record<string, string> = {
  ENOENT: 'There is no such file or folder.',
  ENOTDIR: 'There is no such file or folder.',
  EACCES: 'Permission denied.',
  EPERM: 'Permission denied.',
  EROFS: 'The disk is read-only.',
  EISDIR: 'It is a folder.',
  ENOSPC: 'The disk is full.',
  EDQUOT: 'Your disk quota is used up.',
  EFBIG: 'The file is too large for this disk.',
  EIO: 'The disk reported an error.',
  ENAMETOOLONG: 'The name is too long.',
}

export function fileSentenceOf(error: unknown, path: string): string | undefined {
  if (error instanceof BackupFileError) return `${path}: ${error.message}`
  const sentence = sentences[codeOf(error) ?? '']
  // The database's socket is not the file's fault.
  const isSocket = error instanceof Error && 'syscall' in error && error.syscall === 'connect'
  return sentence !== undefined && !isSocket ? `${path}: ${sentence}` : undefined
}

/** Aborts at the first signal, so that the command can clean up. A second signal ends the process at once. */
export function abortOnSignals(): AbortSignal {
  const interrupted = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => interrupted.abort())
  }
  return interrupted.signal
}
