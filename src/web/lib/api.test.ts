import { hc } from 'hono/client'
import { expect, test } from 'vitest'
import type { Api } from '#server/api.ts'
import { withSafePaths } from './api.ts'

const asked: string[] = []
const client = withSafePaths(
  hc<Api>('/api', {
    fetch: async (input: RequestInfo | URL) => {
      asked.push(String(input))
      return new Response('{}')
    },
  }),
)

test('an id of an address reaches no other route', async () => {
  const id = '../session/../students?x=#'
  await client.requests[':id'].$get({ param: { id } })
  await client.requests[':id'].$get({ param: { id: '..' } })
  await client.requests[':id'].$get({ param: { id: '' } })
  const own = '0198f4b2-0000-7000-8000-00000000c001'
  await client.requests[':id'].decide.$post({
    param: { id: own },
    json: { version: 1, recordVersion: 1, accept: 'all' },
  })
  await client.requests.$get({ query: { search: '../a b' } })
  expect(asked).toEqual([
    '/api/requests/---session----students-x--',
    '/api/requests/--',
    '/api/requests/-',
    `/api/requests/${own}/decide`,
    '/api/requests?search=..%2Fa+b',
  ])
})
