import { v7 as createId } from 'uuid'
import { beforeEach, describe, expect, test } from 'vitest'
import { type ConfirmedPlacement, type Placement, placingMessages } from '#shared/terms/placing.ts'
import { type SectionEdit, termMessages } from '#shared/terms/terms.ts'
import type { PlacementPreview, Section } from '#shared/terms/terms-response.ts'
import { storeEnrolment } from '#tests/factories/stored-enrolment.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { storeTerm } from '#tests/factories/stored-term.ts'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { createStaffClient } from '#tests/setup/people.ts'
import { startStudentsServer } from '#tests/setup/students-server.ts'
import { untilWaiting } from '#tests/setup/waiting-statements.ts'

const today = new Date('2026-08-10T09:00:00+08:00')
const clock = { now: today }
const own = startStudentsServer(clock)

const termId = createId()

beforeEach(async () => {
  clock.now = today
  const { db } = own.database
  for (const table of ['enrolments', 'sections', 'terms'] as const) await db.deleteFrom(table).execute()
  await storeTerm(own.database, { id: termId })
})

async function addSections(...sections: Partial<SectionEdit>[]): Promise<Section[]> {
  const plain = { unit: '', capacity: 2, takes: 'all' as const, courses: [], adviser: '', meets: '' }
  const answer = await own.admin.call('POST', `/terms/${termId}/sections`, {
    component: 'CWTS',
    level: 1,
    sections: sections.map((section, index) => ({ name: `Section ${index + 1}`, ...plain, ...section })),
  })
  expect(answer.status).toBe(201)
  return (await answer.json()).items
}

const store = (lastName: string, overrides: Parameters<typeof storeStudent>[1] = {}) =>
  storeStudent(own.database, {
    lastName,
    firstName: 'Ana',
    middleName: '',
    sex: 'Female',
    course: 'SOICT',
    nstpComponent: 'CWTS',
    academicYear: '2026-2027',
    ...overrides,
  })

const all: Placement = { component: 'CWTS', level: 1, order: 'name', fill: 'in turn', withoutSections: false }

type Caller = Pick<typeof own.admin, 'call' | 'refusal'>

async function preview(change: Partial<Placement> = {}, by: Caller = own.admin): Promise<PlacementPreview> {
  const answer = await by.call('POST', `/terms/${termId}/placements/preview`, { ...all, ...change })
  expect(answer.status).toBe(200)
  return await answer.json()
}

function place(placement: Partial<ConfirmedPlacement>, { key = '', by = own.admin as Caller } = {}) {
  const headers = key === '' ? {} : { 'Idempotency-Key': key }
  return by.call('POST', `/terms/${termId}/placements`, { ...all, ...placement }, headers)
}

async function placeAll(change: Partial<Placement> = {}): Promise<{ batchId: string; count: number }> {
  const { basis } = await preview(change)
  const answer = await place({ ...change, basis })
  expect(answer.status).toBe(200)
  return await answer.json()
}

const undo = (batchId: string, by: Caller = own.admin) =>
  by.call('POST', `/enrolment-batches/${batchId}/undo`)

/** 'Abad Section 1' … by name. */
async function placesNow(): Promise<string[]> {
  const rows = await own.database.db
    .selectFrom('enrolments')
    .innerJoin('students', 'students.id', 'enrolments.studentId')
    .leftJoin('sections', 'sections.id', 'enrolments.sectionId')
    .select(['lastName', 'sections.name as section'])
    .where('enrolments.status', '=', 'enrolled')
    .orderBy('lastName')
    .execute()
  return rows.map(({ lastName, section }) => `${lastName} ${section ?? 'nowhere'}`)
}

describe('placing', () => {
  test('comes after a look at who may have a record of an earlier year', async () => {
    const past = { academicYear: '2025-2026' }
    const same = { dateOfBirth: '2007-01-02', studentId: '' }
    await store('Abad', { ...same, academicYear: '2024-2025' })
    const before = await store('ABAD', { ...same, ...past })
    const abad = await store('Abad', same)
    const cruz = await store('Cruz', { ...past, studentId: '25-00A' })
    const reyes = await store('Reyes', { studentId: '25-00A' })
    await store('Yap', { ...past, studentId: 'none' })
    await store('Zamora', { studentId: 'none' })
    const ofAbad = { id: abad.id, name: 'Abad, Ana', earlierId: before.id, academicYear: '2025-2026' }
    const found = async () =>
      (await own.admin.call('GET', `/terms/${termId}/earlier-records?component=CWTS&level=1`)).json()
    expect(await found()).toEqual({
      count: 2,
      items: [ofAbad, { id: reyes.id, name: 'Reyes, Ana', earlierId: cruz.id, academicYear: '2025-2026' }],
    })
    const compared = await own.admin.call('GET', `/students/${reyes.id}/duplicates?with=${cruz.id}`)
    expect((await compared.json()).items).toContainEqual(expect.objectContaining({ id: cruz.id }))
    await own.admin.call('POST', '/students/duplicates/dismiss', { ids: [reyes.id, cruz.id] })
    expect(await found()).toEqual({ count: 1, items: [ofAbad] })
  })

  test('does what the preview says, with history and trail', async () => {
    const [men, women] = await addSections({ takes: 'Male' }, { takes: 'Female' })
    if (!men || !women) throw new Error('two sections were added')
    const abad = await store('Abad')
    await store('Bautista', { sex: 'Male' })
    await store('Cruz')
    const dizon = await store('Dizon')
    const seen = await preview()
    expect(seen).toEqual({
      total: 4,
      placed: 3,
      sections: [
        { id: men.id, before: 0, after: 1, capacity: 2 },
        { id: women.id, before: 0, after: 2, capacity: 2 },
      ],
      left: [{ reason: 'full', value: '', count: 1, students: [{ id: dizon.id, name: 'Dizon, Ana' }] }],
      basis: expect.any(String),
    })
    const { batchId, count } = await (await place({ basis: seen.basis })).json()
    expect(count).toBe(3)
    expect(await placesNow()).toEqual(['Abad Section 2', 'Bautista Section 1', 'Cruz Section 2'])
    const { db } = own.database
    const enrolments = await db
      .selectFrom('enrolments')
      .selectAll()
      .where('studentId', '=', abad.id)
      .execute()
    expect(enrolments).toMatchObject([
      { component: 'CWTS', level: 1, statusOn: '2026-08-10', entry: 'new', outcome: 'none', version: 1 },
    ])
    const changes = await db
      .selectFrom('enrolmentChanges')
      .selectAll()
      .where('enrolmentId', '=', enrolments[0]?.id ?? '')
      .execute()
    expect(changes).toMatchObject([
      {
        what: 'enrolled',
        at: today,
        before: {},
        after: { component: 'CWTS', level: 1, sectionId: women.id, section: 'Section 2' },
        batchId,
        version: 1,
      },
    ])
    expect(await own.trail.of('students-placed')).toMatchObject([
      { subject: 'First semester 2026-2027', affected: 3, detail: { component: 'CWTS', level: 1 } },
    ])
  })

  test('says who finds no place, and why', async () => {
    await addSections({ takes: 'Male', courses: ['SOICT'] })
    await store('Abad')
    await store('Bautista')
    await store('Cruz', { sex: 'Male', course: 'SOTE' })
    const { left } = await preview()
    expect(left.map(({ reason, value, count }) => [reason, value, count])).toEqual([
      ['sex', 'Female', 2],
      ['course', 'SOTE', 1],
    ])
  })

  test('again takes who enlisted late, and who is in the term without a section', async () => {
    await addSections({}, {})
    await store('Abad')
    await placeAll()
    await store('Zulueta')
    const moved = await store('Bautista')
    await storeEnrolment(own.database, { termId, studentId: moved.id, entry: 'transferee' })
    await store('Other', { academicYear: '2025-2026' })
    await store('Rotc', { nstpComponent: 'ROTC' })
    expect(await placeAll()).toMatchObject({ count: 2 })
    expect(await placesNow()).toEqual(['Abad Section 1', 'Bautista Section 1', 'Zulueta Section 2'])
    const { db } = own.database
    const changes = await db
      .selectFrom('enrolmentChanges')
      .select(['what', 'version'])
      .orderBy('id')
      .execute()
    expect(changes.slice(1)).toEqual(
      expect.arrayContaining([
        { what: 'section', version: 2 },
        { what: 'enrolled', version: 1 },
      ]),
    )
    expect(await preview()).toMatchObject({ total: 0, placed: 0, left: [] })
    expect(await placeAll()).toMatchObject({ count: 0 })
  })

  test('knows who is new, repeats or continues', async () => {
    const { db } = own.database
    const before = await storeTerm(own.database, { semester: 3, academicYear: '2025-2026', state: 'closed' })
    const past = (studentId: string, outcome: 'passed' | 'failed') =>
      storeEnrolment(own.database, { termId: before.id, studentId, outcome })
    await store('Abad')
    await past((await store('Bautista')).id, 'failed')
    await past((await store('Cruz')).id, 'passed')
    await placeAll({ withoutSections: true })
    await placeAll({ withoutSections: true, level: 2 })
    const rows = await db
      .selectFrom('enrolments')
      .innerJoin('students', 'students.id', 'enrolments.studentId')
      .select(['lastName', 'level', 'entry'])
      .where('termId', '=', termId)
      .orderBy('lastName')
      .execute()
    expect(rows).toEqual([
      { lastName: 'Abad', level: 1, entry: 'new' },
      { lastName: 'Bautista', level: 1, entry: 'repeating' },
      { lastName: 'Cruz', level: 2, entry: 'continuing' },
    ])
  })

  test('without sections enrolls alone; a section comes later', async () => {
    await store('Abad')
    expect(await placeAll({ withoutSections: true })).toMatchObject({ count: 1 })
    expect(await preview({ withoutSections: true })).toMatchObject({ total: 0 })
    await addSections({})
    expect(await placeAll()).toMatchObject({ count: 1 })
    expect(await placesNow()).toEqual(['Abad Section 1'])
  })

  test('takes those alone who are named', async () => {
    await addSections({})
    await store('Abad')
    const { id } = await store('Bautista')
    const other = await store('Cruz', { nstpComponent: 'ROTC' })
    expect(await placeAll({ ids: [id, other.id, createId()] })).toMatchObject({ count: 1 })
    expect(await placesNow()).toEqual(['Bautista Section 1'])
  })
})

describe('the confirmation of a preview is refused', () => {
  const sentence = { status: 409, code: 'conflict', detail: placingMessages.stale }

  test.each([
    ['another one enlists', () => store('Bautista')],
    ['a section is added', () => addSections({ name: 'Late' })],
    [
      'a student is corrected',
      () => own.database.db.updateTable('students').set({ sex: 'Male', version: 2 }).execute(),
    ],
    ['a student is deleted', () => own.database.db.deleteFrom('students').execute()],
    [
      'a section is smaller',
      () => own.database.db.updateTable('sections').set({ capacity: 1, version: 2 }).execute(),
    ],
  ])('after %s', async (_what, change) => {
    await addSections({})
    await store('Abad')
    const { basis } = await preview()
    await change()
    const path = `/terms/${termId}/placements`
    expect(await own.admin.refusal('POST', path, { ...all, basis })).toEqual(sentence)
    expect(await placesNow()).toEqual([])
    expect(await own.trail.of('students-placed')).toEqual([])
  })

  test('with another basis, and for a closed term or another component', async () => {
    await addSections({})
    await store('Abad')
    const path = `/terms/${termId}/placements`
    expect(await own.admin.refusal('POST', path, { ...all, basis: '' })).toEqual(sentence)
    const { basis } = await preview()
    const coordinator = await createStaffClient(own.server, { role: 'coordinator', components: ['ROTC'] })
    for (const asked of [path, `${path}/preview`]) {
      const body = asked === path ? { ...all, basis } : all
      expect(await coordinator.refusal('POST', asked, body)).toMatchObject({ status: 403 })
    }
    await own.database.db.updateTable('terms').set({ state: 'closed' }).execute()
    const closed = { status: 409, detail: termMessages.isClosed('First semester 2026-2027') }
    expect(await own.admin.refusal('POST', path, { ...all, basis })).toMatchObject(closed)
    expect(await own.admin.refusal('POST', `${path}/preview`, all)).toMatchObject(closed)
    expect(await own.admin.refusal('POST', `/terms/${createId()}/placements/preview`, all)).toMatchObject({
      status: 404,
    })
  })
})

test('several at once never give a section more students than it has places for', async () => {
  await addSections({ capacity: 3 })
  const students = await Promise.all(Array.from({ length: 8 }, (_, index) => store(`Student ${index}`)))
  const halves = [students.slice(0, 3), students.slice(3, 6), students.slice(6)].map((some) => ({
    ids: some.map(({ id }) => id),
  }))
  const previews = await Promise.all(halves.map((half) => preview(half)))
  const answers = await Promise.all(previews.map(({ basis }, index) => place({ ...halves[index], basis })))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  expect((await placesNow()).length).toBeLessThanOrEqual(3)
})

/** Each way into a term for many at once. @returns sends what was looked at before */
const waysIn: [way: string, prepare: (student: { id: string }) => Promise<() => Promise<Response>>][] = [
  [
    'placed',
    async () => {
      const { basis } = await preview()
      return () => place({ basis })
    },
  ],
  [
    'continued',
    async ({ id: studentId }) => {
      const before = { academicYear: '2025-2026', semester: 2, state: 'closed' } as const
      const { id: earlier } = await storeTerm(own.database, before)
      await storeEnrolment(own.database, { termId: earlier, studentId, outcome: 'passed' })
      const path = `/terms/${termId}/continuations`
      const ways = { passed: 'next', 'no mark': 'leave', incomplete: 'leave', failed: 'leave' }
      const choices = { ...ways, dropped: 'leave', done: 'leave' }
      const seen = await (await own.admin.call('POST', `${path}/preview`, { choices })).json()
      expect(seen).toMatchObject({ next: 1 })
      return () => own.admin.call('POST', path, { choices, basis: seen.basis })
    },
  ],
  [
    'added',
    async ({ id }) => {
      const body = { studentIds: [id], level: 1, entry: 'new', on: '2026-08-10' }
      return () => own.admin.call('POST', `/terms/${termId}/enrolments`, body)
    },
  ],
]

describe.each(waysIn)('who is %s while another changes the record', (_way, prepare) => {
  test.each([{ nstpComponent: 'ROTC' }, { restriction: 'blocked' }] as const)(
    'is in no component and no term that it does not allow: %o',
    async (change) => {
      await addSections({})
      const send = await prepare(await store('Abad'))
      const { db } = own.database
      const { sent } = await db.transaction().execute(async (tx) => {
        await tx
          .updateTable('students')
          .set({ ...change, version: 2 })
          .execute()
        const sent = send()
        await Promise.race([sent, untilWaiting(own.database)])
        return { sent }
      })
      await sent
      const enrolled = await db
        .selectFrom('enrolments')
        .innerJoin('students', 'students.id', 'enrolments.studentId')
        .select(['component', 'nstpComponent', 'restriction'])
        .where('termId', '=', termId)
        .execute()
      expect(
        enrolled.filter((one) => one.component !== one.nstpComponent || one.restriction !== null),
      ).toEqual([])
      // Nothing but the change kept the student out.
      await db.updateTable('students').set({ nstpComponent: 'CWTS', restriction: null, version: 1 }).execute()
      if (enrolled.length === 0) expect((await send()).status).toBe(200)
    },
  )
})

test('a request that is sent again places nobody again', async () => {
  await addSections({ capacity: 10 })
  await store('Abad')
  const { basis } = await preview()
  const key = 'placing-of-today'
  const [first, second] = await Promise.all([place({ basis }, { key }), place({ basis }, { key })])
  expect(await second.json()).toEqual(await first.json())
  await store('Bautista')
  expect(await (await place({ basis }, { key })).json()).toMatchObject({ count: 1 })
  expect(await placesNow()).toEqual(['Abad Section 1'])
})

describe('undo', () => {
  test('takes back who was placed, but not who was changed since', async () => {
    await addSections({}, {})
    await store('Abad')
    const moved = await store('Bautista')
    await storeEnrolment(own.database, { termId, studentId: moved.id })
    const late = await store('Cruz')
    const { batchId } = await placeAll()
    const { db } = own.database
    await db
      .updateTable('enrolments')
      .set({ officialAt: today, version: 2 })
      .where('studentId', '=', late.id)
      .execute()
    const undone = await undo(batchId)
    expect([undone.status, await undone.json()]).toEqual([200, { count: 2, skipped: 1 }])
    expect(await placesNow()).toEqual(['Bautista nowhere', 'Cruz Section 2'])
    expect(await own.trail.of('enrolments-undone')).toMatchObject([
      { subject: 'First semester 2026-2027', affected: 2 },
    ])
    const changes = await db
      .selectFrom('enrolmentChanges')
      .select(['what', 'version'])
      .orderBy('id')
      .execute()
    expect(changes.at(-1)).toEqual({ what: 'undone', version: 3 })
    expect(await preview()).toMatchObject({ total: 2 })
    const again = await own.admin.refusal('POST', `/enrolment-batches/${batchId}/undo`)
    expect(again).toMatchObject({ status: 404, detail: placingMessages.tooLate })
  })

  test('is possible for a day, by who did it and the whole office', async () => {
    await addSections({})
    await store('Abad')
    const coordinator = await createStaffClient(own.server, { role: 'coordinator', components: ['CWTS'] })
    const other = await createStaffClient(own.server, { role: 'coordinator', components: ['CWTS', 'LTS'] })
    const rotc = await createStaffClient(own.server, { role: 'coordinator', components: ['ROTC'] })
    const { basis } = await preview({}, coordinator)
    const { batchId } = await (await place({ basis }, { by: coordinator })).json()
    const path = `/enrolment-batches/${batchId}/undo`
    expect(await other.refusal('POST', path)).toMatchObject({ status: 403 })
    expect(await rotc.refusal('POST', path)).toMatchObject({ status: 404 })
    const undoAfter = async (hours: number) => {
      clock.now = new Date(today.getTime() + hours * 60 * 60_000)
      return await undo(batchId, createAdminClient(own.server, await own.server.signIn()))
    }
    expect((await undoAfter(24)).status).toBe(404)
    expect(await (await undoAfter(23)).json()).toEqual({ count: 1, skipped: 0 })
    expect(await placesNow()).toEqual([])
  })

  test('is offered in the list of recent changes, to whom it is possible', async () => {
    await addSections({})
    await store('Abad')
    const coordinator = await createStaffClient(own.server, { role: 'coordinator', components: ['CWTS'] })
    const other = await createStaffClient(own.server, { role: 'coordinator', components: ['CWTS', 'LTS'] })
    const rotc = await createStaffClient(own.server, { role: 'coordinator', components: ['ROTC'] })
    const { basis } = await preview({}, coordinator)
    const { batchId } = await (await place({ basis }, { by: coordinator })).json()
    const list = async (by: Caller) => (await (await by.call('GET', `/terms/${termId}/batches`)).json()).items
    const batch = {
      id: batchId,
      at: today.toISOString(),
      by: 'coordinator CWTS',
      what: 'enrolled',
      cells: [{ component: 'CWTS', level: 1 }],
      count: 1,
      undoable: 1,
    }
    expect(await list(coordinator)).toEqual([{ ...batch, mayUndo: true }])
    expect(await list(other)).toEqual([{ ...batch, mayUndo: false }])
    expect(await list(rotc)).toEqual([])
    await own.database.db.updateTable('enrolments').set({ officialAt: today, version: 2 }).execute()
    expect(await list(own.admin)).toEqual([{ ...batch, undoable: 0, mayUndo: true }])
    clock.now = new Date(today.getTime() + 24 * 60 * 60_000)
    expect(await list(createAdminClient(own.server, await own.server.signIn()))).toEqual([])
  })

  test('changes nothing of a closed term', async () => {
    await addSections({})
    await store('Abad')
    const { batchId } = await placeAll()
    await own.database.db.updateTable('terms').set({ state: 'closed' }).execute()
    expect((await undo(batchId)).status).toBe(409)
    expect(await placesNow()).toEqual(['Abad Section 1'])
  })
})
