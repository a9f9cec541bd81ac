import { expect, test } from 'vitest'
import { listedCases } from '#tests/factories/listed-people.ts'
import { createMatching, type PersonMatch } from './match-people.ts'

const cases = listedCases()

function matchAll(): PersonMatch[] {
  const matching = createMatching()
  for (const { records, row } of cases) {
    for (const { id, person } of records) matching.addRecord(id, person)
    matching.addRow(row)
  }
  return cases.map(({ row }) => matching.find(row))
}

test('decides more than 500 labelled lines as a person would, and takes nobody for somebody else', () => {
  expect(cases.length).toBeGreaterThan(500)
  const matches = matchAll()
  const told = cases.map(({ kind, right }, index) => {
    const match = matches[index] ?? null
    const isFound = match !== null && 'found' in match
    if (right === 'nobody') return { kind, isRight: match === null, isWrong: isFound }
    if ('doubt' in right)
      return {
        kind,
        isRight: match !== null && 'doubt' in match && right.doubt.includes(match.doubt),
        isWrong: isFound,
      }
    return {
      kind,
      isRight: isFound && match.found === right.id && match.by === right.by,
      isWrong: isFound && match.found !== right.id,
    }
  })
  expect(told.filter(({ isWrong }) => isWrong)).toEqual([])
  const wrong = told.filter(({ isRight }) => !isRight).map(({ kind }) => kind)
  expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual(cases.length / 100)
})

test('names whom a line may mean, and only once', () => {
  const matching = createMatching()
  const [one] = cases
  if (!one) throw new Error('there are no cases')
  const { row } = one
  matching.addRecord('a', row)
  matching.addRecord('b', { ...row, studentId: '77' })
  matching.addRow(row)
  expect(matching.find({ ...row, studentId: '' })).toEqual({ doubt: 'several', candidates: ['a', 'b'] })
})

test('a line without a name is found by its number', () => {
  const matching = createMatching()
  const person = cases[0]?.records[0]?.person ?? fail()
  matching.addRecord('a', person)
  const unnamed = { ...person, lastName: '', firstName: '', middleName: '', dateOfBirth: '' }
  matching.addRow(unnamed)
  expect(matching.find(unnamed)).toEqual({ found: 'a', by: 'number' })
  expect(matching.find({ ...unnamed, studentId: '1999-1' })).toBeNull()
  expect(matching.find({ ...unnamed, dateOfBirth: '1999-01-01' })).toMatchObject({ doubt: 'details' })
})

test('a line said twice is nobody’s by its name alone', () => {
  const matching = createMatching()
  const person = { ...(cases[0]?.records[0]?.person ?? fail()), studentId: '', dateOfBirth: '' }
  matching.addRecord('a', person)
  matching.addRow(person)
  expect(matching.find(person)).toEqual({ found: 'a', by: 'name' })
  matching.addRow(person)
  expect(matching.find(person)).toMatchObject({ doubt: 'details', candidates: ['a'] })
})

function fail(): never {
  throw new Error('there are no cases')
}

test('10,000 lines are compared with 2,500 records without comparing each with each', () => {
  const matching = createMatching()
  const people = Array.from({ length: 10_000 }, (_, index) => {
    const { row } = cases[index % cases.length] ?? fail()
    return { ...row, lastName: `${row.lastName}${index % 97}`, studentId: `2026-${index}`, dateOfBirth: '' }
  })
  const start = performance.now()
  for (const [index, person] of people.slice(0, 2_500).entries()) matching.addRecord(String(index), person)
  for (const person of people) matching.addRow(person)
  for (const person of people) matching.find(person)
  // About 1 s; each with each would take minutes.
  expect(performance.now() - start).toBeLessThan(20_000)
})
