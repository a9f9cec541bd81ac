import { v7 as createId } from 'uuid'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Continuation, ContinuingChoices } from '#shared/terms/continuing.ts'
import { placingMessages } from '#shared/terms/placing.ts'
import { termMessages } from '#shared/terms/terms.ts'
import type { ContinuationPreview, Section } from '#shared/terms/terms-response.ts'
import { storeEnrolment } from '#tests/factories/stored-enrolment.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { storeSection, storeTerm } from '#tests/factories/stored-term.ts'
import { createStaffClient } from '#tests/setup/people.ts'
import { startStudentsServer } from '#tests/setup/students-server.ts'

const today = new Date('2027-01-04T09:00:00+08:00')
const own = startStudentsServer({ now: today })

const first = createId()
const second = createId()
const sectionId = createId()

beforeEach(async () => {
  const { db } = own.database
  for (const table of ['enrolments', 'sections', 'terms'] as const) await db.deleteFrom(table).execute()
  await storeTerm(own.database, { id: first, state: 'closed' })
  await storeTerm(own.database, { id: second, semester: 2, state: 'open' })
  await storeSection(own.database, { id: sectionId, termId: first, unit: 'Alpha', name: 'Platoon 1' })
})

type Student = Parameters<typeof storeStudent>[1]
type Enrolment = Partial<Parameters<typeof storeEnrolment>[1]>

async function store(lastName: string, enrolment: Enrolment, student: Student = {}): Promise<string> {
  const { id } = await storeStudent(own.database, {
    lastName,
    firstName: 'Ana',
    middleName: '',
    nstpComponent: 'CWTS',
    ...student,
  })
  await storeEnrolment(own.database, { termId: first, sectionId, studentId: id, ...enrolment })
  return id
}

const choices: ContinuingChoices = {
  passed: 'next',
  'no mark': 'next',
  incomplete: 'leave',
  failed: 'again',
  dropped: 'leave',
  done: 'leave',
}

type Caller = Pick<typeof own.admin, 'call' | 'refusal'>

const path = `/terms/${second}/continuations`

async function preview(
  change: Partial<Continuation> = {},
  by: Caller = own.admin,
): Promise<ContinuationPreview> {
  const answer = await by.call('POST', `${path}/preview`, { choices, ...change })
  expect(answer.status).toBe(200)
  return await answer.json()
}

async function continueAll(change: Partial<Continuation> = {}, by: Caller = own.admin) {
  const { basis } = await preview(change, by)
  const answer = await by.call('POST', path, { choices, ...change, basis })
  expect(answer.status).toBe(200)
  return await answer.json()
}

const sectionsNow = async (): Promise<Section[]> =>
  (await (await own.admin.call('GET', `/terms/${second}/sections`)).json()).items

/** 'Abad NSTP 2 Platoon 1 continuing' … by name. */
async function enrolledNow(): Promise<string[]> {
  const rows = await own.database.db
    .selectFrom('enrolments')
    .innerJoin('students', 'students.id', 'enrolments.studentId')
    .leftJoin('sections', 'sections.id', 'enrolments.sectionId')
    .select(['lastName', 'enrolments.level', 'sections.name as section', 'entry'])
    .where('enrolments.termId', '=', second)
    .orderBy('lastName')
    .execute()
  return rows.map(({ lastName, level, section, entry }) => `${lastName} NSTP ${level} ${section} ${entry}`)
}

describe('continuing', () => {
  test('does what the preview says, with copied sections, history and trail', async () => {
    const abad = await store('Abad', { outcome: 'passed' })
    await store('Bautista', { outcome: 'none' })
    await store('Cruz', { outcome: 'failed' })
    await store('Dizon', { outcome: 'incomplete' })
    const left = await store('Enriquez', { status: 'dropped' })
    const done = await store('Flores', { outcome: 'passed' })
    const earlier = await storeTerm(own.database, { academicYear: '2025-2026', semester: 2, state: 'closed' })
    await storeEnrolment(own.database, { termId: earlier.id, studentId: done, level: 2, outcome: 'passed' })
    await store('Gomez', { outcome: 'passed' }, { archived: true, archivedDate: today })
    await store('Herrera', { outcome: 'passed' }, { restriction: 'blocked' })
    const seen = await preview()
    expect(seen).toEqual({
      groups: [
        { group: 'passed', choice: 'next', count: 1, students: [{ id: abad, name: 'Abad, Ana' }] },
        expect.objectContaining({ group: 'no mark', choice: 'next', count: 1 }),
        expect.objectContaining({ group: 'incomplete', choice: 'leave', count: 1 }),
        expect.objectContaining({ group: 'failed', choice: 'again', count: 1 }),
        { group: 'dropped', choice: 'leave', count: 1, students: [{ id: left, name: 'Enriquez, Ana' }] },
        expect.objectContaining({ group: 'done', choice: 'leave', count: 1 }),
      ],
      next: 2,
      again: 1,
      left: 3,
      sections: 1,
      withoutSection: 1,
      basis: expect.any(String),
    })
    const { batchId, count } = await continueAll()
    expect(count).toBe(3)
    expect(await enrolledNow()).toEqual([
      'Abad NSTP 2 Platoon 1 continuing',
      'Bautista NSTP 2 Platoon 1 continuing',
      'Cruz NSTP 1 null repeating',
    ])
    const [section] = await sectionsNow()
    expect(section).toMatchObject({ component: 'CWTS', level: 2, unit: 'Alpha', capacity: 40, students: 2 })
    const changes = await own.database.db
      .selectFrom('enrolmentChanges')
      .innerJoin('enrolments', 'enrolments.id', 'enrolmentId')
      .select(['what', 'before', 'after', 'batchId', 'statusOn'])
      .where('studentId', '=', abad)
      .execute()
    expect(changes).toEqual([
      {
        what: 'enrolled',
        before: {},
        after: { component: 'CWTS', level: 2, sectionId: section?.id, section: 'Alpha, Platoon 1' },
        batchId,
        statusOn: '2027-01-04',
      },
    ])
    expect(await own.trail.of('students-continued')).toMatchObject([
      { subject: 'Second semester 2026-2027', affected: 3, detail: { sections: 1 } },
    ])
  })

  test('twice takes in nobody twice, and late ones alone', async () => {
    await store('Abad', { outcome: 'passed' })
    await continueAll()
    expect(await continueAll()).toMatchObject({ count: 0 })
    await store('Cruz', { outcome: 'passed' })
    expect(await continueAll()).toMatchObject({ count: 1 })
    expect(await enrolledNow()).toHaveLength(2)
    expect(await sectionsNow()).toHaveLength(1)
  })

  test('reads the latest enrollment of the last two academic years', async () => {
    const twice = await store('Abad', { outcome: 'failed' })
    const summer = await storeTerm(own.database, { academicYear: '2025-2026', semester: 3, state: 'closed' })
    await storeEnrolment(own.database, { termId: summer.id, studentId: twice, outcome: 'incomplete' })
    await store('Bautista', { termId: summer.id, sectionId: null, outcome: 'passed' })
    const winter = await storeTerm(own.database, { academicYear: '2025-2026', semester: 2, state: 'closed' })
    const back = await store('Enriquez', { termId: summer.id, sectionId: null, outcome: 'incomplete' })
    await storeEnrolment(own.database, { termId: winter.id, studentId: back, level: 2, outcome: 'failed' })
    const old = await storeTerm(own.database, { academicYear: '2024-2025', semester: 3, state: 'closed' })
    await store('Cruz', { termId: old.id, sectionId: null, outcome: 'passed' })
    const later = await storeTerm(own.database, { semester: 3, state: 'planned' })
    await store('Dizon', { termId: later.id, sectionId: null, outcome: 'passed' })
    const counts = (await preview()).groups.map(({ group, count }) => `${group} ${count}`)
    expect(counts).toEqual(['passed 1', 'no mark 0', 'incomplete 1', 'failed 1', 'dropped 0', 'done 0'])
  })

  test('follows the choices, and keeps nobody in a section where that is not wanted', async () => {
    await store('Abad', { outcome: 'passed' })
    await store('Cruz', { outcome: 'incomplete' })
    const change = {
      choices: { ...choices, passed: 'leave', incomplete: 'next' },
      copySections: false,
    } as const
    expect(await continueAll(change)).toMatchObject({ count: 1 })
    expect(await enrolledNow()).toEqual(['Cruz NSTP 2 null continuing'])
    expect(await sectionsNow()).toEqual([])
    const wrong = { choices: { ...choices, failed: 'next' } }
    expect(await own.admin.refusal('POST', `${path}/preview`, wrong)).toMatchObject({ status: 422 })
  })

  test('is refused when something changed since the preview, and in a closed term', async () => {
    const abad = await store('Abad', { outcome: 'passed' })
    const { basis } = await preview()
    const { db } = own.database
    await db
      .updateTable('enrolments')
      .set({ outcome: 'failed', version: 2 })
      .where('studentId', '=', abad)
      .execute()
    expect(await own.admin.refusal('POST', path, { choices, basis })).toMatchObject({
      status: 409,
      detail: placingMessages.stale,
    })
    expect(await enrolledNow()).toEqual([])
    await db.updateTable('terms').set({ state: 'closed' }).where('id', '=', second).execute()
    expect(await own.admin.refusal('POST', `${path}/preview`, { choices })).toMatchObject({
      status: 409,
      detail: termMessages.isClosed('Second semester 2026-2027'),
    })
  })

  test('sent again, and by two at once, takes in each student once', async () => {
    await store('Abad', { outcome: 'passed' })
    const { basis } = await preview()
    const send = (key: string) => own.admin.call('POST', path, { choices, basis }, { 'Idempotency-Key': key })
    const answers = await Promise.all([send('continuing-1'), send('continuing-2')])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const again = answers[0]?.status === 200 ? 'continuing-1' : 'continuing-2'
    expect(await (await send(again)).json()).toMatchObject({ count: 1 })
    expect(await enrolledNow()).toHaveLength(1)
  })

  test('is undone, but for who was changed since', async () => {
    await store('Abad', { outcome: 'passed' })
    const cruz = await store('Cruz', { outcome: 'passed' })
    const { batchId } = await continueAll()
    await own.database.db
      .updateTable('enrolments')
      .set({ mark: '1.00', outcome: 'passed', version: 2 })
      .where('studentId', '=', cruz)
      .where('termId', '=', second)
      .execute()
    const undone = await own.admin.call('POST', `/enrolment-batches/${batchId}/undo`)
    expect(await undone.json()).toEqual({ count: 1, skipped: 1 })
    expect(await enrolledNow()).toEqual(['Cruz NSTP 2 Platoon 1 continuing'])
    expect(await continueAll()).toMatchObject({ count: 1 })
  })

  test('of several components is one recent change, as its undo is', async () => {
    await store('Abad', { outcome: 'passed' })
    await store('Rotc', { outcome: 'passed', component: 'ROTC', sectionId: null }, { nstpComponent: 'ROTC' })
    const { batchId } = await continueAll()
    const batches = await (await own.admin.call('GET', `/terms/${second}/batches`)).json()
    const cells = [
      { component: 'CWTS', level: 2 },
      { component: 'ROTC', level: 2 },
    ]
    expect(batches.items).toMatchObject([{ id: batchId, cells, count: 2, undoable: 2 }])
  })

  test('takes in the own components alone', async () => {
    await store('Abad', { outcome: 'passed' })
    await store('Rotc', { outcome: 'passed', component: 'ROTC', sectionId: null }, { nstpComponent: 'ROTC' })
    const coordinator = await createStaffClient(own.server, { role: 'coordinator', components: ['CWTS'] })
    const asked = { choices, component: 'ROTC' }
    expect(await coordinator.refusal('POST', `${path}/preview`, asked)).toMatchObject({ status: 403 })
    expect(await coordinator.refusal('POST', path, { ...asked, basis: '' })).toMatchObject({ status: 403 })
    expect(await continueAll({}, coordinator)).toMatchObject({ count: 1 })
    expect(await enrolledNow()).toEqual(['Abad NSTP 2 Platoon 1 continuing'])
    expect(await continueAll({ component: 'CWTS' })).toMatchObject({ count: 0 })
    expect(await continueAll({ component: 'ROTC' })).toMatchObject({ count: 1 })
  })
})
