import { ApiProblem } from './api-problem.ts'

/** A part of a page as it was read: when one fails, the others stand. */
export type Section<T> = { data: T; failure: null } | { data: null; failure: string }

/**
 * Reads a part of a page.
 *
 * @param what in the sentence 'Failed to load {what}: {reason}' (spec §8)
 */
export async function readSection<T>(what: string, reading: Promise<T>): Promise<Section<T>> {
  try {
    return { data: await reading, failure: null }
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error
    return { data: null, failure: `Failed to load ${what}: ${error.message}` }
  }
}
