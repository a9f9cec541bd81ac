import readWorkbook from 'read-excel-file/node'
import { v7 as createId } from 'uuid'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type SheetRow, toCsv } from '#tests/factories/spreadsheet.ts'
import { storeEnrolment } from '#tests/factories/stored-enrolment.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { storeTerm } from '#tests/factories/stored-term.ts'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { type ImportSetup, importsOf, openImportSetup } from '#tests/setup/imports.ts'
import { createStaffClient } from '#tests/setup/people.ts'

let setup: ImportSetup
let imports: ImportSetup['imports']
const termId = createId()
const ofTerm = `&purpose=registrar&term=${termId}`

beforeAll(async () => {
  setup = await openImportSetup()
  imports = setup.imports
})
afterAll(() => setup.close())
beforeEach(async () => {
  const { db } = setup.server.database
  for (const table of ['enrolments', 'sections', 'importRows', 'imports', 'terms'] as const)
    await db.deleteFrom(table).execute()
  await setup.clear()
  await storeTerm(setup.server.database, { id: termId })
})

const people = {
  cruz: { lastName: 'Dela Cruz', firstName: 'Juan Pablo', middleName: 'Reyes', studentId: '2026-00001' },
  pena: { lastName: 'Peña', firstName: 'Ana', middleName: '', studentId: '2026-00002' },
  santos: { lastName: 'Santos', firstName: 'Mark', middleName: '', studentId: '2026-00003' },
  yap: { lastName: 'Yap', firstName: 'Rosa', middleName: '', studentId: '2026-00004' },
} as const
type Name = keyof typeof people

/** Of CWTS, in NSTP 1. */
async function enrol(name: Name, overrides: Parameters<typeof storeStudent>[1] = {}) {
  const component = overrides.nstpComponent ?? 'CWTS'
  const { id: studentId } = await storeStudent(setup.server.database, {
    ...people[name],
    nstpComponent: component,
    ...overrides,
  })
  const own = { termId, studentId, component: component === 'ROTC' ? 'ROTC' : 'CWTS' } as const
  const { id } = await storeEnrolment(setup.server.database, own)
  return { id: id ?? '', studentId }
}

const line = (name: string, number = '', more: SheetRow = {}): SheetRow => ({
  'Student No.': number,
  Name: name,
  ...more,
})

async function check(rows: SheetRow[], by = imports) {
  return by.check(await by.upload(toCsv(rows), 'list of 12 Aug.csv', ofTerm))
}

async function officials(): Promise<string[]> {
  const rows = await setup.server.database.db
    .selectFrom('enrolments')
    .select('id')
    .where('officialAt', 'is not', null)
    .execute()
  return rows.map(({ id }) => id)
}

describe('the registrar’s list', () => {
  test('is compared with the term, and makes official who agrees', async () => {
    const cruz = await enrol('cruz')
    const pena = await enrol('pena')
    await enrol('santos', { nstpComponent: 'ROTC' })
    const yap = await enrol('yap')
    const component = (value: string) => ({ 'NSTP Component': value })
    const checked = await check([
      line('DELA CRUZ, JUAN PABLO R.', '2026-00001', component('CWTS')),
      line('PENA, ANA', '', component('CWTS')),
      line('SANTOS, MARK', '2026-00003', component('CWTS')),
      line('YAP, PETER', '2026-00004', component('CWTS')),
      line('Zamora, Zita', '2026-09999', component('LTS')),
      line('Dela Cruz, Juan Pablo', '2026-00001', component('CWTS')),
      line('', '', { ...component('CWTS'), Course: 'SOICT' }),
    ])
    expect(checked).toMatchObject({
      purpose: 'registrar',
      termId,
      counts: { ready: 2, problem: 2, differs: 1, unmatched: 1, duplicate: 1, unchanged: 0 },
      others: { missing: 1, gone: 0 },
    })
    const { items } = await imports.rows(checked.id)
    expect(
      items.map(({ number, state, person, candidates, problems }) => [
        number,
        state,
        person?.name ?? candidates.map(({ name }) => name),
        person?.matchedBy,
        problems[0]?.message,
      ]),
    ).toEqual([
      [2, 'ready', 'Dela Cruz, Juan Pablo Reyes', 'number', undefined],
      [3, 'ready', 'Peña, Ana', 'name', undefined],
      [4, 'differs', 'Santos, Mark', 'number', 'The list says CWTS, but the student is enrolled in ROTC.'],
      [5, 'problem', ['Yap, Rosa'], undefined, 'The number matches, but the name differs.'],
      [6, 'unmatched', [], undefined, undefined],
      [7, 'duplicate', 'Dela Cruz, Juan Pablo Reyes', 'number', undefined],
      [8, 'problem', [], undefined, 'This row has neither a name nor a student ID.'],
    ])
    expect(await officials()).toEqual([])
    // Whoever isn't ready is in the file of those who were not imported.
    const [refused] = await readWorkbook(await imports.refused(checked.id))
    const [headers = [], ...left] = refused?.data ?? []
    expect(left.map((row) => [row[headers.indexOf('Name')], row[headers.indexOf('Problem')]])).toEqual([
      ['SANTOS, MARK', 'NSTP Component: The list says CWTS, but the student is enrolled in ROTC.'],
      ['YAP, PETER', 'Last Name: The number matches, but the name differs.'],
      ['Zamora, Zita', 'Nobody of the term has this name or number.'],
      ['Dela Cruz, Juan Pablo', 'The same record as row 2.'],
      [null, 'Last Name: This row has neither a name nor a student ID.'],
    ])

    // The same person after all, and the other component doesn't matter.
    expect(await imports.changeRow(checked.id, 5, { studentId: yap.studentId })).toMatchObject({
      state: 'ready',
      person: { matchedBy: 'hand' },
    })
    expect(await imports.changeRow(checked.id, 4, { take: true })).toMatchObject({ state: 'ready' })
    expect(await imports.run(checked.id)).toMatchObject({
      state: 'imported',
      importedCount: 4,
      others: { missing: 0, gone: 0 },
    })
    expect(await officials()).toHaveLength(4)
    expect((await setup.trail.of('list-applied')).at(-1)).toMatchObject({
      subject: 'list of 12 Aug.csv',
      affected: 4,
    })
    const { db } = setup.server.database
    const history = await db.selectFrom('enrolmentChanges').selectAll().execute()
    expect(history.map(({ enrolmentId, what }) => [enrolmentId, what])).toContainEqual([cruz.id, 'official'])

    expect(await imports.undo(checked.id)).toMatchObject({ state: 'undone', others: { missing: 0 } })
    expect(await officials()).toEqual([])
    expect((await setup.trail.of('list-undone')).at(-1)).toMatchObject({ affected: 4 })
    expect(pena.id).not.toBe('')
  })

  test('a second list shows what changed since, and takes official from nobody', async () => {
    const cruz = await enrol('cruz')
    const pena = await enrol('pena')
    const first = await check([line('Dela Cruz, Juan Pablo', '2026-00001')])
    await imports.run(first.id)
    const second = await check([line('Peña, Ana', '2026-00002')])
    expect(second).toMatchObject({ counts: { ready: 1 }, others: { missing: 0, gone: 1 } })
    await imports.run(second.id)
    expect((await officials()).sort()).toEqual([cruz.id, pena.id].sort())
    // A list is undone as a list.
    const office = createAdminClient(setup.server, await setup.server.signIn())
    expect(await (await office.call('GET', `/terms/${termId}/batches`)).json()).toEqual({ items: [] })
    expect((await office.call('POST', `/enrolment-batches/${first.id}/undo`)).status).toBe(404)
    const third = await check([line('Peña, Ana', '2026-00002'), line('Dela Cruz, Juan Pablo', '2026-00001')])
    expect(third).toMatchObject({ counts: { ready: 0, unchanged: 2 }, others: { missing: 0, gone: 0 } })
    expect(await imports.problem('POST', `/${third.id}/run`, {})).toMatchObject({
      status: 422,
      detail: 'No row agrees with a student. Please look at the rows.',
    })
    // The first list alone.
    await imports.undo(first.id)
    expect(await officials()).toEqual([pena.id])
  })

  test('who left the term since the check stays out, and a closed term takes no list', async () => {
    const { db } = setup.server.database
    const cruz = await enrol('cruz')
    const pena = await enrol('pena')
    const rows = [line('Dela Cruz, Juan Pablo', '2026-00001'), line('Peña, Ana', '2026-00002')]
    const checked = await check(rows)
    await db.updateTable('enrolments').set({ status: 'dropped' }).where('id', '=', cruz.id).execute()
    expect(await imports.run(checked.id)).toMatchObject({ importedCount: 1, counts: { unmatched: 1 } })
    expect(await officials()).toEqual([pena.id])

    const late = await check(rows)
    await db.updateTable('terms').set({ state: 'closed' }).execute()
    const closed = { status: 409, detail: 'First semester 2026-2027 is closed.' }
    expect(await imports.problem('POST', `?fileName=x.csv${ofTerm}`, toCsv(rows))).toMatchObject(closed)
    expect(await imports.problem('POST', `/${checked.id}/undo`, {})).toMatchObject(closed)
    await imports.changeRow(late.id, 2, { skip: true })
    expect(await officials()).toEqual([pena.id])
  })

  test('names somebody by hand only of the term, and asks for columns that name people', async () => {
    await enrol('cruz')
    const { id: outsider } = await storeStudent(setup.server.database, { lastName: 'Outside' })
    const uploaded = await imports.upload(toCsv([line('Dela Cruz, Juan', '')]), 'list.csv', ofTerm)
    expect(
      await imports.problem('PUT', `/${uploaded.id}/mapping`, { columns: { 0: null, 1: null } }),
    ).toMatchObject({
      errors: [{ message: 'Please choose the column with the student ID, or the columns with the name.' }],
    })
    const checked = await imports.check(uploaded)
    expect(await imports.problem('PATCH', `/${checked.id}/rows/2`, { studentId: outsider })).toMatchObject({
      errors: [{ path: 'studentId', message: 'This student is not enrolled in the term.' }],
    })
    for (const query of ['&purpose=registrar', `&term=${termId}`, `&purpose=odd&term=${termId}`]) {
      expect(await imports.problem('POST', `?fileName=x.csv${query}`, 'a')).toMatchObject({ status: 422 })
    }
    expect(
      await imports.problem('POST', `?fileName=x.csv&purpose=registrar&term=${createId()}`, 'a'),
    ).toMatchObject({ status: 404 })
  })

  test('is listed with its term, not among the imports of students', async () => {
    await enrol('cruz')
    const { id } = await check([line('Dela Cruz, Juan Pablo', '2026-00001')])
    const listed = async (query: string) =>
      (await (await imports.call('GET', query)).json()).items.map((item: { id: string }) => item.id)
    expect(await listed('')).toEqual([])
    expect(await listed(`?purpose=registrar&term=${termId}`)).toEqual([id])
  })

  test('of an account with one component leaves the rows of others alone, but for its own students', async () => {
    const cruz = await enrol('cruz')
    await enrol('yap')
    await enrol('santos', { nstpComponent: 'ROTC' })
    const cwts = await createStaffClient(setup.server, { role: 'coordinator', components: ['CWTS'] })
    const own = importsOf(setup.server, cwts.cookie)
    const checked = await check(
      [
        line('Dela Cruz, Juan Pablo', '2026-00001', { Component: 'CWTS' }),
        line('Santos, Mark', '2026-00003', { Component: 'ROTC' }),
        line('Santos, Mark', '2026-00003'),
        line('Yap, Rosa', people.yap.studentId, { Component: 'ROTC' }),
      ],
      own,
    )
    expect(checked).toMatchObject({
      counts: { ready: 1, skipped: 1, unmatched: 1, differs: 1 },
      others: { missing: 0, gone: 0 },
    })
    const [differing] = (await own.rows(checked.id, '?state=differs')).items
    expect(differing?.problems).toEqual([
      { path: 'nstpComponent', message: 'The list says ROTC, but the student is enrolled in CWTS.' },
    ])
    await own.run(checked.id)
    expect(await officials()).toEqual([cruz.id])
  })

  test('follows a merge and its undo, and is erased with the student', async () => {
    const { db } = setup.server.database
    const office = createAdminClient(setup.server, await setup.server.signIn())
    const { studentId: dropId } = await enrol('cruz')
    const { id: keepId } = await storeStudent(setup.server.database, { lastName: 'Dela Cruz' })
    // Of the term's academic year, but not in it.
    const { id: waiting } = await storeStudent(setup.server.database, {
      ...people.yap,
      dateOfBirth: '2007-01-02',
      academicYear: '2026-2027',
    })
    const checked = await check([
      line('Dela Cruz, Juan Pablo', '2026-00001'),
      line('YAP, ROSA', '', { 'Date of Birth': '2007-01-02' }),
    ])
    const named = async () => (await imports.rows(checked.id)).items[0]?.person?.studentId
    const merge = { keepId, keepVersion: 1, dropId, dropVersion: 1, take: {} }
    expect((await office.call('POST', '/students/merge', merge)).status).toBe(200)
    expect(await named()).toBe(keepId)
    expect((await office.call('POST', `/students/${dropId}/restore`)).status).toBe(204)
    expect(await named()).toBe(dropId)

    for (const id of [dropId, waiting]) await office.call('DELETE', `/students/${id}`)
    const rows = await db.selectFrom('importRows').select(['cells', 'fields']).execute()
    expect(rows).toEqual([
      { cells: [], fields: {} },
      { cells: [], fields: {} },
    ])
  })
})
