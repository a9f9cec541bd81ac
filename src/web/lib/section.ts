import { ApiProblem } from './api-problem.ts'

export type Section<T> = { data: T; failure: null } | { data: null; failure: string }

/**
 * Product 32.3. @param what in 'Failed to load {what}: {reason}' @param
 * isForOthers failures to throw instead
 */
export async function readSection<T>(
  what: string,
  reading: Promise<T>,
  reportFault: (fault: unknown) => void,
  isForOthers: (error: unknown) => boolean = () => false,
): Promise<Section<T>> {
  try {
    return { data: await reading, failure: null }
  } catch (error) {
    if (isForOthers(error)) throw error
    if (error instanceof ApiProblem)
      return { data: null, failure: `Failed to load ${what}: ${error.message}` }
    // A user who navigated away while it was on its way reads nothing of it.
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    reportFault(error)
    return { data: null, failure: `Failed to process ${what} data` }
  }
}
