import { parseArgs } from 'node:util'
import { ConfigurationError } from './env.ts'

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
