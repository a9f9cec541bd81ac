import { queryOptions } from '@tanstack/react-query'
import type { Section, Term } from '#shared/terms/terms-response.ts'
import { api, callApi } from './api.ts'

export async function readTerms(signal: AbortSignal | null = null): Promise<readonly Term[]> {
  return (await callApi(api.terms.$get(undefined, { init: { signal } }))).items
}

export const termsQuery = queryOptions({
  queryKey: ['terms', 'list'],
  queryFn: ({ signal }) => readTerms(signal),
})

export async function readSections(
  id: string,
  signal: AbortSignal | null = null,
): Promise<readonly Section[]> {
  return (await callApi(api.terms[':id'].sections.$get({ param: { id } }, { init: { signal } }))).items
}

/** Reads all sections of a term. */
export const sectionsQuery = ({ id }: Pick<Term, 'id'>) =>
  queryOptions({
    queryKey: ['terms', 'sections', id],
    queryFn: ({ signal }) => readSections(id, signal),
  })
