import { expect, test, vi } from 'vitest'
import { DatabaseSilentError } from './errors.ts'
import { createGroupCommit } from './group-commit.ts'

type Work = (rows: readonly string[]) => void

/** Statements end when the test says so. */
function createStatements(fails: Work = () => undefined) {
  const groups: string[][] = []
  const ends: (() => void)[] = []
  const store = createGroupCommit(async (rows: readonly string[]) => {
    groups.push([...rows])
    await new Promise<void>((resolve) => ends.push(resolve))
    fails(rows)
    return rows.map((row) => `${row} stored`)
  })
  async function endAll() {
    for (let end = ends.shift(); end; end = ends.shift()) {
      end()
      await new Promise(setImmediate)
    }
  }
  return { store, groups, endAll }
}

const turn = () => new Promise(setImmediate)

test('a row that meets no statement goes at once; those that arrive meanwhile go together', async () => {
  const { store, groups, endAll } = createStatements()
  const first = store('a')
  await turn()
  expect(groups).toEqual([['a']])
  const outcomes = Promise.all([first, ...['b', 'c', 'd', 'e'].map(store)])
  await turn()
  expect(groups).toEqual([['a']])
  await endAll()
  expect(groups).toEqual([['a'], ['b', 'c', 'd', 'e']])
  expect(await outcomes).toEqual(['a stored', 'b stored', 'c stored', 'd stored', 'e stored'])
})

test('many rows, or any beside a slow statement, begin a second one, but no third', async () => {
  const { store, groups, endAll } = createStatements()
  const outcomes = [store('a')]
  await turn()
  outcomes.push(...Array.from({ length: 16 }, () => store('many')))
  await turn()
  expect(groups.map(({ length }) => length)).toEqual([1, 16])
  await endAll()
  outcomes.push(store('slow'))
  await turn()
  outcomes.push(store('next'))
  await vi.waitFor(() => expect(groups.slice(2)).toEqual([['slow'], ['next']]))
  outcomes.push(...Array.from({ length: 16 }, () => store('many')))
  await turn()
  expect(groups).toHaveLength(4)
  await endAll()
  await Promise.all(outcomes)
})

test('at most 64 rows are one statement', async () => {
  const { store, groups, endAll } = createStatements()
  const outcomes = Promise.all(Array.from({ length: 102 }, (_, index) => store(String(index))))
  await turn()
  await endAll()
  await outcomes
  expect(groups.map(({ length }) => length)).toEqual([64, 38])
})

test('a row that fails its statement fails alone', async () => {
  const { store, groups, endAll } = createStatements((rows) => {
    if (rows.includes('bad')) throw new Error('a check')
  })
  const outcomes = Promise.allSettled(['a', 'b', 'c', 'bad', 'd'].map(store))
  await turn()
  await endAll()
  const results = await outcomes
  expect(results.map(({ status }) => status)).toEqual([
    ...['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
  ])
  expect(groups.slice(1)).toEqual([['a'], ['b'], ['c'], ['bad'], ['d']])
})

test('an outage reaches every row of its statement, once, and the next rows are tried', async () => {
  let isOut = true
  const { store, groups, endAll } = createStatements(() => {
    if (isOut) throw new DatabaseSilentError('no answer')
  })
  const outcomes = Promise.allSettled(['a', 'b', 'c', 'd'].map(store))
  await turn()
  await endAll()
  const results = await outcomes
  expect(results.every(({ status }) => status === 'rejected')).toBe(true)
  expect(groups).toEqual([['a', 'b', 'c', 'd']])
  isOut = false
  const next = store('e')
  await turn()
  await endAll()
  expect(await next).toBe('e stored')
})
