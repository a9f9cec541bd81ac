import { queryOptions } from '@tanstack/react-query'
import type { Term } from '#shared/terms/terms-response.ts'
import { api, callApi } from './api.ts'

export async function readTerms(signal: AbortSignal | null = null): Promise<readonly Term[]> {
  return (await callApi(api.terms.$get(undefined, { init: { signal } }))).items
}

export const termsQuery = queryOptions({
  queryKey: ['terms', 'list'],
  queryFn: ({ signal }) => readTerms(signal),
})
