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
