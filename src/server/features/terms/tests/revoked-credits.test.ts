import { v7 as createId } from 'uuid'
import { beforeEach, expect, test } from 'vitest'
import { enrolledIn, graduatesOf } from '#server/features/papers/people-repository.ts'
import { officeItself } from '#server/lib/access.ts'
import { storeEnrolment } from '#tests/factories/stored-enrolment.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { storeTerm } from '#tests/factories/stored-term.ts'
import { startStudentsServer } from '#tests/setup/students-server.ts'

const own = startStudentsServer({ now: new Date('2027-01-10T02:00:00Z') })

const [before, termId] = [createId(), createId()]

async function empty(): Promise<void> {
  const { db } = own.database
  for (const table of ['enrolments', 'terms', 'students'] as const) await db.deleteFrom(table).execute()
  await storeTerm(own.database, { id: before, state: 'closed' })
  await storeTerm(own.database, { id: termId, semester: 2 })
}
beforeEach(empty)

const credit = {
  kind: 'credit',
  academicYear: '2026-2027',
  ground: 'transferee',
  evidence: 'Transcript',
} as const
const exemption = { kind: 'exemption', ground: 'foreign national', evidence: 'Passport' } as const
const one = { ...credit, level: 1 } as const
const two = { ...credit, level: 2 } as const
const credits = [one, two, exemption]
type Credit = (typeof credits)[number]

async function storeCredit(studentId: string, given: Credit, isRevoked: boolean): Promise<void> {
  const revoked = { revokedAt: new Date(), revokeReason: 'A mistake' }
  const row = { id: createId(), studentId, decidedAt: new Date(), ...given, ...(isRevoked && revoked) }
  await own.database.db.insertInto('credits').values(row).execute()
}

const store = async () =>
  (await storeStudent(own.database, { nstpComponent: 'CWTS', academicYear: '2026-2027', lastName: 'Abad' }))
    .id

const read = async (path: string) => await (await own.admin.call('GET', path)).json()
const statusOf = async (path: string, body: object) => (await own.admin.call('POST', path, body)).status

interface Fact {
  enrolments?: Partial<Parameters<typeof storeEnrolment>[1]>[]
  of: (id: string) => Promise<unknown>
}

const passed = (level: 1 | 2) => ({ level, termId: before, outcome: 'passed' }) as const

/** What credits decide, for a student with these enrolments. */
const facts: Record<string, Fact> = {
  'the next level': {
    async of(id) {
      const { nextLevel, exempt } = await read(`/students/${id}/program`)
      return [nextLevel, exempt]
    },
  },
  'who waits for a section': {
    of: () =>
      Promise.all(
        [1, 2].map(async (level) => {
          const { items } = await read(`/terms/${termId}/unplaced?component=CWTS&level=${level}`)
          return items.length
        }),
      ),
  },
  'who goes on to the next semester': {
    enrolments: [{ termId: before, outcome: 'failed' }],
    async of() {
      const choices = {
        ...{ passed: 'next', 'no mark': 'next', incomplete: 'leave' },
        ...{ failed: 'again', dropped: 'leave', done: 'leave' },
      }
      const path = `/terms/${termId}/continuations/preview`
      const { basis: _basis, ...preview } = await (await own.admin.call('POST', path, { choices })).json()
      return preview
    },
  },
  'who can be added to a term': {
    async of(id) {
      const added = { studentIds: [id], entry: 'repeating', on: '2027-01-09' }
      return [
        await statusOf(`/terms/${termId}/enrolments`, { ...added, level: 1 }),
        await statusOf(`/terms/${termId}/enrolments`, { ...added, level: 2 }),
      ]
    },
  },
  'which credits can be given': {
    async of(id) {
      const statuses: number[] = []
      for (const given of credits) statuses.push(await statusOf(`/students/${id}/credits`, given))
      return statuses
    },
  },
  'what an earlier graduate lacks': {
    async of(id) {
      const body = { students: [id], academicYear: '2014-2015', evidence: 'List of graduates' }
      const { id: _batch, ...added } = await (await own.admin.call('POST', '/credits', body)).json()
      const { credits: given } = await read(`/students/${id}/program`)
      return [added, given.filter(({ revokedAt }: { revokedAt: string | null }) => revokedAt === null).length]
    },
  },
  'which records can be merged': {
    async of(dropId) {
      const keepId = await store()
      for (const given of credits) await storeCredit(keepId, given, false)
      return await statusOf('/students/merge', { keepId, keepVersion: 1, dropId, dropVersion: 1, take: {} })
    },
  },
  'into which records others can be merged': {
    async of(keepId) {
      const dropId = await store()
      for (const given of credits) await storeCredit(dropId, given, false)
      return await statusOf('/students/merge', { keepId, keepVersion: 1, dropId, dropVersion: 1, take: {} })
    },
  },
  'which records with a passed level can be merged': {
    async of(dropId) {
      const keepId = await store()
      await storeEnrolment(own.database, { studentId: keepId, ...passed(1) })
      return await statusOf('/students/merge', { keepId, keepVersion: 1, dropId, dropVersion: 1, take: {} })
    },
  },
  'what a list of the enrolled says': {
    enrolments: [{ termId, level: 2 }],
    async of() {
      const people = await enrolledIn(own.database.db, officeItself, { academicYear: '2026-2027' })
      return people.map(({ hasNstp1, nstp1Component, isExempt }) => [hasNstp1, nstp1Component, isExempt])
    },
  },
  ...Object.fromEntries(
    [[1], [2], [1, 2]].map((levels) => [
      `whether who passed NSTP ${levels.join(' and ')} graduates`,
      {
        enrolments: levels.map((level) => passed(level === 1 ? 1 : 2)),
        async of(id: string) {
          const graduates = await graduatesOf(own.database.db, officeItself, { academicYear: '2026-2027' })
          const { isGraduate } = await read(`/students/${id}/certificates`)
          return [graduates.length, isGraduate]
        },
      },
    ]),
  ),
}

test.each(Object.entries(facts))('a revoked credit counts for nothing: %s', async (_what, fact) => {
  async function factOf(given: Credit | null, isRevoked = false): Promise<string> {
    await empty()
    const id = await store()
    for (const enrolment of fact.enrolments ?? [])
      await storeEnrolment(own.database, { studentId: id, termId, ...enrolment })
    if (given) await storeCredit(id, given, isRevoked)
    return JSON.stringify(await fact.of(id)).replaceAll(id, 'the student')
  }
  const without = await factOf(null)
  const live: string[] = []
  for (const given of credits) {
    live.push(await factOf(given))
    expect([given, await factOf(given, true)]).toEqual([given, without])
  }
  // A credit that counts is seen.
  expect(new Set(live)).not.toEqual(new Set([without]))
})
