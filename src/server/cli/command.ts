import { codeOf, toAppError } from '#server/database/errors.ts'
import { ConfigurationError } from '#server/env.ts'
import { AppError } from '#server/errors.ts'

export const exitCodes = { done: 0, failed: 1, misused: 2, interrupted: 130 } as const

/** PostgreSQL's word for a table that doesn't exist. */
const noSuchTable = '42P01'

/** Where a command runs. */
export interface CommandOptions {
  /** What follows the command's name. */
  args: string[]
  env: Record<string, string | undefined>
  print: (text: string) => void
  printError: (text: string) => void
}

/** Why arguments can't be followed, in a sentence. */
interface Misuse {
  misuse: string
}

/**
 * Reads a command's arguments; who asks for help or misuses it is answered with the usage.
 *
 * @param read throws what `parseArgs` throws
 * @returns what is wanted, or the exit code where the command ends with that answer
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
    // parseArgs words its complaint for people: "Unknown option '--mail'".
    return { misuse: error instanceof Error ? error.message : String(error) }
  }
}

/**
 * What to tell the operator; undefined for a fault that only its stack explains.
 *
 * @param neverStarted the sentence for a database without the product's tables
 */
export function sentenceOf(error: unknown, neverStarted: string): string | undefined {
  if (error instanceof ConfigurationError || error instanceof AppError) return error.message
  if (codeOf(error) === noSuchTable) return neverStarted
  if (toAppError(error)) return 'The database can not be reached. Nothing was changed.'
  return undefined
}
