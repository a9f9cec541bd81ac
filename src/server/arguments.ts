import { parseArgs } from 'node:util'
import { ConfigurationError } from './env.ts'

/**
 * What the start command is told beside its environment.
 *
 * @throws ConfigurationError for a word that it doesn't know
 */
export function readArguments(words: string[]): { demo: boolean } {
  try {
    const { values } = parseArgs({ args: words, options: { demo: { type: 'boolean', default: false } } })
    return values
  } catch (cause) {
    throw new ConfigurationError(
      `The start command doesn't know "${words.join(' ')}". Its only option is --demo: demo content in an empty database.`,
      { cause },
    )
  }
}
