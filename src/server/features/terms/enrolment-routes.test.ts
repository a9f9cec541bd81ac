import { sql } from 'kysely'
import { v7 as createId } from 'uuid'
import { beforeEach, describe, expect, test } from 'vitest'
import { enrolmentMessages } from '#shared/terms/enrolments.ts'
import { placingMessages } from '#shared/terms/placing.ts'
import { termMessages } from '#shared/terms/terms.ts'
import { storeEnrolment } from '#tests/factories/stored-enrolment.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { storeSection, storeTerm } from '#tests/factories/stored-term.ts'
import { createStaffClient } from '#tests/setup/people.ts'
import { startStudentsServer } from '#tests/setup/students-server.ts'
import { untilWaiting } from '#tests/setup/waiting-statements.ts'

const own = startStudentsServer({ now: new Date('2026-09-10T02:00:00Z') })

let termId: string
// Of CWTS, NSTP 1: with room for two, and for one; and of ROTC.
let alpha: string
let bravo: string
let rotc: string

beforeEach(async () => {
  const { db } = own.database
  for (const table of ['enrolments', 'sections', 'terms'] as const) await db.deleteFrom(table).execute()
  termId = (await storeTerm(own.database)).id
  const [one, other, ofRotc] = await Promise.all([
    storeSection(own.database, { termId, name: 'Alpha', capacity: 2 }),
    storeSection(own.database, { termId, name: 'Bravo', capacity: 1, position: 1 }),
    storeSection(own.database, { termId, component: 'ROTC', name: 'Platoon' }),
  ])
  ;[alpha, bravo, rotc] = [one.id, other.id, ofRotc.id]
})

const store = (lastName: string, overrides: Parameters<typeof storeStudent>[1] = {}) =>
  storeStudent(own.database, {
    nstpComponent: 'CWTS',
    academicYear: '2026-2027',
    lastName,
    firstName: 'Ana',
    ...overrides,
  })

async function enrol(lastName: string, overrides: object = {}) {
  const { id: studentId } = await store(lastName)
  const { id } = await storeEnrolment(own.database, { termId, studentId, sectionId: alpha, ...overrides })
  return { id, studentId }
}

/** 'Abad CWTS 1 Alpha', by name; with the status of those who aren't enrolled. */
async function listNow(): Promise<string[]> {
  const rows = await own.database.db
    .selectFrom('enrolments')
    .innerJoin('students', 'students.id', 'enrolments.studentId')
    .leftJoin('sections', 'sections.id', 'enrolments.sectionId')
    .select(['lastName', 'enrolments.component', 'enrolments.level', 'sections.name', 'enrolments.status'])
    .orderBy('lastName')
    .orderBy('enrolments.id')
    .execute()
  return rows.map(({ lastName, component, level, name, status }) =>
    [lastName, component, level, name ?? 'nowhere', ...(status === 'enrolled' ? [] : [status])].join(' '),
  )
}

type Client = Pick<typeof own.admin, 'call' | 'refusal'>

async function done(
  path: string,
  body: object,
  headers: Record<string, string> = {},
  by: Client = own.admin,
) {
  const answer = await by.call('POST', path, body, headers)
  expect([path, answer.status]).toEqual([path, 200])
  return await answer.json()
}

const undo = (batchId: string) => done(`/enrolment-batches/${batchId}/undo`, {})

const historyOf = (enrolmentId: string) =>
  own.database.db
    .selectFrom('enrolmentChanges')
    .select(['what', 'before', 'after', 'reason', 'version'])
    .where('enrolmentId', '=', enrolmentId)
    .orderBy('version')
    .execute()

describe('a change of sections', () => {
  test('moves those who are named, and is undone', async () => {
    const [abad, cruz] = [await enrol('Abad'), await enrol('Cruz', { sectionId: null })]
    await own.database.db.updateTable('sections').set({ capacity: 2 }).execute()
    const ids = [abad.id, cruz.id]
    const { batchId, count } = await done('/enrolments/section', {
      ids,
      sectionId: bravo,
      reason: 'Near home',
    })
    expect(count).toBe(2)
    expect(await listNow()).toEqual(['Abad CWTS 1 Bravo', 'Cruz CWTS 1 Bravo'])
    expect(await historyOf(abad.id)).toEqual([
      {
        what: 'section',
        before: { sectionId: alpha, section: 'Alpha' },
        after: { sectionId: bravo, section: 'Bravo' },
        reason: 'Near home',
        version: 2,
      },
    ])
    expect(await own.trail.of('enrolments-changed')).toMatchObject([
      { affected: 2, detail: { step: 'section', section: 'Bravo' } },
    ])
    expect(await undo(batchId)).toEqual({ count: 2, skipped: 0 })
    expect(await listNow()).toEqual(['Abad CWTS 1 Alpha', 'Cruz CWTS 1 nowhere'])
  })

  test('is refused whole where there is no room', async () => {
    const [abad, cruz] = [await enrol('Abad'), await enrol('Cruz')]
    const ids = [abad.id, cruz.id]
    expect(await own.admin.refusal('POST', '/enrolments/section', { ids, sectionId: bravo })).toMatchObject({
      status: 409,
      detail: 'Bravo has room for 1 more, not 2.',
    })
    await enrol('Reyes', { sectionId: bravo })
    expect(
      await own.admin.refusal('POST', '/enrolments/section', { ids: [abad.id], sectionId: bravo }),
    ).toMatchObject({ status: 409, detail: 'Bravo is full.' })
    expect(await listNow()).toEqual(['Abad CWTS 1 Alpha', 'Cruz CWTS 1 Alpha', 'Reyes CWTS 1 Bravo'])
  })

  test('at once by several never overfills a section', async () => {
    const rows = [await enrol('Abad', { sectionId: null }), await enrol('Cruz', { sectionId: null })]
    const answers = await Promise.all(
      rows.map(({ id }) => own.admin.call('POST', '/enrolments/section', { ids: [id], sectionId: bravo })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  test('takes a section of the same term, component and level', async () => {
    const { id } = await enrol('Abad')
    const later = await storeTerm(own.database, { semester: 2, state: 'planned' })
    const other = await storeSection(own.database, { termId: later.id })
    const refuse = (sectionId: string) =>
      own.admin.refusal('POST', '/enrolments/section', { ids: [id], sectionId })
    expect(await refuse(rotc)).toMatchObject({
      status: 409,
      detail: enrolmentMessages.otherCell('Platoon'),
    })
    expect(await refuse(other.id)).toMatchObject({ status: 404 })
    const { id: ofLater } = await enrol('Cruz', { termId: later.id, sectionId: null })
    const ids = [id, ofLater]
    expect(await own.admin.refusal('POST', '/enrolments/section', { ids, sectionId: bravo })).toMatchObject({
      status: 422,
    })
  })

  test('sent again changes nothing again', async () => {
    const { id } = await enrol('Abad')
    const key = { 'Idempotency-Key': 'section-of-today' }
    const body = { ids: [id], sectionId: bravo }
    const first = await done('/enrolments/section', body, key)
    expect(await done('/enrolments/section', body, key)).toEqual(first)
    expect(await historyOf(id)).toHaveLength(1)
  })

  test('is undone only for whom there is still room', async () => {
    const [abad, cruz] = [await enrol('Abad'), await enrol('Cruz')]
    const body = { ids: [abad.id, cruz.id], sectionId: null }
    const { batchId } = await done('/enrolments/section', body)
    await enrol('Reyes')
    expect(await undo(batchId)).toEqual({ count: 1, skipped: 1 })
    const places = await listNow()
    expect(places.filter((place) => place.endsWith('Alpha'))).toHaveLength(2)
  })
})

describe('dropping', () => {
  const on = '2026-09-09'

  test('keeps the enrollment and its mark, and is undone', async () => {
    const { id } = await enrol('Abad', { outcome: 'incomplete', mark: 'INC' })
    const { batchId, count } = await done('/enrolments/drop', { ids: [id], on, reason: 'Left school' })
    expect(count).toBe(1)
    expect(await own.database.db.selectFrom('enrolments').selectAll().execute()).toMatchObject([
      {
        status: 'dropped',
        statusOn: on,
        reason: 'Left school',
        mark: 'INC',
        outcome: 'incomplete',
        version: 2,
      },
    ])
    const path = `/terms/${termId}/batches`
    expect((await (await own.admin.call('GET', path)).json()).items).toMatchObject([
      { what: 'dropped', count: 1, undoable: 1 },
    ])
    expect(await undo(batchId)).toEqual({ count: 1, skipped: 0 })
    expect(await own.database.db.selectFrom('enrolments').selectAll().execute()).toMatchObject([
      { status: 'enrolled', statusOn: '2026-08-03', reason: '', sectionId: alpha, version: 3 },
    ])
    expect(await historyOf(id)).toMatchObject([{ what: 'dropped' }, { what: 'undone' }])
  })

  test('leaves room for another, and who comes back is added', async () => {
    const { id, studentId } = await enrol('Abad', { sectionId: bravo })
    const { batchId } = await done('/enrolments/drop', { ids: [id], on })
    const added = { studentIds: [studentId], level: 1, entry: 'new', sectionId: bravo, on: '2026-09-12' }
    expect(await done(`/terms/${termId}/enrolments`, added)).toMatchObject({ count: 1 })
    expect(await listNow()).toEqual(['Abad CWTS 1 Bravo dropped', 'Abad CWTS 1 Bravo'])
    const path = `/enrolment-batches/${batchId}/undo`
    expect(await own.admin.refusal('POST', path)).toMatchObject({
      status: 404,
      detail: placingMessages.tooLate,
    })
  })

  test('follows the record where its component changed meanwhile, and is undone', async () => {
    const { id, studentId } = await enrol('Abad')
    const { batchId } = await done('/enrolments/drop', { ids: [id], on })
    await own.admin.call('PATCH', `/students/${studentId}`, { nstpComponent: 'ROTC' }, { 'If-Match': '"1"' })
    expect(await undo(batchId)).toEqual({ count: 1, skipped: 0 })
    expect(await listNow()).toEqual(['Abad CWTS 1 Alpha moved', 'Abad ROTC 1 nowhere'])
  })

  test('of who dropped already, and of unknown ones, is refused whole', async () => {
    const [abad, cruz] = [await enrol('Abad'), await enrol('Cruz')]
    await done('/enrolments/drop', { ids: [abad.id], on })
    expect(
      await own.admin.refusal('POST', '/enrolments/drop', { ids: [abad.id, cruz.id], on }),
    ).toMatchObject({ status: 409, detail: enrolmentMessages.gone })
    expect(await own.admin.refusal('POST', '/enrolments/drop', { ids: [createId()], on })).toMatchObject({
      status: 404,
    })
    expect(await listNow()).toEqual(['Abad CWTS 1 Alpha dropped', 'Cruz CWTS 1 Alpha'])
  })
})

describe('a move', () => {
  const to = { component: 'ROTC', level: 1, on: '2026-09-09', reason: 'Medical' }
  const move = (id: string, body: object, by: Client = own.admin) =>
    done(`/enrolments/${id}/move`, body, { 'If-Match': '"1"' }, by)
  const refuse = (id: string, body: object, by: Client = own.admin) =>
    by.refusal('POST', `/enrolments/${id}/move`, body, { 'If-Match': '"1"' })
  const componentOf = async (id: string) =>
    (await (await own.admin.call('GET', `/students/${id}`)).json()).nstpComponent

  test('to another component leaves the mark, and the record follows; undone, both are as before', async () => {
    const { id, studentId } = await enrol('Abad', { mark: '5.00', outcome: 'failed', entry: 'transferee' })
    const moved = await move(id, { ...to, sectionId: rotc })
    expect(moved).toMatchObject({ version: 1 })
    expect(await listNow()).toEqual(['Abad CWTS 1 Alpha moved', 'Abad ROTC 1 Platoon'])
    expect(await componentOf(studentId)).toBe('ROTC')
    const rows = await own.database.db.selectFrom('enrolments').selectAll().orderBy('id').execute()
    expect(rows).toMatchObject([
      { status: 'moved', statusOn: to.on, reason: 'Medical', mark: '5.00', outcome: 'failed' },
      { id: moved.id, entry: 'transferee', mark: '', outcome: 'none' },
    ])
    expect(await own.trail.of('student-edited')).toMatchObject([{ fields: ['nstpComponent'] }])
    const batches = await (await own.admin.call('GET', `/terms/${termId}/batches`)).json()
    expect(batches.items).toMatchObject([
      { what: 'moved', cells: [{ component: 'ROTC', level: 1 }], count: 1 },
    ])

    expect(await undo(moved.batchId)).toEqual({ count: 1, skipped: 0 })
    expect(await listNow()).toEqual(['Abad CWTS 1 Alpha'])
    expect(await componentOf(studentId)).toBe('CWTS')
  })

  test('takes the enrollments of other terms with it', async () => {
    const later = await storeTerm(own.database, { semester: 2, state: 'planned' })
    const { id, studentId } = await enrol('Abad')
    await storeEnrolment(own.database, { termId: later.id, studentId, level: 2 })
    await move(id, to)
    expect(await listNow()).toEqual([
      'Abad CWTS 1 Alpha moved',
      'Abad CWTS 2 nowhere moved',
      'Abad ROTC 1 nowhere',
      'Abad ROTC 2 nowhere',
    ])
  })

  test('is not undone by who has its new component alone by now', async () => {
    const { db } = own.database
    const { id } = await enrol('Abad')
    const coordinator = await createStaffClient(own.server, {
      role: 'coordinator',
      components: ['CWTS', 'ROTC'],
    })
    const { batchId } = await move(id, to, coordinator)
    await db
      .updateTable('admins')
      .set({ components: ['ROTC'] })
      .where('id', '=', coordinator.id)
      .execute()
    expect(await coordinator.refusal('POST', `/enrolment-batches/${batchId}/undo`)).toMatchObject({
      status: 404,
      detail: placingMessages.tooLate,
    })
    expect(await listNow()).toEqual(['Abad CWTS 1 Alpha moved', 'Abad ROTC 1 nowhere'])
  })

  test('within the component and level changes the section', async () => {
    const { id } = await enrol('Abad')
    expect(await move(id, { ...to, component: 'CWTS', sectionId: bravo })).toMatchObject({ id, version: 2 })
    expect(await listNow()).toEqual(['Abad CWTS 1 Bravo'])
  })

  test('to another level stays in the component', async () => {
    const { id, studentId } = await enrol('Abad')
    await move(id, { ...to, component: 'CWTS', level: 2 })
    expect(await listNow()).toEqual(['Abad CWTS 1 Alpha moved', 'Abad CWTS 2 nowhere'])
    expect(await componentOf(studentId)).toBe('CWTS')
  })

  test('is not undone where they were added again to the level they left', async () => {
    const { id, studentId } = await enrol('Abad')
    const { batchId } = await move(id, { ...to, component: 'CWTS', level: 2 })
    const added = { studentIds: [studentId], level: 1, entry: 'repeating', on: to.on }
    await done(`/terms/${termId}/enrolments`, added)
    const path = `/enrolment-batches/${batchId}/undo`
    expect(await own.admin.refusal('POST', path)).toMatchObject({
      status: 404,
      detail: placingMessages.tooLate,
    })
    expect(await listNow()).toEqual(['Abad CWTS 1 Alpha moved', 'Abad CWTS 2 nowhere', 'Abad CWTS 1 nowhere'])
  })

  test('is refused to a level that is passed or taken, a full section, and with an old version', async () => {
    const passed = await enrol('Abad', { outcome: 'passed' })
    expect(await refuse(passed.id, to)).toMatchObject({
      status: 409,
      detail: enrolmentMessages.passed('Abad, Ana'),
    })
    const { id, studentId } = await enrol('Cruz')
    await storeEnrolment(own.database, { termId, studentId, level: 2 })
    expect(await refuse(id, { ...to, component: 'CWTS', level: 2 })).toMatchObject({
      status: 409,
      detail: enrolmentMessages.already('Cruz, Ana'),
    })
    await enrol('Reyes', { sectionId: bravo })
    expect(await refuse(id, { ...to, component: 'CWTS', sectionId: bravo })).toMatchObject({ status: 409 })
    await own.database.db.updateTable('enrolments').set({ version: 2 }).execute()
    expect(await refuse(id, to)).toMatchObject({ status: 409 })
  })

  test('to a component of others is refused', async () => {
    const { id } = await enrol('Abad')
    const coordinator = await createStaffClient(own.server, { role: 'coordinator', components: ['CWTS'] })
    expect(await refuse(id, to, coordinator)).toMatchObject({ status: 403 })
    const ofRotc = await createStaffClient(own.server, { role: 'coordinator', components: ['ROTC'] })
    expect(await refuse(id, to, ofRotc)).toMatchObject({ status: 404 })
    expect(await listNow()).toEqual(['Abad CWTS 1 Alpha'])
  })
})

test('who reads the students of a term is in the trail', async () => {
  await enrol('Abad')
  for (const list of ['enrolments', 'unplaced?component=CWTS&level=1'])
    expect((await own.admin.call('GET', `/terms/${termId}/${list}`)).status).toBe(200)
  const entries = await own.trail.of('students-listed')
  expect(entries.map(({ detail }) => detail)).toEqual(
    expect.arrayContaining([
      { list: 'students of a term', term: termId },
      { list: 'waiting students', term: termId },
    ]),
  )
})

describe('adding to a term', () => {
  const path = () => `/terms/${termId}/enrolments`
  const added = (studentIds: string[], change: object = {}) => ({
    ...{ studentIds, level: 1, entry: 'repeating', on: '2026-09-10' },
    ...change,
  })

  test('takes who is of an earlier year, and is undone', async () => {
    const { id } = await store('Abad', { academicYear: '2023-2024' })
    const { batchId } = await done(path(), added([id], { sectionId: alpha }))
    expect(await own.database.db.selectFrom('enrolments').selectAll().execute()).toMatchObject([
      { studentId: id, component: 'CWTS', level: 1, sectionId: alpha, entry: 'repeating', version: 1 },
    ])
    expect(await own.trail.of('enrolments-changed')).toMatchObject([{ detail: { step: 'added', level: 1 } }])
    expect(await undo(batchId)).toEqual({ count: 1, skipped: 0 })
    expect(await listNow()).toEqual([])
  })

  test('refuses a full section, and adds nobody then', async () => {
    await enrol('Reyes', { sectionId: bravo })
    const { id } = await store('Abad')
    expect(await own.admin.refusal('POST', path(), added([id], { sectionId: bravo }))).toMatchObject({
      status: 409,
      detail: 'Bravo is full.',
    })
    expect(await listNow()).toEqual(['Reyes CWTS 1 Bravo'])
  })

  test.each([
    ['enrolled', {}, enrolmentMessages.already('Abad, Ana')],
    ['passed', { outcome: 'passed', status: 'moved' }, enrolmentMessages.passed('Abad, Ana')],
  ])('refuses who has %s already', async (_what, enrolment, detail) => {
    const { studentId } = await enrol('Abad', enrolment)
    expect(await own.admin.refusal('POST', path(), added([studentId]))).toMatchObject({ status: 409, detail })
  })

  test('refuses blocked records, those without a component, and unknown ones', async () => {
    const blocked = await store('Abad', { restriction: 'blocked' })
    const without = await store('Cruz', { nstpComponent: '' })
    const refuse = (id: string) => own.admin.refusal('POST', path(), added([id]))
    expect(await refuse(blocked.id)).toMatchObject({ detail: enrolmentMessages.blocked('Abad, Ana') })
    expect(await refuse(without.id)).toMatchObject({
      detail: enrolmentMessages.withoutComponent('Cruz, Ana'),
    })
    expect(await refuse(createId())).toMatchObject({ detail: enrolmentMessages.unknown })
  })
})

describe('what left a section that filled up since', () => {
  const because = { on: '2026-09-09', reason: 'Near home' }
  const version = { 'If-Match': '"1"' }

  test.each<[string, (id: string) => ReturnType<typeof done>]>([
    ['a change of sections', (id) => done('/enrolments/section', { ids: [id], sectionId: null })],
    ['a drop', (id) => done('/enrolments/drop', { ids: [id], ...because })],
    [
      'a move to another component',
      (id) => done(`/enrolments/${id}/move`, { component: 'ROTC', level: 1, ...because }, version),
    ],
    [
      'a move to another level',
      (id) => done(`/enrolments/${id}/move`, { component: 'CWTS', level: 2, ...because }, version),
    ],
  ])('stays out of it: %s is not undone', async (_what, leave) => {
    const { id } = await enrol('Abad', { sectionId: bravo })
    const { batchId } = await leave(id)
    await enrol('Reyes', { sectionId: bravo })
    const before = await listNow()
    expect(await own.admin.refusal('POST', `/enrolment-batches/${batchId}/undo`)).toMatchObject({
      status: 404,
      detail: placingMessages.tooLate,
    })
    expect(await listNow()).toEqual(before)
  })

  test('comes back by the undo of a drop as far as there is room', async () => {
    const ids = [(await enrol('Abad')).id, (await enrol('Cruz')).id]
    const { batchId } = await done('/enrolments/drop', { ids, ...because })
    await enrol('Reyes')
    expect(await undo(batchId)).toEqual({ count: 1, skipped: 1 })
    expect((await listNow()).filter((place) => place.endsWith('Alpha'))).toHaveLength(2)
  })
})

test('a change that is sent again while the first one waits for the term is done once', async () => {
  const { id } = await enrol('Abad')
  const { db } = own.database
  const drop = () =>
    done(
      '/enrolments/drop',
      { ids: [id], on: '2026-09-09', reason: '' },
      { 'Idempotency-Key': 'drop-of-today' },
    )
  const { answers } = await db.transaction().execute(async (tx) => {
    await sql`select from terms for update`.execute(tx)
    const both = Promise.all([drop(), drop()])
    await untilWaiting(own.database, 2)
    return { answers: both }
  })
  const [first, again] = await answers
  expect(again).toEqual(first)
  expect(await historyOf(id)).toHaveLength(1)
})

test('a closed term stays as it is', async () => {
  const { id, studentId } = await enrol('Abad')
  const other = await store('Cruz')
  await own.database.db.updateTable('terms').set({ state: 'closed' }).execute()
  const on = '2026-09-10'
  const closed = { status: 409, detail: termMessages.isClosed('First semester 2026-2027') }
  const { refusal } = own.admin
  const version = { 'If-Match': '"1"' }
  const to = { component: 'ROTC', level: 1, on }
  expect(await refusal('POST', '/enrolments/section', { ids: [id], sectionId: bravo })).toMatchObject(closed)
  expect(await refusal('POST', '/enrolments/drop', { ids: [id], on })).toMatchObject(closed)
  expect(await refusal('POST', `/enrolments/${id}/move`, to, version)).toMatchObject(closed)
  const added = { studentIds: [other.id], level: 1, entry: 'new', on }
  expect(await refusal('POST', `/terms/${termId}/enrolments`, added)).toMatchObject(closed)
  expect(await listNow()).toEqual(['Abad CWTS 1 Alpha'])
  expect((await own.admin.call('GET', `/students/${studentId}`)).status).toBe(200)
})

describe('the list of a term', () => {
  const list = async (query = '', by: Client = own.admin) =>
    await (await by.call('GET', `/terms/${termId}/enrolments${query}`)).json()
  const names = async (query: string) =>
    (await list(query)).items.map(({ student }: { student: { lastName: string } }) => student.lastName)

  beforeEach(async () => {
    await enrol('Cruz', { sectionId: bravo, officialAt: new Date('2026-09-01') })
    await enrol('Abad')
    await enrol('Reyes', { sectionId: null, entry: 'repeating', mark: '5.00', outcome: 'failed' })
    await enrol('Santos', { status: 'dropped', component: 'ROTC', level: 2, sectionId: null })
  })

  test('has pages in order, with what an account may see', async () => {
    const page = await list('?pageSize=2&page=2')
    expect(page).toMatchObject({
      total: 3,
      page: 2,
      pageSize: 2,
      items: [{ student: { lastName: 'Reyes' } }],
    })
    const [first] = (await list()).items
    expect(first).toMatchObject({
      version: 1,
      component: 'CWTS',
      level: 1,
      section: { id: alpha, unit: '', name: 'Alpha' },
      status: 'enrolled',
      statusOn: '2026-08-03',
      entry: 'new',
      officialAt: null,
      student: { lastName: 'Abad', firstName: 'Ana' },
    })
    expect(first.student.contactNumber).not.toBe('')
    const registrar = await createStaffClient(own.server, { role: 'registrar', components: [] })
    expect((await list('', registrar)).items[0].student).toMatchObject({
      lastName: 'Abad',
      contactNumber: '',
    })
  })

  test.each([
    ['?sort=-name', ['Reyes', 'Cruz', 'Abad']],
    ['?sort=section', ['Abad', 'Cruz', 'Reyes']],
    ['?status=all&component=ROTC&level=2', ['Santos']],
    ['?missing=section', ['Reyes']],
    ['?missing=official', ['Abad', 'Reyes']],
    ['?missing=mark', ['Abad', 'Cruz']],
    ['?outcome=failed', ['Reyes']],
    ['?search=reyes', ['Reyes']],
    ['?search=nobody', []],
  ])('by %s', async (query, expected) => {
    expect(await names(query)).toEqual(expected)
  })

  test('has each of those who are alike on one page: by the id, in whatever order', async () => {
    const ids = Array.from({ length: 6 }, () => createId()).sort()
    // The latest id is stored first, so that no order of storing is taken for one by the id.
    for (const id of ids.toReversed()) await enrol('Torres', { id, statusOn: '2026-08-03' })
    const orders = ['name', 'studentId', 'course', 'sex', 'section', 'entry']
    for (const sort of orders.flatMap((order) => [order, `-${order}`])) {
      const found: string[] = []
      for (const page of [1, 2, 3]) {
        const { items } = await list(`?search=torres&pageSize=2&page=${page}&sort=${sort}`)
        found.push(...items.map(({ id }: { id: string }) => id))
      }
      expect([sort, found]).toEqual([sort, ids])
    }
  })

  test('has marks for who may read them, also by filters', async () => {
    const registrar = await createStaffClient(own.server, { role: 'registrar', components: [] })
    expect((await list('?outcome=failed', registrar)).items).toMatchObject([
      { mark: '5.00', outcome: 'failed' },
    ])
    const assistant = await createStaffClient(own.server, { role: 'assistant', components: [] })
    const [seen] = (await list('?search=reyes', assistant)).items
    expect(Object.keys(seen).filter((name) => name === 'mark' || name === 'outcome')).toEqual([])
    for (const filter of ['outcome=failed', 'missing=mark']) {
      const asked = `/terms/${termId}/enrolments?${filter}`
      expect(await assistant.refusal('GET', asked)).toMatchObject({ status: 403, code: 'permission_denied' })
    }
  })

  // Written by hand: what the product hides must not be read from the product.
  const everything = { reason: 'Illness', entry: 'repeating', mark: '5.00', outcome: 'failed' }
  const marksAlone = { ...everything, reason: '' }
  test.each([
    ['administrator', everything],
    ['coordinator', everything],
    ['registrar', marksAlone],
    ['assistant', { reason: '' }],
    ['privacy officer', { reason: '' }],
  ] as const)(
    'shows the role %s why somebody left, and marks, as far as it works with them',
    async (role, seen) => {
      const { studentId } = await enrol('Torres', { ...everything, status: 'dropped' })
      const client = await createStaffClient(own.server, { role, components: [] })
      const program = await (await client.call('GET', `/students/${studentId}/program`)).json()
      const [listed] = (await list('?status=all&search=torres', client)).items
      for (const enrolment of [listed, program.enrolments[0]]) {
        const { reason, entry, mark, outcome } = enrolment
        expect({ reason, entry, mark, outcome }).toEqual(seen)
      }
    },
  )

  test('of a section', async () => {
    expect(await names(`?section=${bravo}`)).toEqual(['Cruz'])
    expect(await own.admin.refusal('GET', `/terms/${createId()}/enrolments`)).toMatchObject({ status: 404 })
  })

  test('of who waits has those without a section too', async () => {
    await store('Bautista')
    const { total, items } = await (
      await own.admin.call('GET', `/terms/${termId}/unplaced?component=CWTS&level=1`)
    ).json()
    expect(total).toBe(2)
    expect(items).toMatchObject([
      { student: { lastName: 'Bautista' }, enrolmentId: null, version: null, entry: 'new' },
      { student: { lastName: 'Reyes' }, enrolmentId: expect.any(String), version: 1, entry: 'repeating' },
    ])
  })
})
