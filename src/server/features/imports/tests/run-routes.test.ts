import readWorkbook from 'read-excel-file/node'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { buildSheetRow, buildSheetRows, toCsv, toWorkbook } from '#tests/factories/spreadsheet.ts'
import { storeEnrolment } from '#tests/factories/stored-enrolment.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { storeTerm } from '#tests/factories/stored-term.ts'
import { type ImportSetup, openImportSetup } from '#tests/setup/imports.ts'

let setup: ImportSetup
let imports: ImportSetup['imports']

beforeAll(async () => {
  setup = await openImportSetup()
  imports = setup.imports
})
afterAll(() => setup.close())
beforeEach(() => setup.clear())

describe('POST /imports/{id}/run', () => {
  test('creates records from the ready rows and an audit entry', async () => {
    const uploaded = await imports.upload(
      toCsv([
        buildSheetRow({ registrationDate: '2026-08-03', lastName: 'Abad', yearLevel: '2' }),
        buildSheetRow({ lastName: 'Bad', email: 'bad' }),
      ]),
      'First semester.csv',
    )
    await imports.check(uploaded)
    expect(await imports.run(uploaded.id)).toMatchObject({
      state: 'imported',
      importedCount: 1,
      failure: null,
    })
    const [student, ...others] = await setup.students()
    expect(others).toEqual([])
    expect(student).toMatchObject({
      lastName: 'Abad',
      dateOfBirth: '2007-05-14',
      yearLevel: 2,
      workExperience: 'Service crew, summer 2025\r\nTutor, weekends'.replace('\r', ''),
      registrationDate: new Date('2026-08-02T16:00:00Z'),
      consentVersion: 'on-paper',
      consentedAt: new Date('2026-11-20T02:00:00Z'),
      importId: uploaded.id,
      status: 'Registered',
      archived: false,
      version: 1,
    })
    expect(student?.reference).toMatch(/^NSTP-/)
    const [entry] = (await setup.trail.of('students-imported')).slice(-1)
    expect(entry).toMatchObject({ subject: 'First semester.csv', affected: 1 })
    const about = setup.server.database.db.selectFrom('auditStudents').selectAll()
    expect(await about.where('eventId', '=', entry?.id ?? '').execute()).toMatchObject([
      { studentId: student?.id },
    ])
  })

  test('a student who enlisted since the check is not imported again', async () => {
    const uploaded = await imports.upload(toCsv(buildSheetRows(2)))
    await imports.check(uploaded)
    await storeStudent(setup.server.database, { email: 'imported1@student.example' })
    expect(await imports.run(uploaded.id)).toMatchObject({
      importedCount: 1,
      counts: { ready: 1, duplicate: 1 },
    })
  })

  test('refuses without ready rows, before the check and a second time', async () => {
    const uploaded = await imports.upload(toCsv([buildSheetRow({ email: 'bad' })]))
    const run = () => imports.problem('POST', `/${uploaded.id}/run`, {})
    expect(await run()).toMatchObject({ detail: 'Please match the columns of this file first.' })
    await imports.check(uploaded)
    expect(await run()).toMatchObject({
      status: 422,
      detail: 'No rows are ready to import. Please correct or include some.',
    })
    await imports.changeRow(uploaded.id, 2, { values: { email: 'good@x.example' } })
    await imports.run(uploaded.id)
    expect(await run()).toMatchObject({ detail: 'This file was already imported.' })
  })
})

describe('POST /imports/{id}/undo', () => {
  test('removes exactly the records of the import, and the rows can be imported again', async () => {
    await storeStudent(setup.server.database, { lastName: 'Other' })
    const uploaded = await imports.upload(toCsv(buildSheetRows(3)))
    await imports.check(uploaded)
    await imports.run(uploaded.id)
    expect(await imports.undo(uploaded.id)).toMatchObject({ state: 'undone' })
    expect((await setup.students()).map(({ lastName }) => lastName)).toEqual(['Other'])
    expect((await setup.trail.of('import-undone')).at(-1)).toMatchObject({ affected: 3 })
    await imports.check(await imports.read(uploaded.id))
    expect(await imports.run(uploaded.id)).toMatchObject({ state: 'imported', importedCount: 3 })
  })

  test('says which records it keeps: of students who are in a term', async () => {
    const { database } = setup.server
    const uploaded = await imports.upload(toCsv(buildSheetRows(3)))
    await imports.check(uploaded)
    await imports.run(uploaded.id)
    const [first] = await setup.students()
    const { id: termId = '' } = await storeTerm(database)
    onTestFinished(async () => {
      for (const table of ['enrolments', 'terms'] as const) await database.db.deleteFrom(table).execute()
    })
    const enrolment = await storeEnrolment(database, { termId, studentId: first?.id ?? '' })
    expect(await imports.read(uploaded.id)).toMatchObject({ importedCount: 3, kept: 1 })
    expect(await imports.undo(uploaded.id)).toMatchObject({ state: 'undone', kept: 1 })
    expect((await setup.students()).map(({ id }) => id)).toEqual([first?.id])
    await database.db.deleteFrom('enrolments').where('id', '=', enrolment.id).execute()
    // Out of the term it is still there.
    expect(await imports.read(uploaded.id)).toMatchObject({ kept: 1 })
  })

  test('reports how many were changed since, and removes nothing without a confirmation', async () => {
    const uploaded = await imports.upload(toCsv(buildSheetRows(3)))
    await imports.check(uploaded)
    await imports.run(uploaded.id)
    await setup.server.database.db
      .updateTable('students')
      .set({ version: 2 })
      .where('lastName', '=', 'Imported00002')
      .execute()
    expect(await imports.read(uploaded.id)).toMatchObject({ changedSince: 1 })
    expect(await imports.problem('POST', `/${uploaded.id}/undo`, {})).toMatchObject({
      status: 409,
      detail: '1 of these records was edited or archived since the import. Undoing it deletes them as well.',
    })
    expect(await setup.students()).toHaveLength(3)
    expect(await imports.problem('POST', `/${uploaded.id}/undo`, { evenChanged: 'yes' })).toMatchObject({
      detail: 'Please say whether to delete records that were changed since.',
    })
    await imports.undo(uploaded.id, true)
    expect(await setup.students()).toEqual([])
  })
})

describe('GET /imports/{id}/refused.xlsx', () => {
  test('has the refused rows in the file’s own columns, and can be imported after corrections', async () => {
    const uploaded = await imports.upload(
      await toWorkbook([
        buildSheetRow({ lastName: 'Good' }),
        buildSheetRow({ lastName: 'Bad', email: 'bad', studentId: '2', address: '=1+1' }),
        buildSheetRow({ lastName: 'Fixed', email: 'worse', studentId: '3', sex: 'X' }),
        buildSheetRow({ lastName: 'Skipped', email: 's@x.example', studentId: '4' }),
      ]),
      'list.xlsx',
    )
    await imports.check(uploaded)
    await imports.changeRow(uploaded.id, 4, { values: { email: 'better@x.example' } })
    await imports.changeRow(uploaded.id, 5, { skip: true })
    await imports.run(uploaded.id)
    const file = await imports.refused(uploaded.id)
    const [sheet] = await readWorkbook(file)
    const [headers = [], ...rows] = sheet?.data ?? []
    expect(headers.at(-1)).toBe('Problem')
    const column = (header: string) => rows.map((row) => row[headers.indexOf(header)])
    expect(column('Last Name')).toEqual(['Bad', 'Fixed', 'Skipped'])
    expect(column('Email')).toEqual(['bad', 'better@x.example', 's@x.example'])
    expect(column('Address')[0]).toBe('=1+1')
    expect(column('Problem')).toEqual([
      'Email: Please enter a valid email address.',
      'Sex: Please choose one of the listed options for sex.',
      'Skipped.',
    ])
    expect((await setup.trail.of('import-refused-downloaded')).at(-1)).toMatchObject({ affected: 3 })

    const again = await imports.upload(file, 'list - not imported.xlsx')
    expect(again.columns.at(-1)).toMatchObject({ header: 'Problem', guess: null })
    await imports.check(again)
    await imports.changeRow(again.id, 2, { values: { email: 'good@x.example' } })
    await imports.changeRow(again.id, 3, { values: { sex: 'M' } })
    expect(await imports.run(again.id)).toMatchObject({ importedCount: 3 })
    expect((await setup.students()).map(({ lastName }) => lastName)).toEqual([
      'Bad',
      'Fixed',
      'Good',
      'Skipped',
    ])
  })
})

describe('a request for the erasure of an imported record', () => {
  test('is answered by the undo of the import, which deletes the record', async () => {
    const uploaded = await imports.upload(toCsv(buildSheetRows(2)))
    await imports.check(uploaded)
    await imports.run(uploaded.id)
    const { db } = setup.server.database
    const [student] = await db.selectFrom('students').select('reference').execute()
    const reference = student?.reference ?? ''
    const request = { kind: 'erasure' as const, reference, receivedOn: '2026-11-01', dueOn: '2026-12-01' }
    await db
      .insertInto('privacyRequests')
      .values({ ...request, id: crypto.randomUUID() })
      .execute()
    await imports.undo(uploaded.id)
    const requests = await db.selectFrom('privacyRequests').select(['reference', 'outcome']).execute()
    expect(requests).toEqual([{ reference, outcome: 'granted' }])
  })
})

describe('DELETE /imports/{id}', () => {
  test('deletes an import without records', async () => {
    const { id } = await imports.upload(toCsv(buildSheetRows(2)))
    expect((await imports.call('DELETE', `/${id}`)).status).toBe(204)
    expect((await imports.call('GET', `/${id}`)).status).toBe(404)
    expect(await setup.server.database.db.selectFrom('importRows').selectAll().execute()).toEqual([])
    expect((await setup.trail.of('import-deleted')).at(-1)).toMatchObject({ affected: 2 })
  })

  test('leaves the figures of an import with records, and its undo', async () => {
    const uploaded = await imports.upload(toCsv(buildSheetRows(2)))
    await imports.check(uploaded)
    await imports.run(uploaded.id)
    await imports.call('DELETE', `/${uploaded.id}`)
    expect(await imports.read(uploaded.id)).toMatchObject({
      hasRows: false,
      importedCount: 2,
      counts: { ready: 2 },
    })
    expect(await imports.problem('GET', `/${uploaded.id}/refused.xlsx`)).toMatchObject({
      detail: 'The rows of this file have been deleted. Please upload it again.',
    })
    await imports.undo(uploaded.id)
    expect(await setup.students()).toEqual([])
  })
})

test('the history lists imports, newest first', async () => {
  await imports.upload(toCsv(buildSheetRows(1)), 'one.csv')
  await imports.upload(toCsv(buildSheetRows(1)), 'two.csv')
  const { items } = await (await imports.call('GET', '')).json()
  expect(items).toMatchObject([
    { fileName: 'two.csv', state: 'uploaded', createdBy: 'Administrator', hasRows: true },
    { fileName: 'one.csv' },
  ])
})
