import { api, callApi } from '#web/lib/api.ts'
import { ApiProblem } from '#web/lib/api-problem.ts'

/**
 * Whether announcements can be read: tried with one.
 *
 * @returns null, or the sentence that tells why not (spec §8)
 */
export async function testAccess(): Promise<string | null> {
  try {
    await callApi(api.announcements.$get({ query: { limit: '1' } }))
    return null
  } catch (error) {
    if (error instanceof ApiProblem) return accessSentence(error)
    throw error
  }
}

/** The server refused it, or no server was reached at all. */
export function accessSentence({ problem, message }: ApiProblem): string {
  return problem.status === 0 ? `Error during retry: ${message}` : `Cannot access announcements: ${message}`
}
