import {
  keepPreviousData,
  type Query,
  QueryClient,
  type UseQueryResult,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useCallback } from 'react'
import { createSearchParams, useLocation } from 'react-router'
import type { Topic } from '#shared/topics.ts'
import { ApiProblem } from './api-problem.ts'
import { isUnavailable } from './stale-data.ts'

declare module '@tanstack/react-query' {
  interface Register {
    /** A query is read again when its first key, or one of `meta.topics`, changes. */
    queryKey: readonly [Topic, ...unknown[]]
    queryMeta: { topics?: readonly Topic[] }
  }
}

// In ms. Spread out, so that all tabs of a school don't return in the same second after a restart.
const retryMs = 4_000 * (0.5 + Math.random())

/** Stale data stays while a refresh fails, and the refresh is repeated. A first read that failed waits for the user. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        networkMode: 'always',
        refetchOnReconnect: true,
        retry: false,
        refetchInterval: (query) => (isBehind(query) ? retryMs : false),
      },
    },
  })
}

/** Shows data that could not be refreshed. */
export function isBehind({ state }: Pick<Query, 'state'>): boolean {
  return state.data !== undefined && state.error !== null && isUnavailable(state.error)
}

/** The sentence of a first read that failed, or of a refusal; null while there is none to show. */
export function failureOf({ data, error }: Pick<UseQueryResult, 'data' | 'error'>): string | null {
  if (error === null || (data !== undefined && isUnavailable(error))) return null
  // The page stays because of unsaved input, and a notice says that the session ended.
  if (error instanceof ApiProblem && error.problem.code === 'unauthenticated') return null
  return error.message
}

/** After an own change: the notice of it doesn't come while the event stream is lost. */
export function useReadAgain(): () => Promise<void> {
  const client = useQueryClient()
  return useCallback(() => client.invalidateQueries(), [client])
}

interface ScreenQuery<T> {
  key: readonly [Topic, ...unknown[]]
  topics?: readonly Topic[]
  load: (params: ReturnType<typeof createSearchParams>, signal: AbortSignal) => Promise<T>
  /** In ms, while work is under way: a change event may be lost. */
  pollMs?: (data: T) => number | false
}

/** Reads what the address's parameters ask for. Until that is there, the data of the former address is shown. */
export function useScreenQuery<T>({
  key,
  topics = [],
  load,
  pollMs = () => false,
}: ScreenQuery<T>): UseQueryResult<T> {
  const { search } = useLocation()
  return useQuery({
    queryKey: [...key, search],
    queryFn: ({ signal }) => load(createSearchParams(search), signal),
    meta: { topics },
    placeholderData: keepPreviousData,
    refetchInterval: (query) => {
      if (isBehind(query)) return retryMs
      return query.state.data === undefined ? false : pollMs(query.state.data)
    },
  })
}
