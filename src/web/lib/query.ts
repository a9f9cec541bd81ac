import {
  type Query,
  QueryClient,
  type QueryKey,
  type UseMutationOptions,
  type UseQueryResult,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { useRef } from 'react'
import type { Topic } from '#shared/topics.ts'
import { ApiProblem } from './api-problem.ts'
import { isUnavailable } from './stale-data.ts'

declare module '@tanstack/react-query' {
  interface Register {
    /** A query is read again when its first key, or one of `meta.topics`, changes. */
    queryKey: readonly [Topic, ...unknown[]]
    /** @property saysBehind its screen itself says that its data could not be refreshed */
    queryMeta: { topics?: readonly Topic[]; saysBehind?: boolean }
  }
}

// The pause before a retry, in ms. It varies, so that not all tabs of a school return in the same second after a restart.
const retryMs = 4_000 * (0.5 + Math.random())

/** What the server has read for the first screen. */
export type FirstReads = readonly (readonly [QueryKey, unknown])[]

// How long the first reads count as fresh, in ms. Changes since then come with the event stream.
const firstReadsMs = 10_000

/** The key of the query for a student's record. */
export const recordKey = (id: string) => ['students', 'record', id] as const

const deletedIds = new Set<unknown>()

/** Deletes a record; a screen that still shows it, until it is closed, reads nothing of it any more. */
export function useDeleteRecord() {
  const client = useQueryClient()
  return async (id: string, send: () => Promise<unknown>): Promise<void> => {
    deletedIds.add(id)
    try {
      await client.cancelQueries({ predicate: ({ queryKey }) => queryKey.includes(id) })
      await send()
    } catch (error) {
      deletedIds.delete(id)
      throw error
    }
  }
}

/** Stale data stays while a refresh fails, and the refresh is repeated. A first read that failed waits for the user. */
export function createQueryClient(reads: FirstReads = []): QueryClient {
  // Opened again, by Back, it is read, so that the screen says that it is gone.
  const isDeletedAndShown = (part: unknown) =>
    typeof part === 'string' && deletedIds.has(part) && client.getQueryData(recordKey(part)) !== undefined
  const client: QueryClient = new QueryClient({
    defaultOptions: {
      queries: {
        networkMode: 'always',
        enabled: ({ queryKey }) => !queryKey.some(isDeletedAndShown),
        refetchOnReconnect: true,
        retry: false,
        refetchInterval: (query) => (isBehind(query) ? retryMs : false),
      },
    },
  })
  for (const [queryKey, data] of reads) {
    client.setQueryDefaults(queryKey, { staleTime: firstReadsMs })
    client.setQueryData(queryKey, data)
  }
  return client
}

/** Shows data that could not be refreshed. */
export function isBehind({ state }: { state: Pick<Query['state'], 'data' | 'error'> }): boolean {
  return state.data !== undefined && state.error !== null && isUnavailable(state.error)
}

/** The sentence of a first read that failed, or of a refusal; null while there is none to show. */
export function failureOf({ data, error }: Pick<UseQueryResult, 'data' | 'error'>): string | null {
  if (error === null || (data !== undefined && isUnavailable(error))) return null
  // The page stays because of unsaved input, and a notice says that the session ended.
  if (error instanceof ApiProblem && error.problem.code === 'unauthenticated') return null
  return error.message
}

/** Whether a change of one of the topics concerns a query. */
export function concerns(
  topics: readonly Topic[],
  { queryKey: [topic], meta }: Pick<Query<unknown, Error, unknown, QueryKey>, 'queryKey' | 'meta'>,
): boolean {
  return [topic, ...(meta?.topics ?? [])].some((one) => topics.includes(one))
}

/** Reads again after an own change of the topics: the notice of it doesn't come while the event stream is lost. */
export function useReadAgain(...topics: readonly [Topic, ...Topic[]]): () => Promise<void> {
  const client = useQueryClient()
  return () => client.invalidateQueries({ predicate: (query) => concerns(topics, query) })
}

/** For `refetchInterval`, in ms: while work is under way a change event may be lost. */
export function pollWhile<T>(
  query: Pick<Query<T>, 'state'>,
  isUnderWay: (data: T) => boolean,
  pollMs = 10_000,
): number | false {
  if (isBehind(query)) return retryMs
  return query.state.data !== undefined && isUnderWay(query.state.data) ? pollMs : false
}

interface ActionOptions<Input, Output>
  extends Pick<UseMutationOptions<Output, Error, Input>, 'mutationFn' | 'onSuccess' | 'onError'> {
  /** The topics that the action changes. */
  topics: readonly [Topic, ...Topic[]]
}

/** A change by the user: one at a time, and what it concerns is read again after it, also after a failure. */
export function useAction<Input = void, Output = unknown>({
  topics,
  ...options
}: ActionOptions<Input, Output>) {
  const readAgain = useReadAgain(...topics)
  // `isPending` changes with the next render; a second click can come before it.
  const isActing = useRef(false)
  const { mutate, ...action } = useMutation({
    ...options,
    networkMode: 'always',
    onSettled() {
      isActing.current = false
      void readAgain()
    },
  })
  function run(input: Input) {
    if (isActing.current) return
    isActing.current = true
    mutate(input)
  }
  return { ...action, run }
}
