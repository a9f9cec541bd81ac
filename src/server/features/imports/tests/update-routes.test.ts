import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type SheetRow, toCsv, toWorkbook } from '#tests/factories/spreadsheet.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { type ImportSetup, openImportSetup } from '#tests/setup/imports.ts'

let setup: ImportSetup
let imports: ImportSetup['imports']
let admin: ReturnType<typeof createAdminClient>

beforeAll(async () => {
  setup = await openImportSetup()
  imports = setup.imports
  admin = createAdminClient(setup.server, await setup.server.signIn())
})
afterAll(() => setup.close())
beforeEach(() => setup.clear())

const store = (overrides: Parameters<typeof storeStudent>[1]) =>
  storeStudent(setup.server.database, overrides)
const checkByReference = async (rows: SheetRow[]) =>
  imports.check(await imports.upload(toCsv(rows)), { updateBy: 'reference' })
const read = async (id: string) => (await admin.call('GET', `/students/${id}`)).json()

describe('an update by reference', () => {
  test('returns old and new values, writes only differences, and records every change', async () => {
    const ana = await store({ lastName: 'Abad', address: 'Old Street', yearLevel: 1, hobbies: 'a\r\nb' })
    const ben = await store({ lastName: 'Bello', contactNumber: '9171234567' })
    const other = await store({ lastName: 'Other' })
    const checked = await imports.check(
      await imports.upload(
        await toWorkbook([
          {
            Reference: ana.reference.slice(5).replace('-', '').toLowerCase(),
            'Last Name': 'Abad',
            Address: 'New Street',
            'Year Level': 'II',
            Birthdate: '13 May 2006',
            'Serial Number': 'C-13-113719-26',
            Hobbies: 'a\nb',
            Religion: '',
            Contact: '',
          },
          { Reference: ben.reference, 'Last Name': 'Bello', Contact: '9171234567', Religion: 'N/A' },
        ]),
        'fixes.xlsx',
      ),
      { updateBy: 'reference' },
    )
    expect(checked).toMatchObject({
      updateBy: 'reference',
      state: 'checked',
      counts: { ready: 1, unchanged: 1 },
    })
    const { items } = await imports.rows(checked.id)
    expect(items).toMatchObject([
      {
        number: 2,
        state: 'ready',
        record: { id: ana.id, reference: ana.reference, lastName: 'Abad', firstName: 'Juan Miguel' },
        changes: [
          { path: 'address', before: 'Old Street', after: 'New Street' },
          { path: 'dateOfBirth', before: '2007-05-14', after: '2006-05-13' },
          { path: 'yearLevel', before: '1st Year', after: '2nd Year' },
          { path: 'serialNumber', before: '', after: 'C-13-113719-26' },
        ],
      },
      { number: 3, state: 'unchanged', record: { id: ben.id }, changes: [] },
    ])
    expect(await read(ana.id)).toMatchObject({ address: 'Old Street', version: 1 })

    expect(await imports.run(checked.id)).toMatchObject({
      state: 'imported',
      importedCount: 1,
      changedSince: 0,
    })
    expect(await read(ana.id)).toMatchObject({
      address: 'New Street',
      dateOfBirth: '2006-05-13',
      yearLevel: 2,
      serialNumber: 'C-13-113719-26',
      hobbies: 'a\r\nb',
      religion: 'Roman Catholic',
      version: 2,
    })
    expect(await read(ben.id)).toMatchObject({ version: 1 })
    expect(await read(other.id)).toMatchObject({ version: 1 })
    expect(await setup.trail.of('students-updated')).toMatchObject([{ subject: 'fixes.xlsx', affected: 1 }])
    const [entry] = await setup.trail.of('student-updated')
    expect(entry).toMatchObject({
      studentId: ana.id,
      subject: ana.reference,
      actor: 'coordinator@school.example',
      fields: ['address', 'dateOfBirth', 'yearLevel', 'serialNumber'],
    })
    expect(await (await admin.call('GET', `/audit/${entry?.id}/values`)).json()).toEqual({
      before: { address: 'Old Street', dateOfBirth: '2007-05-14', yearLevel: 1, serialNumber: '' },
      after: {
        address: 'New Street',
        dateOfBirth: '2006-05-13',
        yearLevel: 2,
        serialNumber: 'C-13-113719-26',
      },
    })
    const { items: recent } = await (await admin.call('GET', '/audit?kind=changes&limit=1')).json()
    expect(recent).toMatchObject([{ action: 'students-updated' }])
  })

  test('finds a record by the reference of one that was merged into it', async () => {
    const ana = await store({ lastName: 'Abad' })
    await setup.server.database.db
      .insertInto('formerReferences')
      .values({ reference: 'NSTP-AAAA-BBBB', studentId: ana.id })
      .execute()
    const checked = await checkByReference([{ Reference: 'NSTP-AAAA-BBBB', 'Last Name': 'Reyes' }])
    expect(checked.counts).toEqual(expect.objectContaining({ ready: 1 }))
    expect((await imports.rows(checked.id)).items).toMatchObject([
      { state: 'ready', record: { id: ana.id, reference: ana.reference } },
    ])
  })

  test("accepts the product's own export, with nothing to change", async () => {
    await store({
      lastName: 'Abad',
      studentId: '1',
      archived: true,
      archivedDate: new Date('2026-11-01T00:00:00Z'),
    })
    await store({
      lastName: 'Bello',
      studentId: '2',
      yearLevel: 5,
      course: 'OLDCOURSE',
      nstpComponent: 'LTS',
    })
    const file = await (await admin.call('GET', '/students/export.xlsx?archive=all')).arrayBuffer()
    const uploaded = await imports.upload(new Uint8Array(file), 'students.xlsx')
    const checked = await imports.check(uploaded, { updateBy: 'reference' })
    expect(checked.counts).toMatchObject({ ready: 0, unchanged: 2, problem: 0 })
    expect(await imports.problem('POST', `/${checked.id}/run`, {})).toMatchObject({
      status: 422,
      detail: 'No changes to import.',
    })
  })

  test('has the rules and messages of an edit, and reports rows without a record', async () => {
    await store({ lastName: 'Held', course: 'OLDCOURSE', academicYear: '2019-2020' })
    const { reference } = await store({ lastName: 'Abad' })
    const checked = await checkByReference([
      { Reference: reference, Email: 'nobody', Birthdate: '2015-01-01', Course: 'BSIT', 'Year Level': '7' },
      { Reference: 'NSTP-2222-2222', Email: 'a@x.example', Birthdate: '', Course: '', 'Year Level': '' },
      { Reference: '', Email: 'a@x.example', Birthdate: '', Course: '', 'Year Level': '' },
      { Reference: reference, Email: '', Birthdate: '', Course: 'oldcourse', 'Year Level': '5' },
    ])
    const { items } = await imports.rows(checked.id)
    expect(items.map(({ state, problems }) => [state, problems.map(({ message }) => message)])).toEqual([
      [
        'problem',
        [
          'Please choose one of the listed options for course.',
          'Please enter a valid email address.',
          'You must be at least 16 years old to register.',
          'Please choose one of the listed options for year level.',
        ],
      ],
      ['problem', ['No record has this reference code.']],
      ['problem', ['This row has no reference code.']],
      ['ready', []],
    ])
    expect(
      await imports.changeRow(checked.id, 3, { values: { reference, email: 'new@x.example' } }),
    ).toMatchObject({
      state: 'ready',
      record: { reference },
      changes: [{ path: 'email', after: 'new@x.example' }],
    })
  })

  test('applies one row per record: later ones are marked as duplicates', async () => {
    const { id, reference } = await store({ lastName: 'Abad', address: 'Old' })
    const rows = ['One', 'Two', 'Old'].map((Address) => ({ Reference: reference, Address }))
    const checked = await checkByReference(rows)
    expect(checked.counts).toMatchObject({ ready: 1, duplicate: 1, unchanged: 1 })
    const { items } = await imports.rows(checked.id, '?state=duplicate')
    expect(items).toMatchObject([{ number: 3, matches: [{ by: ['record'], row: 2 }] }])
    const sentence = 'Two rows cannot update the same record. Please skip one of them.'
    const take = { state: 'duplicate', decision: 'take' }
    expect(await imports.problem('PATCH', `/${checked.id}/rows`, take)).toMatchObject({ detail: sentence })
    expect(await imports.problem('PATCH', `/${checked.id}/rows/3`, { take: true })).toMatchObject({
      detail: sentence,
    })
    await imports.changeRow(checked.id, 2, { skip: true })
    expect((await imports.read(checked.id)).counts).toMatchObject({ ready: 1, duplicate: 0, skipped: 1 })
    await imports.run(checked.id)
    expect(await read(id)).toMatchObject({ address: 'Two', version: 2 })
    const { items: left } = await imports.rows(checked.id, '?state=skipped')
    expect(left).toMatchObject([{ number: 2 }])
  })
})

test('an update by student ID finds records in all years, and reports ambiguous IDs', async () => {
  const ana = await store({ studentId: '26-00001 ', academicYear: '2024-2025', address: 'Old' })
  await store({ studentId: 'x-7', academicYear: '2024-2025' })
  await store({ studentId: 'X-7', academicYear: '2026-2027' })
  await store({ studentId: 'none' })
  const ids = ['26-00001', 'x-7', 'none', '26-99999', '']
  const file = toCsv(ids.map((id) => ({ 'Student ID': id, Address: 'New' })))
  const checked = await imports.check(await imports.upload(file), { updateBy: 'studentId' })
  const { items } = await imports.rows(checked.id)
  expect(items.map(({ problems }) => problems.map(({ message }) => message))).toEqual([
    [],
    ['2 records have this student ID. Please update them by reference code.'],
    ['No record has this student ID.'],
    ['No record has this student ID.'],
    ['This row has no student ID.'],
  ])
  await imports.run(checked.id)
  expect(await read(ana.id)).toMatchObject({ studentId: '26-00001 ', address: 'New' })
})

test('a record that was changed or deleted since the check stops the update, until its row is checked again', async () => {
  const ana = await store({ lastName: 'Abad', address: 'Old' })
  const ben = await store({ lastName: 'Bello', address: 'Old' })
  const cat = await store({ lastName: 'Cruz', address: 'Old' })
  const checked = await checkByReference(
    [ana, ben, cat].map(({ reference }) => ({ Reference: reference, Address: 'New', Hobbies: 'Chess' })),
  )
  await admin.call('PATCH', `/students/${ben.id}`, { address: 'Newer' }, { 'If-Match': '"1"' })
  await admin.call('DELETE', `/students/${cat.id}`)
  expect(await imports.run(checked.id)).toMatchObject({
    state: 'checked',
    counts: { ready: 1, problem: 2 },
    failure:
      'Nothing was updated. 2 records were changed since the check. Please look at the rows with problems.',
  })
  expect(await read(ana.id)).toMatchObject({ address: 'Old', version: 1 })
  expect(await read(ben.id)).toMatchObject({ address: 'Newer', version: 2 })
  expect(await setup.trail.of('students-updated')).toEqual([])
  const { items } = await imports.rows(checked.id, '?state=problem')
  expect(items[0]?.problems).toEqual([
    {
      path: 'reference',
      message: 'This record was changed since the check. Please save the row to check it again.',
    },
  ])
  expect(await imports.changeRow(checked.id, 3, { values: { reference: ben.reference } })).toMatchObject({
    state: 'ready',
    changes: [
      { path: 'address', before: 'Newer', after: 'New' },
      { path: 'hobbies', after: 'Chess' },
    ],
  })
  expect(await imports.changeRow(checked.id, 4, {})).toMatchObject({
    problems: [{ message: 'This row has no reference code.' }],
  })
  expect(await imports.run(checked.id)).toMatchObject({ state: 'imported', importedCount: 2, failure: null })
  expect(await read(ben.id)).toMatchObject({ address: 'New', hobbies: 'Chess', version: 3 })
})

describe('the undo of an update', () => {
  async function update() {
    const ana = await store({ lastName: 'Abad', address: 'Old', religion: '', yearLevel: 5 })
    const ben = await store({ lastName: 'Bello', address: 'Old' })
    const row = { Address: 'New', Religion: 'Aglipayan', 'Year Level': '3' }
    const checked = await checkByReference(
      [ana, ben].map(({ reference }) => ({ Reference: reference, ...row })),
    )
    await imports.run(checked.id)
    return { ana, ben, id: checked.id }
  }

  test('restores the old values, and records that', async () => {
    const { ana, id } = await update()
    expect(await imports.undo(id)).toMatchObject({ state: 'undone' })
    expect(await read(ana.id)).toMatchObject({ address: 'Old', religion: '', yearLevel: 5, version: 3 })
    expect(await setup.trail.of('import-undone')).toMatchObject([{ affected: 2 }])
    expect(await setup.trail.of('student-updated')).toHaveLength(4)
    expect(await imports.check(await imports.read(id), { updateBy: 'reference' })).toMatchObject({
      counts: { ready: 2 },
    })
  })

  test('leaves newer values of other fields, archived and deleted records unchanged', async () => {
    const { ana, ben, id } = await update()
    await admin.call('PATCH', `/students/${ana.id}`, { hobbies: 'Chess' }, { 'If-Match': '"2"' })
    await admin.call('POST', `/students/${ana.id}/archive`)
    await admin.call('DELETE', `/students/${ben.id}`)
    expect(await imports.read(id)).toMatchObject({ changedSince: 0, deletedSince: 1 })
    expect(await imports.undo(id)).toMatchObject({ state: 'undone', deletedSince: 1 })
    expect(await read(ana.id)).toMatchObject({ address: 'Old', hobbies: 'Chess', archived: true })
    expect(await setup.trail.of('import-undone')).toMatchObject([{ affected: 1, detail: { deleted: 1 } }])
  })

  test('is refused when a record was changed since, or the rows were deleted', async () => {
    const { ana, ben, id } = await update()
    await admin.call('PATCH', `/students/${ben.id}`, { address: 'Newer' }, { 'If-Match': '"2"' })
    expect(await imports.read(id)).toMatchObject({ changedSince: 1 })
    expect(await imports.problem('POST', `/${id}/undo`, { evenChanged: true })).toMatchObject({
      status: 409,
      detail: expect.stringMatching(/^1 record was changed since the import\. So nothing was undone/),
    })
    expect(await read(ana.id)).toMatchObject({ address: 'New', version: 2 })
    await imports.call('DELETE', `/${id}`)
    expect(await imports.problem('POST', `/${id}/undo`, {})).toMatchObject({
      detail: 'The rows of this file have been deleted. Please upload it again.',
    })
    expect(await imports.read(id)).toMatchObject({ updateBy: 'reference', importedCount: 2, hasRows: false })
  })
})

test('the rows of an update contain no value of a deleted record', async () => {
  const { id, reference } = await store({ address: 'Old Street' })
  const checked = await checkByReference([{ Reference: reference, Address: 'New Street' }])
  await imports.run(checked.id)
  await admin.call('DELETE', `/students/${id}`)
  const { items } = await imports.rows(checked.id)
  expect(items).toMatchObject([{ record: null, changes: [], values: { reference: '' } }])
  const { rows } = await sql`select changes, fields from import_rows where import_id = ${checked.id}`.execute(
    setup.server.database.db,
  )
  expect(rows).toEqual([{ changes: [], fields: {} }])
})

test.each([
  [{ columns: { 0: 'address' }, updateBy: 'reference' }, 'Please choose the column with the reference code.'],
  [{ columns: { 0: 'reference' }, updateBy: 'studentId' }, 'Please choose the column with the student ID.'],
  [
    { columns: { 0: 'reference' }, updateBy: 'reference', defaults: { sex: 'Male' } },
    'Values for all rows are only for new students: in an update, empty cells change nothing.',
  ],
  [
    { columns: { 0: 'reference' }, updateBy: 'name' },
    'Please choose what to find the records by: reference or studentId.',
  ],
])('PUT mapping refuses %j', async (body, detail) => {
  const { id } = await imports.upload('Reference,Address\nx,y\n')
  expect(await imports.problem('PUT', `/${id}/mapping`, body)).toMatchObject({ status: 422, detail })
})
