import { keepPreviousData, type QueryKey, type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { ClientResponse } from 'hono/client'
import { useLocation, useNavigate } from 'react-router'
import type { Topic } from '#shared/topics.ts'
import { type callApi, reading } from './api.ts'

interface Address<Values> {
  read: (search: string) => Values
  to: (values: Partial<Values>) => string
}

/**
 * The filters, the page and the opened row of a list, which are in the address.
 * @param start what every change sets: the first page, and no opened row
 * @param admit leaves out of an address what the account may not use
 */
export function useListAddress<Values extends object>(
  address: Address<Values>,
  start: Partial<Values>,
  admit: (values: Values) => Values = (values) => values,
) {
  const navigate = useNavigate()
  const { search } = useLocation()
  const read = (text: string) => admit(address.read(text))
  const values = read(search)
  const to = (changes: Partial<Values>) => address.to({ ...values, ...start, ...changes })
  const go = (path: string, { replace = false } = {}) =>
    void navigate(path, { replace, preventScrollReset: true })
  return {
    values,
    to,
    show: (changes: Partial<Values>, options?: { replace?: boolean }) => go(to(changes), options),
    /** Takes the text of a control. One that the address doesn't know becomes the default. */
    choose(name: keyof Values & string, text: string, options?: { replace?: boolean }) {
      const params = new URLSearchParams(search)
      params.set(name, text)
      go(address.to({ ...read(params.toString()), ...start }), options)
    },
  }
}

export type ListAddress<Values extends object> = ReturnType<typeof useListAddress<Values>>

/** Reads a page of a list. The rows of the page before stay until it is there. */
export function usePage<Args, Answer extends ClientResponse<unknown>>(
  key: QueryKey,
  call: Parameters<typeof reading<Args, Answer>>[0],
  args: NoInfer<Args>,
  topics: readonly Topic[] = [],
): UseQueryResult<Awaited<ReturnType<typeof callApi<Answer>>>> {
  return useQuery({
    queryKey: [...key, args],
    meta: { topics },
    queryFn: reading(call, args),
    placeholderData: keepPreviousData,
  })
}
