import { createMemoryRouter, type DataStrategyResult, type LoaderFunction, redirect } from 'react-router'
import { afterEach, describe, expect, test } from 'vitest'
import { ApiProblem, connectionProblem } from './api-problem.ts'
import { keepStaleData, protectPage, registerPage } from './stale-data.ts'

const base = 'http://localhost'
const problem = { title: '', status: 503, detail: 'Not now.', code: 'unavailable' } as const

const cleanups: (() => void)[] = []
afterEach(() => {
  for (const end of cleanups.splice(0)) end()
})

function show(path: string): boolean[] {
  const reported: boolean[] = []
  cleanups.push(registerPage({ url: base + path, onRevalidated: (isMissed) => reported.push(isMissed) }))
  return reported
}

async function openForm() {
  const reads = { next: (): unknown => 'first' }
  const read: LoaderFunction = () => reads.next()
  const router = createMemoryRouter(
    [
      {
        id: 'root',
        middleware: [(args, next) => keepStaleData(args, async () => resultsOf(await next()))],
        children: [
          { id: 'frame', loader: read, children: [{ id: 'form', path: '/form', loader: read }] },
          { id: 'other', path: '/other', loader: read },
        ],
      },
    ],
    { initialEntries: ['/form'], hydrationData: { loaderData: { frame: 'first', form: 'first' } } },
  ).initialize()
  cleanups.push(() => router.dispose())
  return { router, reads, reported: show('/form') }
}

function resultsOf(value: unknown): Record<string, DataStrategyResult> {
  if (!isResults(value)) throw new Error('no results of loaders')
  return value
}

function isResults(value: unknown): value is Record<string, DataStrategyResult> {
  return typeof value === 'object' && value !== null
}

function response(status: number) {
  return { status, statusText: '', internal: false, data: null }
}

function fail(error: unknown): () => never {
  return () => {
    throw error
  }
}

const failures = [
  ['a connection that breaks', new TypeError('Failed to fetch')],
  ['no answer of the API', connectionProblem('offline')],
  ['an API that is out of order', new ApiProblem(problem)],
  ['an error page of a proxy', response(502)],
  ['a limit of requests', new ApiProblem({ ...problem, status: 429, code: 'too_many_requests' })],
] as const

const answers = [
  ['a refusal of the API', new ApiProblem({ ...problem, status: 401, code: 'unauthenticated' })],
  ['a refusal of the server', response(404)],
] as const

describe('a page that is shown', () => {
  test.each(failures)('keeps its data through %s, and is refreshed afterwards', async (_what, error) => {
    const { router, reads, reported } = await openForm()
    reads.next = fail(error)
    await router.revalidate()
    expect(router.state.errors).toBeNull()
    expect(router.state.loaderData).toEqual({ frame: 'first', form: 'first' })
    expect(reported).toEqual([true])

    reads.next = () => 'second'
    await router.revalidate()
    expect(router.state.loaderData).toMatchObject({ frame: 'second', form: 'second' })
    expect(reported).toEqual([true, false])
  })

  test('uses the loaders that succeeded', async () => {
    const { router, reads, reported } = await openForm()
    let count = 0
    reads.next = () => {
      count += 1
      if (count === 1) throw connectionProblem('reset')
      return 'second'
    }
    await router.revalidate()
    expect(router.state.loaderData).toEqual({ frame: 'first', form: 'second' })
    expect(reported).toEqual([true])
  })

  test.each(answers)('is replaced by %s', async (_what, error) => {
    const { router, reads, reported } = await openForm()
    reads.next = fail(error)
    await router.revalidate()
    expect(router.state.errors).not.toBeNull()
    expect(reported).toEqual([false])
  })

  test('is replaced by a redirect', async () => {
    const { router, reads } = await openForm()
    let count = 0
    reads.next = () => {
      count += 1
      if (count === 1) throw redirect('/other')
      return 'second'
    }
    await router.revalidate()
    expect(router.state.location.pathname).toBe('/other')
    expect(router.state.errors).toBeNull()
  })

  test('is not used for another address', async () => {
    const { router, reads } = await openForm()
    reads.next = fail(connectionProblem('offline'))
    await router.navigate('/other')
    expect(router.state.errors).not.toBeNull()
  })
})

describe('a protected page', () => {
  test('is returned to when another one fails to load, and is notified', async () => {
    const { router, reads } = await openForm()
    let returns = 0
    const release = protectPage(() => {
      returns += 1
    })
    cleanups.push(release)
    for (const error of [connectionProblem('offline'), new TypeError('Failed to fetch'), response(503)]) {
      reads.next = fail(error)
      await router.navigate('/other')
      expect(router.state).toMatchObject({ location: { pathname: '/form' }, errors: null })
      expect(router.state.loaderData).toEqual({ frame: 'first', form: 'first' })
    }
    expect(returns).toBe(3)
    release()
    await router.navigate('/other')
    expect(router.state.errors).not.toBeNull()
  })

  test('is left for a page that loads, and for a refusal', async () => {
    const { router, reads } = await openForm()
    cleanups.push(protectPage())
    reads.next = () => 'second'
    await router.navigate('/other')
    expect(router.state.loaderData).toMatchObject({ other: 'second' })
    reads.next = fail(response(404))
    await router.navigate('/form')
    expect(router.state.errors).not.toBeNull()
  })
})
