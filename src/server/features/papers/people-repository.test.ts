import { v7 as createId } from 'uuid'
import { beforeEach, expect, test } from 'vitest'
import { accessOf, officeItself } from '#server/lib/access.ts'
import { storeEnrolment } from '#tests/factories/stored-enrolment.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { storeSection, storeTerm } from '#tests/factories/stored-term.ts'
import { startStudentsServer } from '#tests/setup/students-server.ts'
import { enrolledIn, graduatesOf } from './people-repository.ts'

const own = startStudentsServer()

const [before, first, second, sectionId] = [createId(), createId(), createId(), createId()]

beforeEach(async () => {
  const { db } = own.database
  for (const table of ['enrolments', 'credits', 'sections', 'terms'] as const) {
    await db.deleteFrom(table).execute()
  }
  await storeTerm(own.database, { id: before, academicYear: '2025-2026', state: 'closed' })
  await storeTerm(own.database, { id: first, state: 'closed' })
  await storeTerm(own.database, { id: second, semester: 2 })
  await storeSection(own.database, { id: sectionId, termId: second, level: 2, unit: 'Alpha', name: 'A' })
})

type Enrolment = Partial<Parameters<typeof storeEnrolment>[1]>

async function store(lastName: string, ...enrolments: Enrolment[]): Promise<string> {
  const { id } = await storeStudent(own.database, { lastName, nstpComponent: 'CWTS' })
  for (const enrolment of enrolments) {
    await storeEnrolment(own.database, { termId: first, studentId: id, ...enrolment })
  }
  return id
}

async function credit(
  studentId: string,
  level: 1 | 2 | null,
  academicYear = '',
  component: 'LTS' | null = null,
): Promise<void> {
  const kind = level === null ? ('exemption' as const) : ('credit' as const)
  const ground = { ground: 'transferee' as const, evidence: 'Transcript', decidedAt: new Date() }
  await own.database.db
    .insertInto('credits')
    .values({ id: createId(), studentId, kind, level, academicYear, component, ...ground })
    .execute()
}

const namesOf = (people: Awaited<ReturnType<typeof graduatesOf>>) =>
  people.map(({ fields }) => fields.lastName)
const year = { academicYear: '2026-2027' }
const one = { level: 1, outcome: 'passed' } as const
const two = { termId: second, level: 2, outcome: 'passed' } as const

test('graduates are those who passed or were credited both levels, the later one in the year', async () => {
  await store('Both', one, { ...two, sectionId, mark: '1.25' })
  await store('Incomplete', one, { ...two, outcome: 'incomplete' })
  await store('Second Only', two)
  await store('Earlier', { ...one, termId: before }, { ...two, termId: before })
  await store('Late First', { ...two, termId: before }, one)
  await credit(await store('Transferee', two), 1)
  await credit(await store('Credited', one), 2, '2025-2026')
  const exempt = await store('Exempt', one, two)
  await credit(exempt, null)
  const people = await graduatesOf(own.database.db, officeItself, year)
  expect(namesOf(people)).toEqual(['Both', 'Credited', 'Late First', 'Transferee'])
  expect(people[0]).toMatchObject({
    list: 'graduates',
    component: 'CWTS',
    level: 2,
    semester: 2,
    unit: 'Alpha',
    section: 'A',
    mark: '1.25',
    hasNstp1: true,
    nstp1Component: 'CWTS',
    isTransferee: false,
  })
  expect(people.map(({ isTransferee }) => isTransferee)).toEqual([false, true, false, true])
  expect(namesOf(await graduatesOf(own.database.db, officeItself, { academicYear: '2025-2026' }))).toEqual([
    'Earlier',
  ])
})

test('who was credited what they passed counts from the earlier of both', async () => {
  const both = await store('Both', { ...one, termId: before }, two)
  await credit(both, 2, '2025-2026')
  await credit(both, 1, '2026-2027', 'LTS')
  expect(await graduatesOf(own.database.db, officeItself, year)).toEqual([])
  expect(await graduatesOf(own.database.db, officeItself, { academicYear: '2025-2026' })).toMatchObject([
    { fields: { lastName: 'Both' }, nstp1Component: 'CWTS' },
  ])
})

test('everybody enrolled in a year is listed once, by the latest enrolment', async () => {
  await store('Both', one, two)
  await store('Dropped', { status: 'dropped' })
  await store('Went To ROTC', { component: 'CWTS', status: 'moved' }, { component: 'ROTC' })
  await store('Earlier', { termId: before })
  await store('Repeats', { termId: second, component: 'LTS' }, { level: 2, outcome: 'failed' })
  const people = await enrolledIn(own.database.db, officeItself, year)
  expect(people.map(({ fields, component, level }) => [fields.lastName, component, level])).toEqual([
    ['Both', 'CWTS', 2],
    ['Repeats', 'LTS', 1],
    ['Went To ROTC', 'ROTC', 1],
  ])
  const ofTerm = await enrolledIn(own.database.db, officeItself, { ...year, termId: first })
  expect(ofTerm.map(({ fields, level }) => [fields.lastName, level])).toEqual([
    ['Both', 1],
    ['Repeats', 2],
    ['Went To ROTC', 1],
  ])
  const ofComponents = { ...year, components: ['ROTC'] as const }
  expect(namesOf(await enrolledIn(own.database.db, officeItself, ofComponents))).toEqual(['Went To ROTC'])
})

test('an account of one component sees that one', async () => {
  await store('Cwts', one, two)
  await store('Rotc', { ...one, component: 'ROTC' }, { ...two, component: 'ROTC' })
  const access = accessOf({ role: 'coordinator', components: ['ROTC'] })
  expect(namesOf(await graduatesOf(own.database.db, access, year))).toEqual(['Rotc'])
  expect(namesOf(await enrolledIn(own.database.db, access, year))).toEqual(['Rotc'])
})
