import { type ApiProblem, connectionProblem, problemOfResponse } from '#web/lib/api-problem.ts'

/** As long as other calls of a page get, in milliseconds. */
const timeoutMs = 20_000

/**
 * Whether announcements can be read: tried with one. Without the API's client, which the home page has not: scripts
 * that are fetched when the connection is lost stay lost, as browsers don't ask for a module twice.
 *
 * @returns null, or the sentence that tells why not (spec §8)
 */
export async function testAccess(): Promise<string | null> {
  try {
    const response = await fetch('/api/announcements?limit=1', { signal: AbortSignal.timeout(timeoutMs) })
    return response.ok ? null : accessSentence(await problemOfResponse(response))
  } catch (cause) {
    return accessSentence(connectionProblem(cause))
  }
}

/** The server refused it, or no server was reached at all. */
export function accessSentence({ problem, message }: ApiProblem): string {
  return problem.status === 0 ? `Error during retry: ${message}` : `Cannot access announcements: ${message}`
}
