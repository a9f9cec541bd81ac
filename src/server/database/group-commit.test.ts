import { expect, test } from 'vitest'
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

test('a row that meets no statement goes at once; those that arrive meanwhile go together', async () => {
  const { store, groups, endAll } = createStatements()
  const outcomes = Promise.all(['a', 'b', 'c', 'd', 'e'].map(store))
  expect(groups).toEqual([['a'], ['b']])
  await endAll()
  expect(groups).toEqual([['a'], ['b'], ['c', 'd', 'e']])
  expect(await outcomes).toEqual(['a stored', 'b stored', 'c stored', 'd stored', 'e stored'])
})

test('at most 64 rows are one statement', async () => {
  const { store, groups, endAll } = createStatements()
  const outcomes = Promise.all(Array.from({ length: 102 }, (_, index) => store(String(index))))
  await endAll()
  await outcomes
  expect(groups.map(({ length }) => length)).toEqual([1, 1, 64, 36])
})

test('a row that fails its statement fails alone', async () => {
  const { store, groups, endAll } = createStatements((rows) => {
    if (rows.includes('bad')) throw new Error('a check')
  })
  const outcomes = Promise.allSettled(['a', 'b', 'c', 'bad', 'd'].map(store))
  await endAll()
  const results = await outcomes
  expect(results.map(({ status }) => status)).toEqual([
    ...['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
  ])
  expect(groups.slice(3)).toEqual([['c'], ['bad'], ['d']])
})

test('an outage reaches every row of its statement, once, and the next rows are tried', async () => {
  let isOut = true
  const { store, groups, endAll } = createStatements(() => {
    if (isOut) throw new DatabaseSilentError('no answer')
  })
  const outcomes = Promise.allSettled(['a', 'b', 'c', 'd'].map(store))
  await endAll()
  const results = await outcomes
  expect(results.every(({ status }) => status === 'rejected')).toBe(true)
  expect(groups).toEqual([['a'], ['b'], ['c', 'd']])
  isOut = false
  const next = store('e')
  await endAll()
  expect(await next).toBe('e stored')
})
