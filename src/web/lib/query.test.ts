import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { ApiProblem } from './api-problem.ts'
import { concerns, pollWhile } from './query.ts'

const unavailable = new ApiProblem({ title: '', status: 503, detail: '', code: 'unavailable' })

function queryOf(data: number | undefined, error: Error | null = null) {
  const query = new QueryClient().getQueryCache().build<number>(new QueryClient(), { queryKey: ['mail'] })
  query.setState({ data, error })
  return query
}

test('a query is polled while work is under way', () => {
  const isUnderWay = (queued: number) => queued > 0
  expect(pollWhile(queryOf(undefined), isUnderWay)).toBe(false)
  expect(pollWhile(queryOf(0), isUnderWay)).toBe(false)
  expect(pollWhile(queryOf(2), isUnderWay)).toBe(10_000)
  expect(pollWhile(queryOf(2), isUnderWay, 3_000)).toBe(3_000)
})

test('a change concerns the queries that name its topic', () => {
  const queue = { queryKey: ['mail', 'queue'], meta: { topics: ['settings'] } } as const
  expect(concerns(['mail'], queue)).toBe(true)
  expect(concerns(['students', 'settings'], queue)).toBe(true)
  expect(concerns(['students', 'session'], queue)).toBe(false)
  expect(concerns(['students'], { queryKey: ['mail'], meta: undefined })).toBe(false)
})

test('what could not be refreshed is read again soon, also when nothing is under way', () => {
  const pauseMs = pollWhile(queryOf(0, unavailable), () => false)
  expect(pauseMs).toBeGreaterThan(1_000)
  expect(pauseMs).toBeLessThan(10_000)
})
