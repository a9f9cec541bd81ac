import { z } from '@hono/zod-openapi'

/** What may be expected where something else was sent. */
const expected: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a JSON object',
  record: 'a JSON object',
}

/**
 * Makes schemas tell people what to do also where a rule has no sentence of its own. The library's wording speaks
 * to programmers ("Invalid input: expected object, received array").
 */
export function speakInSentences(): void {
  z.config({
    localeError: (issue) => {
      if (issue.code === 'unrecognized_keys') {
        return `Please leave out what is not known here: ${issue.keys.join(', ')}.`
      }
      const wanted = issue.code === 'invalid_type' ? expected[issue.expected] : undefined
      return wanted ? `Please send ${wanted}.` : 'Please check what you sent and try again.'
    },
  })
}
