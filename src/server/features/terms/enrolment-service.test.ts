import { sql } from 'kysely'
import { v7 as createId } from 'uuid'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Topic } from '#shared/topics.ts'
import { buildSheetRow, toCsv } from '#tests/factories/spreadsheet.ts'
import { storeEnrolment } from '#tests/factories/stored-enrolment.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { storeSection, storeTerm } from '#tests/factories/stored-term.ts'
import { importsOf } from '#tests/setup/imports.ts'
import { createStudentClient } from '#tests/setup/student-session.ts'
import { startStudentsServer } from '#tests/setup/students-server.ts'
import { untilWaiting } from '#tests/setup/waiting-statements.ts'

const own = startStudentsServer({ now: new Date('2026-11-20T02:00:00Z') })

// Of terms, by state.
let open: string
let closed: string
let sectionId: string
const announced = new Set<Topic>()

beforeAll(() => own.server.onPublish((topic) => announced.add(topic)))
beforeEach(async () => {
  const { db } = own.database
  for (const table of ['enrolments', 'sections', 'terms'] as const) await db.deleteFrom(table).execute()
  open = (await storeTerm(own.database)).id
  closed = (await storeTerm(own.database, { academicYear: '2025-2026', semester: 2, state: 'closed' })).id
  sectionId = (await storeSection(own.database, { termId: open, unit: 'Alpha' })).id
})

const store = (overrides: Parameters<typeof storeStudent>[1] = {}) =>
  storeStudent(own.database, { nstpComponent: 'CWTS', ...overrides })

const enrol = (studentId: string, overrides: object = {}) =>
  storeEnrolment(own.database, { termId: open, studentId, sectionId, ...overrides })

/** 'CWTS 1 enrolled in A', the oldest first. */
async function enrolmentsOf(studentId: string): Promise<string[]> {
  const rows = await own.database.db
    .selectFrom('enrolments')
    .leftJoin('sections', 'sections.id', 'enrolments.sectionId')
    .select(['enrolments.component', 'enrolments.level', 'status', 'name'])
    .where('studentId', '=', studentId)
    .orderBy('enrolments.id')
    .execute()
  return rows.map(
    ({ component, level, status, name }) => `${component} ${level} ${status} in ${name ?? 'none'}`,
  )
}

const changes = () =>
  own.database.db
    .selectFrom('enrolmentChanges')
    .select(['what', 'before', 'after', 'version'])
    .orderBy('id')
    .execute()

const followed = ['CWTS 1 moved in A', 'ROTC 1 enrolled in none']

describe('an edit of the component', () => {
  const edit = (id: string, change: object) =>
    own.admin.call('PATCH', `/students/${id}`, change, { 'If-Match': '"1"' })

  test('moves the enrolment, without a section, and keeps its history', async () => {
    const { id } = await store()
    await enrol(id, { entry: 'cross-enrolled', school: 'Another college' })
    expect(await (await edit(id, { nstpComponent: 'ROTC' })).json()).toMatchObject({
      nstpComponent: 'ROTC',
      movedIn: ['First semester 2026-2027'],
    })
    expect(await enrolmentsOf(id)).toEqual(followed)
    expect(await changes()).toEqual([
      {
        what: 'moved',
        before: { component: 'CWTS', statusOn: '2026-08-03', sectionId, section: 'Alpha, A' },
        after: { component: 'ROTC' },
        version: 2,
      },
      {
        what: 'enrolled',
        before: { component: 'CWTS' },
        after: { component: 'ROTC', level: 1, sectionId: null, section: '' },
        version: 1,
      },
    ])
    const rows = await own.database.db.selectFrom('enrolments').selectAll().orderBy('id').execute()
    expect(rows[1]).toMatchObject({
      entry: 'cross-enrolled',
      school: 'Another college',
      statusOn: '2026-11-20',
    })
  })

  test('leaves marks where they were earned, and closed terms as they are', async () => {
    const { id } = await store()
    await enrol(id, { outcome: 'incomplete' })
    await enrol(id, { termId: closed, sectionId: null, level: 2 })
    await edit(id, { nstpComponent: 'ROTC' })
    expect(await enrolmentsOf(id)).toEqual(['CWTS 1 enrolled in A', 'CWTS 2 enrolled in none'])
  })

  test('of anything else changes no enrolment', async () => {
    const { id } = await store()
    await enrol(id)
    expect(await (await edit(id, { course: 'SOTE' })).json()).not.toHaveProperty('movedIn')
    expect(await enrolmentsOf(id)).toEqual(['CWTS 1 enrolled in A'])
  })
})

describe('a change of many', () => {
  async function changed(studentIds: readonly string[], value = 'ROTC') {
    const body = { ids: studentIds, field: 'nstpComponent', value }
    const answer = await own.admin.call('POST', '/students/changes', body)
    return await answer.json()
  }
  const undo = async (id: string) =>
    await (await own.admin.call('POST', `/students/changes/${id}/undo`)).json()
  const whole = () => own.database.db.selectFrom('enrolments').selectAll().orderBy('id').execute()

  test('moves their enrolments, and its undo restores them with their section', async () => {
    const [one, other] = [await store(), await store({ nstpComponent: 'ROTC' })]
    await enrol(one.id, { officialAt: new Date('2026-08-20T02:00:00Z') })
    await enrol(other.id, { component: 'ROTC', sectionId: null })
    const before = await whole()
    const { id, ...change } = await changed([one.id, other.id])
    expect(change).toEqual({ count: 1, moved: 1, blocked: 0 })
    expect(await enrolmentsOf(one.id)).toEqual(followed)
    expect(await enrolmentsOf(other.id)).toEqual(['ROTC 1 enrolled in none'])
    expect(await undo(id)).toEqual({ count: 1, skipped: 0, moved: 0 })
    expect(await whole()).toEqual(
      before.map((row) => (row.studentId === one.id ? { ...row, version: 3 } : row)),
    )
    expect((await changes()).map(({ what }) => what)).toEqual(['moved', 'undone'])
  })

  test('is undone after another one', async () => {
    const { id: studentId } = await store()
    await enrol(studentId)
    await changed([studentId])
    const second = await changed([studentId], 'LTS')
    await undo(second.id)
    expect(await enrolmentsOf(studentId)).toEqual(followed)
  })

  test('whose section filled up, or whose new enrolment was changed, comes back without it', async () => {
    const students = [await store(), await store(), await store()]
    for (const { id } of students) await enrol(id)
    const { id } = await changed(students.map((student) => student.id))
    const { db } = own.database
    await db.updateTable('sections').set({ capacity: 1 }).execute()
    const [first, second, third] = students.map((student) => student.id)
    await db
      .updateTable('enrolments')
      .set({ version: 2 })
      .where('studentId', '=', first ?? '')
      .where('status', '=', 'enrolled')
      .execute()
    expect(await undo(id)).toEqual({ count: 3, skipped: 0, moved: 2 })
    const without = ['CWTS 1 moved in A', 'ROTC 1 moved in none', 'CWTS 1 enrolled in none']
    expect(await enrolmentsOf(first ?? '')).toEqual(without)
    expect(await enrolmentsOf(second ?? '')).toEqual(['CWTS 1 enrolled in A'])
    expect(await enrolmentsOf(third ?? '')).toEqual(without)
  })
})

describe('a merge', () => {
  const merge = (keepId: string, dropId: string, take = {}) =>
    own.admin.call('POST', '/students/merge', { keepId, keepVersion: 1, dropId, dropVersion: 1, take })

  test('keeps the enrolments of both, and its undo gives them back', async () => {
    const [keep, drop] = [await store(), await store()]
    await enrol(keep.id, { termId: closed, sectionId: null, outcome: 'passed' })
    await enrol(drop.id, { level: 2 })
    expect((await merge(keep.id, drop.id)).status).toBe(200)
    expect(await enrolmentsOf(keep.id)).toEqual(['CWTS 1 enrolled in none', 'CWTS 2 enrolled in A'])
    expect((await own.admin.call('POST', `/students/${drop.id}/restore`)).status).toBe(204)
    expect(await enrolmentsOf(keep.id)).toEqual(['CWTS 1 enrolled in none'])
    expect(await enrolmentsOf(drop.id)).toEqual(['CWTS 2 enrolled in A'])
  })

  test('moves them to the component of the remaining record, and its undo back to their section', async () => {
    const [keep, drop] = [await store({ nstpComponent: 'ROTC' }), await store()]
    await enrol(drop.id)
    const merged = await merge(keep.id, drop.id)
    expect((await merged.json()).movedIn).toEqual(['First semester 2026-2027'])
    expect(await enrolmentsOf(keep.id)).toEqual(followed)
    expect((await own.admin.call('POST', `/students/${drop.id}/restore`)).status).toBe(204)
    expect(await enrolmentsOf(keep.id)).toEqual([])
    expect(await enrolmentsOf(drop.id)).toEqual(['CWTS 1 enrolled in A'])
    const rows = await own.database.db.selectFrom('enrolments').select('statusOn').execute()
    expect(rows).toEqual([{ statusOn: '2026-08-03' }])
  })

  const markNew = () =>
    own.database.db
      .updateTable('enrolments')
      .set({ version: 2, officialAt: new Date() })
      .where('component', '=', 'ROTC')
      .execute()
  const closeTerm = () =>
    own.database.db.updateTable('terms').set({ state: 'closed' }).where('id', '=', open).execute()

  async function fillSection() {
    await own.database.db.updateTable('sections').set({ capacity: 1 }).execute()
    await enrol((await store()).id)
  }

  test.each([
    ['what it moved was changed', markNew],
    ['the term was closed', closeTerm],
    ['the section filled up', fillSection],
  ])('is not undone where %s since', async (_what, change) => {
    const [keep, drop] = [await store({ nstpComponent: 'ROTC' }), await store()]
    await enrol(drop.id)
    await merge(keep.id, drop.id)
    await change()
    expect(await own.admin.refusal('POST', `/students/${drop.id}/restore`)).toMatchObject({
      status: 409,
      detail: 'This merge can no longer be undone.',
    })
    expect(await enrolmentsOf(keep.id)).toEqual(followed)
  })

  test('that is undone moves what was added since to the component of before', async () => {
    const [keep, drop] = [await store(), await store({ nstpComponent: 'ROTC' })]
    await merge(keep.id, drop.id, { nstpComponent: 'drop' })
    await enrol(keep.id, { component: 'ROTC', sectionId: null })
    expect((await own.admin.call('POST', `/students/${drop.id}/restore`)).status).toBe(204)
    expect(await enrolmentsOf(keep.id)).toEqual(['ROTC 1 moved in none', 'CWTS 1 enrolled in none'])
  })

  test('is not undone where what it handed over was changed since', async () => {
    const [keep, drop] = [await store(), await store()]
    await enrol(drop.id)
    await merge(keep.id, drop.id)
    await own.database.db.updateTable('enrolments').set({ version: 2, outcome: 'failed' }).execute()
    expect(await own.admin.refusal('POST', `/students/${drop.id}/restore`)).toMatchObject({
      status: 409,
      detail: 'This merge can no longer be undone.',
    })
    expect(await enrolmentsOf(keep.id)).toEqual(['CWTS 1 enrolled in A'])
  })

  test.each([
    [
      'enrolled in one level of a term',
      {},
      'Both records are enrolled in First semester 2026-2027. Drop one enrollment first.',
    ],
    [
      'past one level',
      { outcome: 'passed', status: 'moved' },
      'Both records passed the same level. Take back one of the marks first.',
    ],
    [
      'past the level that they are enrolled in',
      { outcome: 'passed' },
      'Both records passed the same level. Take back one of the marks first.',
    ],
  ])('of two that are %s is refused', async (_what, overrides, detail) => {
    const [keep, drop] = [await store(), await store()]
    await enrol(keep.id, overrides)
    await enrol(drop.id, overrides)
    const body = { keepId: keep.id, keepVersion: 1, dropId: drop.id, dropVersion: 1, take: {} }
    expect(await own.admin.refusal('POST', '/students/merge', body)).toMatchObject({
      status: 409,
      detail,
    })
    expect((await enrolmentsOf(drop.id)).length).toBe(1)
  })
})

const credit = (studentId: string) =>
  own.database.db
    .insertInto('credits')
    .values({
      ...{
        id: createId(),
        studentId,
        kind: 'credit',
        level: 1,
        ground: 'transferee',
        evidence: 'Transcript',
      },
      decidedAt: new Date(),
    })
    .execute()

test('who is in a term or credited is no fake registration', async () => {
  const [real, credited, fake] = [await store(), await store(), await store()]
  await enrol(real.id)
  await credit(credited.id)
  const ids = [real.id, credited.id, fake.id]
  const preview = await (await own.admin.call('POST', '/students/rejections/preview', { ids })).json()
  expect(preview).toMatchObject({ total: 3, kept: 2, sample: [{ id: fake.id }] })
  const rejected = await own.admin.call('POST', '/students/rejections', { ids })
  expect((await rejected.json()).count).toBe(1)
  expect(await enrolmentsOf(real.id)).toEqual(['CWTS 1 enrolled in A'])
})

test('who gets into a term while a rejection waits is not rejected', async () => {
  const { db } = own.database
  const { id } = await store()
  const rejection = await db.transaction().execute(async (tx) => {
    // As placing does.
    await sql`select from students where id = ${id} for share`.execute(tx)
    const answer = own.admin.call('POST', '/students/rejections', { ids: [id] })
    await untilWaiting(own.database)
    await storeEnrolment({ db: tx }, { termId: open, studentId: id, sectionId })
    return { answer }
  })
  expect((await (await rejection.answer).json()).count).toBe(0)
  expect(await enrolmentsOf(id)).toEqual(['CWTS 1 enrolled in A'])
})

describe('an import', () => {
  const imports = async () => importsOf(own.server, await own.server.signIn())

  test('that is undone leaves who is in a term or credited', async () => {
    const { upload, check, run, undo } = await imports()
    const rows = ['One', 'Two', 'Three'].map((lastName, index) =>
      buildSheetRow({ lastName, email: `${lastName}@student.example`, studentId: `26-${index}` }),
    )
    const uploaded = await upload(toCsv(rows))
    await check(uploaded)
    await run(uploaded.id)
    const idOf = async (lastName: string) => {
      const students = own.database.db.selectFrom('students').select('id')
      return (await students.where('lastName', '=', lastName).executeTakeFirstOrThrow()).id
    }
    await enrol(await idOf('One'))
    await credit(await idOf('Three'))
    await undo(uploaded.id, true)
    const left = await own.database.db.selectFrom('students').select('lastName').orderBy('lastName').execute()
    expect(left).toEqual([{ lastName: 'One' }, { lastName: 'Three' }])
  })

  test('that updates the component moves the enrolment, and its undo restores it', async () => {
    const { upload, check, run, undo } = await imports()
    const { id, reference } = await store()
    await enrol(id)
    const uploaded = await upload(`Reference,NSTP Component\n${reference},ROTC\n`)
    await check(uploaded, { updateBy: 'reference' })
    expect(await run(uploaded.id)).toMatchObject({ state: 'imported', moved: 1 })
    expect(await enrolmentsOf(id)).toEqual(followed)
    const batches = await own.admin.call('GET', `/terms/${open}/batches`)
    expect(await batches.json()).toEqual({ items: [] })
    expect(await undo(uploaded.id)).toMatchObject({ state: 'undone', moved: 0 })
    expect(await enrolmentsOf(id)).toEqual(['CWTS 1 enrolled in A'])
    // Without its section, which is full.
    await check(uploaded, { updateBy: 'reference' })
    await run(uploaded.id)
    await own.database.db.updateTable('sections').set({ capacity: 1 }).execute()
    await enrol((await store()).id)
    expect(await undo(uploaded.id)).toMatchObject({ state: 'undone', moved: 1 })
    expect((await enrolmentsOf(id)).at(-1)).toBe('CWTS 1 enrolled in none')
  })
})

describe('who sees a term', () => {
  interface Follows {
    undo?: () => Promise<unknown>
  }
  const send = async (method: string, path: string, body?: object, headers = {}) => {
    const answer = await own.admin.call(method, path, body, headers)
    expect([path, answer.ok]).toEqual([path, true])
    return answer.status === 204 ? {} : await answer.json()
  }

  /** What changes the component of a student who is in a term. */
  const changesOfComponent: Record<string, (id: string, reference: string) => Promise<Follows>> = {
    async 'an edit'(id) {
      await send('PATCH', `/students/${id}`, { nstpComponent: 'ROTC' }, { 'If-Match': '"1"' })
      return {}
    },
    async 'a change of many'(id) {
      const change = await send('POST', '/students/changes', {
        ids: [id],
        field: 'nstpComponent',
        value: 'ROTC',
      })
      return { undo: () => send('POST', `/students/changes/${change.id}/undo`) }
    },
    async 'a merge'(dropId) {
      const { id: keepId } = await store({ nstpComponent: 'ROTC' })
      await send('POST', '/students/merge', { keepId, keepVersion: 1, dropId, dropVersion: 1, take: {} })
      return { undo: () => send('POST', `/students/${dropId}/restore`) }
    },
    async 'an import'(_id, reference) {
      const { upload, check, run, undo } = importsOf(own.server, await own.server.signIn())
      const { id, ...uploaded } = await upload(`Reference,NSTP Component\n${reference},ROTC\n`)
      await check({ id, ...uploaded }, { updateBy: 'reference' })
      await run(id)
      return { undo: () => undo(id) }
    },
    async 'a request that is granted'(id) {
      const student = await createStudentClient(own.server, id, new Date('2026-11-20T02:00:00Z'))
      const wanted = { kind: 'component', changes: { nstpComponent: 'ROTC' }, reason: 'My brother.' }
      const asked = await (await student.call('POST', '/my/requests', wanted)).json()
      const { version, recordVersion } = await send('GET', `/requests/${asked.id}`)
      const decision = { version, recordVersion, accept: ['nstpComponent'], answer: '' }
      await send('POST', `/requests/${asked.id}/decide`, decision)
      return {}
    },
  }

  test.each(Object.entries(changesOfComponent))(
    'hears of %s, and of its undo if there is one',
    async (_what, change) => {
      const { id, reference } = await store()
      await enrol(id)
      announced.clear()
      const { undo } = await change(id, reference)
      await vi.waitFor(() => expect(announced).toContain('terms'))
      expect((await enrolmentsOf(id)).at(-1)).not.toBe('CWTS 1 enrolled in A')
      if (undo === undefined) return
      announced.clear()
      await undo()
      await vi.waitFor(() => expect(announced).toContain('terms'))
      expect((await enrolmentsOf(id)).at(-1)).toBe('CWTS 1 enrolled in A')
    },
  )
})
