import { v7 as createId } from 'uuid'
import { beforeEach, describe, expect, test } from 'vitest'
import type { NstpComponent } from '#shared/students/student-choices.ts'
import { creditMessages } from '#shared/terms/credits.ts'
import type { Program } from '#shared/terms/program-response.ts'
import { sectionMessages } from '#shared/terms/terms.ts'
import { storeEnrolment } from '#tests/factories/stored-enrolment.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { storeSection, storeTerm } from '#tests/factories/stored-term.ts'
import { createStaffClient } from '#tests/setup/people.ts'
import { startStudentsServer } from '#tests/setup/students-server.ts'

const today = new Date('2026-08-10T02:00:00Z')
const own = startStudentsServer({ now: today })

let termId: string

beforeEach(async () => {
  const { db } = own.database
  for (const table of ['enrolments', 'sections', 'terms'] as const) await db.deleteFrom(table).execute()
  termId = (await storeTerm(own.database)).id
})

const store = (lastName: string, overrides: Parameters<typeof storeStudent>[1] = {}) =>
  storeStudent(own.database, {
    nstpComponent: 'CWTS',
    academicYear: '2026-2027',
    lastName,
    ...overrides,
  })

const credit = {
  kind: 'credit',
  level: 1,
  component: 'LTS',
  school: 'Another college',
  academicYear: '2025-2026',
  mark: '1.50',
  ground: 'transferee',
  evidence: 'Transcript of records, seen 3 Aug',
}
const exemption = { kind: 'exemption', ground: 'foreign national', evidence: 'Passport' }

type Client = Pick<typeof own.admin, 'call' | 'refusal'>

async function add(studentId: string, body: object, by: Client = own.admin): Promise<string> {
  const answer = await by.call('POST', `/students/${studentId}/credits`, body)
  expect(answer.status).toBe(201)
  return (await answer.json()).id
}

const revoke = (id: string, reason = 'A mistake') =>
  own.admin.call('POST', `/credits/${id}/revoke`, { reason })

const programOf = async (studentId: string, by: Client = own.admin): Promise<Program> =>
  await (await by.call('GET', `/students/${studentId}/program`)).json()

/** Last names, of CWTS. */
async function waiting(level: number): Promise<string[]> {
  const path = `/terms/${termId}/unplaced?component=CWTS&level=${level}`
  const { items } = await (await own.admin.call('GET', path)).json()
  return items.map(({ student }: { student: { lastName: string } }) => student.lastName)
}

describe('a credit', () => {
  test('makes the next level that of placing, until it is revoked', async () => {
    const { id } = await store('Abad')
    await store('Cruz')
    const creditId = await add(id, credit)
    expect([await waiting(1), await waiting(2)]).toEqual([['Cruz'], ['Abad']])
    expect(await programOf(id)).toMatchObject({
      nextLevel: 2,
      exempt: false,
      credits: [{ ...credit, id: creditId, at: today.toISOString(), revokedAt: null, revokeReason: '' }],
    })
    const secondId = await add(id, { ...credit, level: 2 })
    expect([await waiting(1), await waiting(2)]).toEqual([['Cruz'], []])
    expect((await programOf(id)).nextLevel).toBe(null)

    expect((await revoke(secondId)).status).toBe(204)
    expect((await revoke(creditId, 'Another student')).status).toBe(204)
    expect([await waiting(1), await waiting(2)]).toEqual([['Abad', 'Cruz'], []])
    const { nextLevel, credits } = await programOf(id)
    expect(nextLevel).toBe(1)
    expect(credits[1]).toMatchObject({
      id: creditId,
      revokedAt: today.toISOString(),
      revokeReason: 'Another student',
    })
    expect(await own.trail.of('credit-changed')).toMatchObject([
      { detail: { step: 'added', kind: 'credit', level: 1 } },
      { detail: { step: 'added', level: 2 } },
      { detail: { step: 'revoked', level: 2 } },
      { detail: { step: 'revoked', level: 1 } },
    ])
    expect((await revoke(creditId)).status).toBe(404)
  })

  test('is there once, also by two at once, and not of a passed level', async () => {
    const { id } = await store('Abad')
    const answers = await Promise.all(
      [1, 2].map(() => own.admin.call('POST', `/students/${id}/credits`, credit)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
    const path = `/students/${id}/credits`
    expect(await own.admin.refusal('POST', path, credit)).toMatchObject({ detail: creditMessages.hasOne })
    await storeEnrolment(own.database, { termId, studentId: id, level: 2, outcome: 'passed' })
    expect(await own.admin.refusal('POST', path, { ...credit, level: 2 })).toMatchObject({
      status: 409,
      detail: creditMessages.passed,
    })
  })

  test.each([
    ['a credit without a level', { ...credit, level: null }, 'level', sectionMessages.level],
    ['an exemption of a level', { ...exemption, level: 1 }, 'level', sectionMessages.level],
    ['one without evidence', { ...credit, evidence: ' ' }, 'evidence', 'Please fill in the evidence.'],
    ['one without a ground', { ...credit, ground: 'sick' }, 'ground', creditMessages.ground],
  ])('is refused as %s', async (_what, body, path, message) => {
    const { id } = await store('Abad')
    const answer = await own.admin.call('POST', `/students/${id}/credits`, body)
    expect([answer.status, (await answer.json()).errors]).toEqual([422, [{ path, message }]])
  })

  test('is of the own components, and needs the permission', async () => {
    const { id } = await store('Abad')
    const registrar = await createStaffClient(own.server, { role: 'registrar', components: [] })
    const creditId = await add(id, credit, registrar)
    const rotc = await createStaffClient(own.server, { role: 'coordinator', components: ['ROTC'] })
    const body = { reason: 'A mistake' }
    expect(await rotc.refusal('POST', `/students/${id}/credits`, exemption)).toMatchObject({ status: 404 })
    expect(await rotc.refusal('POST', `/credits/${creditId}/revoke`, body)).toMatchObject({ status: 404 })
    expect(await rotc.refusal('GET', `/students/${id}/program`)).toMatchObject({ status: 404 })
    expect(await own.admin.refusal('GET', `/students/${createId()}/program`)).toMatchObject({ status: 404 })
  })
})

test('the program shows a credit whole to who may credit, and terms by component', async () => {
  const { id } = await store('Abad')
  const before = await storeTerm(own.database, { academicYear: '2025-2026', state: 'closed' })
  await storeEnrolment(own.database, { termId: before.id, studentId: id, component: 'ROTC' })
  await storeEnrolment(own.database, { termId, studentId: id, level: 2 })
  await add(id, credit)
  const read = async (role: 'registrar' | 'assistant' | 'coordinator', components: NstpComponent[]) => {
    const client = await createStaffClient(own.server, { role, components })
    const { enrolments, credits } = await programOf(id, client)
    const [{ mark, ground, evidence, school } = {}] = credits
    return { mark, ground, evidence, school, of: enrolments.map(({ component }) => component) }
  }
  const { mark, ground, evidence, school } = credit
  const shown = { mark, ground, evidence, school }
  const hidden = { mark: '', ground: null, evidence: '', school: '' }
  expect(await read('registrar', [])).toEqual({ ...shown, of: ['CWTS', 'ROTC'] })
  expect(await read('coordinator', ['CWTS'])).toEqual({ ...shown, of: ['CWTS'] })
  expect(await read('assistant', ['CWTS'])).toEqual({ ...hidden, of: ['CWTS'] })
  expect((await own.trail.of('student-viewed')).length).toBeGreaterThan(0)
})

test('who has a credit of a level, or is exempt, is not added to it', async () => {
  const [credited, exempt] = [await store('Abad'), await store('Cruz')]
  await add(credited.id, credit)
  await add(exempt.id, exemption)
  for (const [{ id }, name] of [
    [credited, 'Abad'],
    [exempt, 'Cruz'],
  ] as const) {
    const body = {
      studentIds: [id],
      level: 1,
      entry: 'repeating',
      school: '',
      sectionId: null,
      on: '2026-08-10',
    }
    expect(await own.admin.refusal('POST', `/terms/${termId}/enrolments`, body)).toMatchObject({
      status: 409,
      detail: expect.stringMatching(new RegExp(`^${name}, .* has a credit of this level, or is exempt.$`)),
    })
  }
})

test('continuing takes credits as passes', async () => {
  const before = await storeTerm(own.database, { academicYear: '2025-2026', semester: 2, state: 'closed' })
  const [credited, exempt, other] = [await store('Abad'), await store('Cruz'), await store('Reyes')]
  for (const { id: studentId } of [credited, exempt, other]) {
    await storeEnrolment(own.database, { termId: before.id, studentId, outcome: 'failed' })
  }
  await add(credited.id, credit)
  await add(exempt.id, exemption)
  const choices = {
    ...{ passed: 'next', 'no mark': 'next', incomplete: 'leave' },
    ...{ failed: 'again', dropped: 'leave', done: 'leave' },
  }
  const path = `/terms/${termId}/continuations/preview`
  const { groups } = await (await own.admin.call('POST', path, { choices })).json()
  const counts = groups.map(({ group, count }: { group: string; count: number }) => [group, count])
  expect(Object.fromEntries(counts)).toMatchObject({ passed: 1, failed: 1, done: 1 })
})

test('who is exempt waits for nothing', async () => {
  const { id } = await store('Abad')
  await storeEnrolment(own.database, { termId, studentId: (await store('Cruz')).id })
  const exemptionId = await add(id, exemption)
  expect([await waiting(1), await programOf(id)]).toMatchObject([['Cruz'], { nextLevel: null, exempt: true }])
  expect(await own.admin.refusal('POST', `/students/${id}/credits`, exemption)).toMatchObject({
    status: 409,
    detail: creditMessages.isExempt,
  })
  await revoke(exemptionId)
  expect(await waiting(1)).toEqual(['Abad', 'Cruz'])
})

test('the program has the terms of a student, with their history for who changes them', async () => {
  const { id: studentId } = await store('Abad')
  const before = await storeTerm(own.database, { academicYear: '2025-2026', semester: 2, state: 'closed' })
  await storeEnrolment(own.database, { termId: before.id, studentId, outcome: 'failed' })
  const section = await storeSection(own.database, { termId, name: 'Alpha' })
  const { id } = await storeEnrolment(own.database, { termId, studentId, entry: 'repeating' })
  // It is stored last and shown last.
  const first = await storeTerm(own.database, { academicYear: '2025-2026', state: 'closed' })
  await storeEnrolment(own.database, { termId: first.id, studentId, status: 'dropped' })
  const body = { ids: [id], sectionId: section.id, reason: 'Near home' }
  expect((await own.admin.call('POST', '/enrolments/section', body)).status).toBe(200)
  const { nextLevel, enrolments } = await programOf(studentId)
  expect(nextLevel).toBe(1)
  expect(enrolments).toMatchObject([
    {
      id,
      version: 2,
      component: 'CWTS',
      level: 1,
      section: { id: section.id, unit: '', name: 'Alpha' },
      status: 'enrolled',
      entry: 'repeating',
      term: { id: termId, label: 'First semester 2026-2027', state: 'open' },
      history: [
        { what: 'section', before: { section: '' }, after: { section: 'Alpha' }, reason: 'Near home' },
      ],
    },
    { term: { label: 'Second semester 2025-2026', state: 'closed' }, history: [] },
    { term: { label: 'First semester 2025-2026', state: 'closed' }, history: [] },
  ])
  const assistant = await createStaffClient(own.server, { role: 'assistant', components: ['CWTS'] })
  expect((await programOf(studentId, assistant)).enrolments[0]?.history).toEqual([])
})

describe('a merge', () => {
  const merge = async (keepId: string, dropId: string) =>
    await own.admin.call('POST', '/students/merge', {
      keepId,
      keepVersion: 1,
      dropId,
      dropVersion: 1,
      take: {},
    })

  test('of a pass and a credit of the same level is refused', async () => {
    const [keep, drop] = [await store('Abad'), await store('Abad')]
    await storeEnrolment(own.database, { termId, studentId: keep.id, outcome: 'passed' })
    await add(drop.id, credit)
    const body = { keepId: keep.id, keepVersion: 1, dropId: drop.id, dropVersion: 1, take: {} }
    expect(await own.admin.refusal('POST', '/students/merge', body)).toMatchObject({
      status: 409,
      detail: creditMessages.passedAndCredited,
    })
  })

  test('keeps the credits of both records, and its undo gives them back', async () => {
    const [kept, dropped] = [await store('Abad'), await store('Abad')]
    await add(kept.id, credit)
    await add(dropped.id, { ...credit, level: 2 })
    expect((await merge(kept.id, dropped.id)).status).toBe(200)
    expect((await programOf(kept.id)).credits).toHaveLength(2)
    expect((await own.admin.call('POST', `/students/${dropped.id}/restore`)).status).toBe(204)
    expect((await programOf(kept.id)).credits).toMatchObject([{ level: 1 }])
    expect((await programOf(dropped.id)).credits).toMatchObject([{ level: 2 }])
  })

  test('is refused where both have the same', async () => {
    const [kept, dropped] = [await store('Abad'), await store('Abad')]
    await add(kept.id, exemption)
    await add(dropped.id, exemption)
    const answer = await merge(kept.id, dropped.id)
    expect([answer.status, (await answer.json()).detail]).toEqual([
      409,
      creditMessages.ofBoth('an exemption'),
    ])
    expect((await programOf(dropped.id)).credits).toHaveLength(1)
  })
})

describe('credits of many who graduated before this system', () => {
  const body = (students: readonly { id: string }[], change: object = {}) => ({
    students: students.map(({ id }) => id),
    academicYear: '2014-2015',
    evidence: 'List of graduates, seen 3 Aug',
    ...change,
  })

  test('are of the levels that each lacks, leave blocked records alone, and are undone together', async () => {
    const [both, first, done, blocked] = [
      await store('Abad', { nstpComponent: 'LTS' }),
      await store('Blas'),
      await store('Cruz'),
      await store('Diaz', { restriction: 'withdrawn' }),
    ]
    await storeEnrolment(own.database, { termId, studentId: first.id, level: 1, outcome: 'passed' })
    for (const level of [1, 2] as const) await add(done.id, { ...credit, level })
    const answer = await own.admin.call('POST', '/credits', body([both, first, done, blocked]))
    expect(answer.status).toBe(200)
    const added = await answer.json()
    expect(added).toMatchObject({ count: 2, unchanged: 1, blocked: 1 })
    const creditsOf = async ({ id }: { id: string }) =>
      (await programOf(id)).credits.map(({ level, component, academicYear, ground }) =>
        [level, component, academicYear, ground].join(' '),
      )
    expect((await creditsOf(both)).sort()).toEqual([
      '1 LTS 2014-2015 graduated before this system',
      '2 LTS 2014-2015 graduated before this system',
    ])
    expect(await creditsOf(first)).toEqual(['2 CWTS 2014-2015 graduated before this system'])
    expect(await creditsOf(done)).toHaveLength(2)
    expect(await creditsOf(blocked)).toEqual([])
    expect((await programOf(both.id)).nextLevel).toBe(null)

    const undo = `/credits/batches/${added.id}/undo`
    const other = await createStaffClient(own.server, { role: 'coordinator', components: [] })
    expect(await other.refusal('POST', undo)).toMatchObject({ status: 404, detail: creditMessages.tooLate })
    expect(await (await own.admin.call('POST', undo)).json()).toEqual({ count: 2 })
    expect([await creditsOf(both), await creditsOf(first)]).toEqual([[], []])
    expect(await own.admin.refusal('POST', undo)).toMatchObject({ status: 404 })
  })

  test('stay by the undo where they were revoked since, with the reason', async () => {
    const { id } = await store('Abad')
    const added = await (await own.admin.call('POST', '/credits', body([{ id }]))).json()
    const [first] = (await programOf(id)).credits
    await revoke(first?.id ?? '', 'Another student')
    const undone = await own.admin.call('POST', `/credits/batches/${added.id}/undo`)
    expect(undone.status).toBe(200)
    expect((await programOf(id)).credits).toMatchObject([{ id: first?.id, revokeReason: 'Another student' }])
  })

  test.each(['2026-2027', '2030-2031'])('are of no year that this system has marks of: %s', async (year) => {
    const { id } = await store('Abad')
    const one = { ...credit, ground: 'graduated before this system', academicYear: year }
    for (const [path, sent] of [
      ['/credits', body([{ id }], { academicYear: year })],
      [`/students/${id}/credits`, one],
    ] as const) {
      const answer = await own.admin.call('POST', path, sent)
      const errors = [{ path: 'academicYear', message: creditMessages.notEarlier }]
      expect([answer.status, (await answer.json()).errors]).toEqual([422, errors])
    }
    expect((await programOf(id)).credits).toEqual([])
  })

  test('are not of the present year either where no term is made yet', async () => {
    await own.database.db.deleteFrom('terms').execute()
    const student = await store('Abad')
    const statusOf = async (academicYear: string) =>
      (await own.admin.call('POST', '/credits', body([student], { academicYear }))).status
    expect([await statusOf('2026-2027'), await statusOf('2025-2026')]).toEqual([422, 200])
  })

  test('leave an exempt student alone', async () => {
    const exempt = await store('Abad')
    await add(exempt.id, exemption)
    const answer = await own.admin.call('POST', '/credits', body([exempt, await store('Blas')]))
    expect(await answer.json()).toMatchObject({ count: 1, unchanged: 1 })
    expect((await programOf(exempt.id)).credits).toHaveLength(1)
  })

  test('are all or none, of the own components', async () => {
    const [own1, other] = [await store('Abad'), await store('Blas', { nstpComponent: 'ROTC' })]
    const cwts = await createStaffClient(own.server, { role: 'coordinator', components: ['CWTS'] })
    expect(await cwts.refusal('POST', '/credits', body([own1, other]))).toMatchObject({ status: 409 })
    expect((await programOf(own1.id)).credits).toEqual([])
  })

  test.each([
    [{ academicYear: '' }, 'academicYear', creditMessages.year],
    [{ evidence: ' ' }, 'evidence', 'Please fill in the evidence.'],
    [{ students: [] }, 'students', creditMessages.students],
  ])('are refused with %j', async (change, path, message) => {
    const answer = await own.admin.call('POST', '/credits', { ...body([await store('Abad')]), ...change })
    expect([answer.status, (await answer.json()).errors]).toEqual([422, [{ path, message }]])
  })

  test('of one need the year, and are no exemption', async () => {
    const { id } = await store('Abad')
    const ground = 'graduated before this system'
    for (const [sent, path, message] of [
      [{ ...credit, ground, academicYear: '' }, 'academicYear', creditMessages.year],
      [{ ...exemption, ground, academicYear: '2014-2015' }, 'ground', creditMessages.notExempt],
    ] as const) {
      const answer = await own.admin.call('POST', `/students/${id}/credits`, sent)
      expect([answer.status, (await answer.json()).errors]).toEqual([422, [{ path, message }]])
    }
  })
})
