import { randomUUID } from 'node:crypto'
import readWorkbook from 'read-excel-file/node'
import { describe, expect, test } from 'vitest'
import type { NstpComponent } from '#shared/students/student-choices.ts'
import { storeEnrolment } from '#tests/factories/stored-enrolment.ts'
import { buildStoredStudent, emptyStudents, storeStudent } from '#tests/factories/stored-student.ts'
import { storeSection, storeTerm } from '#tests/factories/stored-term.ts'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { createStaffClient } from '#tests/setup/people.ts'
import { startStudentsServer } from '#tests/setup/students-server.ts'

const now = new Date('2026-11-20T02:00:00Z')
const before = new Date('2026-01-01T00:00:00Z')

const app = startStudentsServer({ now })

const post = (path: string, body: unknown) => app.admin.call('POST', path, body)
const states = () =>
  app.database.db
    .selectFrom('students')
    .select(['id', 'archived', 'archivedDate', 'version'])
    .orderBy('id')
    .execute()

async function storeMany(count: number): Promise<string[]> {
  const students = Array.from({ length: count }, () => buildStoredStudent())
  for (let start = 0; start < count; start += 500) {
    await app.database.db
      .insertInto('students')
      .values(students.slice(start, start + 500))
      .execute()
  }
  return students.map(({ id }) => id)
}

describe('input', () => {
  const paths = [
    '/students/archive',
    '/students/unarchive',
    '/students/sheets',
    '/students/prints',
    '/students/export.xlsx',
  ]

  test.each(paths)('%s is refused without a session', async (path) => {
    expect(await createAdminClient(app.server, '').refusal('POST', path, { ids: [randomUUID()] })).toEqual({
      status: 401,
      code: 'unauthenticated',
      detail: 'Authentication required. Please login as admin.',
    })
  })

  test.each([
    ['/students/archive', { ids: [] }, 'No students selected for archiving'],
    ['/students/unarchive', { ids: [] }, 'No students selected for unarchiving'],
    ['/students/sheets', { ids: [] }, 'No students selected for printing'],
    ['/students/export.xlsx', { ids: [] }, 'No students selected for exporting'],
    ['/students/archive', { ids: ['x'] }, 'Please send the ids of students as a list.'],
    ['/students/archive', {}, 'Please send the ids of students as a list.'],
    ['/students/archive', { ids: [randomUUID()], all: true }, 'Please send the ids of students as a list.'],
    ['/students/prints', { kind: 'poster', count: 1 }, "Please send what is printed: 'list' or 'sheet'."],
    ['/students/prints', { kind: 'list', count: 0 }, 'Please send how many students are printed.'],
    ['/students/prints', { kind: 'list' }, 'Please send how many students are printed.'],
  ])('%s refuses %j', async (path, body, detail) => {
    expect(await app.admin.refusal('POST', path, body)).toMatchObject({
      status: 422,
      code: 'invalid',
      detail,
    })
  })

  test('the number of ids of a request is limited', async () => {
    const ids = (count: number) => Array.from({ length: count }, () => randomUUID())
    expect((await app.admin.refusal('POST', '/students/archive', { ids: ids(100_001) })).detail).toBe(
      'Please select 100,000 students or fewer.',
    )
    expect((await app.admin.refusal('POST', '/students/sheets', { ids: ids(501) })).detail).toBe(
      'Please select 500 students or fewer.',
    )
    expect((await post('/students/sheets', { ids: ids(10_000) })).status).toBe(413)
    expect((await post('/students/archive', { ids: ids(130_000) })).status).toBe(413)
  })
})

describe('archiving a selection', () => {
  test('archives all records, returns the changed ids, and an undo restores exactly these', async () => {
    const [first = '', second = ''] = await storeMany(2)
    const old = await storeStudent(app.database, { archived: true, archivedDate: before })
    const response = await post('/students/archive', { ids: [second, old.id, first, second] })
    expect(response.status).toBe(200)
    const { count, ids } = await response.json()
    expect(count).toBe(2)
    expect(ids.toSorted()).toEqual([first, second])
    expect(await states()).toEqual([
      { id: first, archived: true, archivedDate: now, version: 2 },
      { id: second, archived: true, archivedDate: now, version: 2 },
      { id: old.id, archived: true, archivedDate: before, version: 1 },
    ])
    expect(await (await post('/students/unarchive', { ids })).json()).toEqual({
      count: 2,
      ids: expect.arrayContaining([first, second]),
    })
    expect(await states()).toMatchObject([{ archived: false }, { archived: false }, { archived: true }])
  })

  test('is one entry of the audit trail, with the records that were changed', async () => {
    const ids = await storeMany(3)
    const old = await storeStudent(app.database, { archived: true, archivedDate: before })
    await post('/students/archive', { ids: [...ids, old.id] })
    await post('/students/archive', { ids })
    expect(await app.trail.entries()).toMatchObject([
      { action: 'student-archived', affected: 3, subject: '' },
    ])
    expect(await app.trail.students()).toEqual(ids)
  })

  test.each([
    [
      1,
      '1 of the selected students no longer exists, so nothing was archived. ' +
        'Please reload the list and select again.',
    ],
    [
      2,
      '2 of the selected students no longer exist, so nothing was archived. ' +
        'Please reload the list and select again.',
    ],
  ])('changes nothing when %i of it was deleted', async (missing, detail) => {
    const ids = await storeMany(3)
    const unknownIds = Array.from({ length: missing }, () => randomUUID())
    expect(await app.admin.refusal('POST', '/students/archive', { ids: [...ids, ...unknownIds] })).toEqual({
      status: 409,
      code: 'conflict',
      detail,
    })
    expect((await states()).every(({ archived }) => !archived)).toBe(true)
    expect(await app.trail.entries()).toEqual([])
  })

  test('the same selection archived concurrently is archived once', async () => {
    const ids = await storeMany(200)
    const answers = await Promise.all(
      Array.from({ length: 8 }, async (_, index) => {
        const order = index % 2 === 0 ? ids : ids.toReversed()
        return (await post('/students/archive', { ids: order })).json()
      }),
    )
    expect(answers.reduce((sum, { count }) => sum + count, 0)).toBe(200)
    expect((await states()).every(({ version }) => version === 2)).toBe(true)
  })

  test('accepts 20,000 records', { tags: ['rest'], timeout: 60_000 }, async () => {
    const ids = await storeMany(20_000)
    expect((await (await post('/students/archive', { ids })).json()).count).toBe(20_000)
    // To delete them takes almost as long as the next test's statement may.
    await emptyStudents(app.database)
  })
})

describe('sheets', () => {
  test('are complete records in the given order, and recorded as a print', async () => {
    const first = await storeStudent(app.database, { lastName: 'B' })
    const second = await storeStudent(app.database, { lastName: 'A' })
    const { items } = await (await post('/students/sheets', { ids: [second.id, first.id] })).json()
    expect(items).toMatchObject([
      { id: second.id, lastName: 'A', religion: 'Roman Catholic', version: 1 },
      { id: first.id, lastName: 'B' },
    ])
    expect(await app.trail.entries()).toMatchObject([
      { action: 'students-printed', affected: 2, detail: { kind: 'sheet' } },
    ])
    expect(await app.trail.students()).toEqual([first.id, second.id])
  })

  test('are refused when a record was deleted', async () => {
    const { id } = await storeStudent(app.database)
    expect(await app.admin.refusal('POST', '/students/sheets', { ids: [id, randomUUID()] })).toEqual({
      status: 409,
      code: 'conflict',
      detail: 'Some of the selected students no longer exist. Please reload the list and select again.',
    })
    expect(await app.trail.entries()).toEqual([])
  })
})

describe('the export of a selection', () => {
  test('has these students alone, in the order of the list, and is recorded with them', async () => {
    const first = await storeStudent(app.database, { lastName: 'B', archived: true, archivedDate: before })
    const second = await storeStudent(app.database, { lastName: 'A' })
    await storeStudent(app.database, { lastName: 'C' })
    const body = { ids: [first.id, second.id, first.id] }
    const response = await post('/students/export.xlsx?sort=-name', body)
    expect(response.status).toBe(200)
    const [sheet] = await readWorkbook(Buffer.from(await response.arrayBuffer()))
    const [header = [], ...rows] = sheet?.data ?? []
    expect(rows.map((row) => row[header.indexOf('Last Name')])).toEqual(['B', 'A'])
    expect(await app.trail.entries()).toMatchObject([
      { action: 'students-exported', affected: 2, detail: {} },
    ])
    expect(await app.trail.students()).toEqual([first.id, second.id].toSorted())
  })

  test('is refused when a record was deleted', async () => {
    const { id } = await storeStudent(app.database)
    const ids = [id, randomUUID()]
    expect(await app.admin.refusal('POST', '/students/export.xlsx', { ids })).toMatchObject({
      status: 409,
      detail: 'Some of the selected students no longer exist. Please reload the list and select again.',
    })
    expect(await app.trail.entries()).toEqual([])
  })
})

test('prints of the browser are recorded', async () => {
  const { id } = await storeStudent(app.database)
  await storeStudent(app.database)
  expect((await post('/students/prints', { kind: 'list', count: 2 })).status).toBe(204)
  expect((await post('/students/prints', { kind: 'sheet', count: 1, ids: [id] })).status).toBe(204)
  expect(await app.trail.entries()).toMatchObject([
    { action: 'students-printed', affected: 2, studentId: null, detail: { kind: 'list' } },
    { action: 'students-printed', affected: 1, studentId: id, detail: { kind: 'sheet' } },
  ])
})

test('a print of more records than there are, or of one that isn’t there, is refused to everybody', async () => {
  const own = await storeStudent(app.database, { nstpComponent: 'CWTS' })
  const other = await storeStudent(app.database, { nstpComponent: 'ROTC' })
  const components: NstpComponent[] = ['CWTS']
  const scoped = await createStaffClient(app.server, { role: 'coordinator', components })
  const office = await createStaffClient(app.server, { role: 'registrar', components: [] })
  const conflict = { status: 409, code: 'conflict' }
  const refusal = (by: Pick<typeof office, 'refusal'>, body: object) =>
    by.refusal('POST', '/students/prints', body)
  for (const [by, seen] of [
    [office, 2],
    [app.admin, 2],
    [scoped, 1],
  ] as const) {
    expect((await by.call('POST', '/students/prints', { kind: 'list', count: seen })).status).toBe(204)
    expect(await refusal(by, { kind: 'list', count: seen + 1 })).toMatchObject(conflict)
    const ids = [own.id, randomUUID()]
    expect(await refusal(by, { kind: 'sheet', count: 2, ids })).toMatchObject(conflict)
    expect(await refusal(by, { kind: 'sheet', count: 9, ids: [own.id] })).toMatchObject({
      status: 422,
      detail: 'Please send how many students are printed.',
    })
  }
  expect(await refusal(scoped, { kind: 'sheet', count: 1, ids: [other.id] })).toMatchObject(conflict)
  expect(
    (await office.call('POST', '/students/prints', { kind: 'sheet', count: 1, ids: [other.id] })).status,
  ).toBe(204)
})

test('a printed class list of an earlier term may name who is in another component by now', async () => {
  const moved = await storeStudent(app.database, { nstpComponent: 'ROTC' })
  const { id: termId } = await storeTerm(app.database, { state: 'closed' })
  const { id: sectionId } = await storeSection(app.database, { termId })
  await storeEnrolment(app.database, { termId, studentId: moved.id, sectionId })
  const components: NstpComponent[] = ['CWTS']
  const scoped = await createStaffClient(app.server, { role: 'coordinator', components })
  const read = await scoped.call('GET', `/terms/${termId}/class-lists`)
  expect(await read.json()).toMatchObject({ items: [{ students: [{ id: moved.id }] }] })
  const note = { kind: 'list', count: 1, ids: [moved.id] }
  expect((await scoped.call('POST', '/students/prints', note)).status).toBe(204)
  const sheet = { ...note, kind: 'sheet' }
  expect(await scoped.refusal('POST', '/students/prints', sheet)).toMatchObject({ status: 409 })
})

test('a print of more records than can be counted is refused, also long after the password', async () => {
  await app.database.db
    .updateTable('sessions')
    .set({ provenAt: new Date(0) })
    .execute()
  const refusal = await app.admin.refusal('POST', '/students/prints', { kind: 'list', count: 3_000_000_000 })
  expect(refusal).toMatchObject({ status: 422 })
})

test('a print that names a student twice is one print of that student', async () => {
  const { id } = await storeStudent(app.database)
  const { id: other } = await storeStudent(app.database)
  const ids = [id, other, id.toUpperCase()]
  expect((await post('/students/prints', { kind: 'sheet', count: 3, ids })).status).toBe(204)
  expect((await post('/students/sheets', { ids: [other, other] })).status).toBe(200)
  expect(await app.trail.entries()).toMatchObject([{ affected: 3 }, { affected: 2 }])
  expect(await app.trail.students()).toEqual([id, other, other].toSorted())
})
