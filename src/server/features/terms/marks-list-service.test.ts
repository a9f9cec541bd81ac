import { v7 as createId } from 'uuid'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { defaultMarking, type MarkingScale, markingMessages } from '#shared/terms/marking.ts'
import { marksMessages } from '#shared/terms/marks.ts'
import { type SheetRow, toCsv } from '#tests/factories/spreadsheet.ts'
import { storeEnrolment } from '#tests/factories/stored-enrolment.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { storeTerm } from '#tests/factories/stored-term.ts'
import { buildWrittenWorkbook } from '#tests/factories/written-workbook.ts'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { type ImportSetup, importsOf, openImportSetup } from '#tests/setup/imports.ts'
import { createStaffClient } from '#tests/setup/people.ts'

let setup: ImportSetup
let imports: ImportSetup['imports']
const termId = createId()
const earlierId = createId()
const numbers = new Map<string, string>()
const ofTerm = `&purpose=marks&term=${termId}`

beforeAll(async () => {
  setup = await openImportSetup()
  imports = setup.imports
})
afterAll(() => setup.close())
beforeEach(async () => {
  const { database } = setup.server
  for (const table of ['enrolments', 'sections', 'importRows', 'imports', 'terms'] as const)
    await database.db.deleteFrom(table).execute()
  await setup.clear()
  numbers.clear()
  await storeTerm(database, { id: termId })
  await storeTerm(database, { id: earlierId, academicYear: '2025-2026', state: 'closed' })
})

async function changeSettings(marking: MarkingScale) {
  const office = createAdminClient(setup.server, await setup.server.signIn())
  const seen = (await (await office.call('GET', '/settings')).json()).version
  const changed = await office.call('PATCH', '/settings', { marking }, { 'If-Match': `"${seen}"` })
  expect(changed.status).toBe(200)
}

type Enrolment = Partial<Parameters<typeof storeEnrolment>[1]>
type Student = Parameters<typeof storeStudent>[1]

/** Of CWTS, in NSTP 1. */
async function enrol(lastName: string, enrolment: Enrolment = {}, student: Student = {}) {
  const number = `2026-${String(numbers.size + 1).padStart(5, '0')}`
  numbers.set(lastName, number)
  const { database } = setup.server
  const own = { firstName: 'Ana', middleName: '', nstpComponent: 'CWTS', studentId: number, ...student }
  const { id: studentId } = await storeStudent(database, { lastName, ...own })
  const { id } = await storeEnrolment(database, { termId, studentId, ...enrolment })
  return { id, studentId }
}

const line = (lastName: string, grade: string, more: SheetRow = {}): SheetRow => ({
  'Student No.': numbers.get(lastName) ?? '2026-99999',
  Name: `${lastName}, Ana`,
  'Final Grade': grade,
  ...more,
})

async function check(rows: SheetRow[], by = imports) {
  return by.check(await by.upload(toCsv(rows), 'grades.csv', ofTerm))
}

async function marks(): Promise<Record<string, string>> {
  const rows = await setup.server.database.db
    .selectFrom('enrolments')
    .innerJoin('students', 'students.id', 'enrolments.studentId')
    .select(['lastName', 'mark', 'outcome'])
    .where('termId', '=', termId)
    .execute()
  return Object.fromEntries(
    rows.map(({ lastName, mark, outcome }) => [lastName, `${mark} ${outcome}`.trim()]),
  )
}

describe('marks from a file', () => {
  test('are compared with those of the term and entered, and undone', async () => {
    const abad = await enrol('Abad')
    await enrol('Bautista', { mark: '1.50', outcome: 'passed' })
    await enrol('Cruz', { mark: 'INC', outcome: 'incomplete' })
    await enrol('Diaz', { mark: '2.00', outcome: 'passed' })
    await enrol('Estrada')
    await enrol('Flores')
    const garcia = await enrol('Garcia')
    await storeEnrolment(setup.server.database, {
      termId: earlierId,
      studentId: garcia.studentId,
      mark: '2.00',
      outcome: 'passed',
    })
    const herrera = await enrol('Herrera')
    await storeEnrolment(setup.server.database, { termId, studentId: herrera.studentId, level: 2 })
    await enrol('Ignacio', {}, { restriction: 'blocked' })
    await enrol('Jacinto', { component: 'ROTC' }, { nstpComponent: 'ROTC' })
    const checked = await check([
      line('Abad', '1.5'),
      line('Bautista', '1.5'),
      line('Cruz', ' 2.75 '),
      line('Diaz', ''),
      line('Estrada', '-'),
      line('Flores', '7'),
      line('Garcia', '1.00'),
      line('Herrera', '1.00'),
      line('Ignacio', '1.00'),
      line('Jacinto', 'drp', { Component: 'CWTS' }),
      line('Nobody', '1.00'),
      line('Abad', '3.00'),
    ])
    expect(checked).toMatchObject({
      purpose: 'marks',
      termId,
      counts: { ready: 2, unchanged: 3, problem: 4, differs: 1, unmatched: 1, duplicate: 1 },
      others: null,
    })
    const { items } = await imports.rows(checked.id)
    expect(items.map(({ state, values, problems }) => [state, values.mark, problems[0]?.message])).toEqual([
      ['ready', '1.5', undefined],
      ['unchanged', '1.5', undefined],
      ['ready', '2.75', undefined],
      ['unchanged', '', undefined],
      ['unchanged', '', undefined],
      ['problem', '7', markingMessages.mark(defaultMarking)],
      ['problem', '1.00', marksMessages.passedBefore('Garcia, Ana', 'First semester 2025-2026')],
      ['problem', '1.00', marksMessages.twoLevels('Herrera, Ana')],
      ['problem', '1.00', 'The record of Ignacio, Ana is blocked.'],
      ['differs', 'drp', 'The list says CWTS, but the student is enrolled in ROTC.'],
      ['unmatched', '1.00', undefined],
      ['duplicate', '3.00', undefined],
    ])
    // What would be replaced is shown.
    expect(items.slice(0, 3).map(({ person }) => person?.mark)).toEqual(['', '1.50', 'INC'])
    const before = await marks()

    expect(await imports.changeRow(checked.id, 11, { take: true })).toMatchObject({ state: 'ready' })
    expect(await imports.run(checked.id)).toMatchObject({ state: 'imported', importedCount: 3 })
    expect(await marks()).toEqual({
      ...before,
      Abad: '1.50 passed',
      Cruz: '2.75 passed',
      Jacinto: 'DRP dropped',
    })
    expect((await setup.trail.of('list-applied')).at(-1)).toMatchObject({
      subject: 'grades.csv',
      affected: 3,
    })
    const { db } = setup.server.database
    const history = () =>
      db
        .selectFrom('enrolmentChanges')
        .selectAll()
        .where('enrolmentId', '=', abad.id)
        .orderBy('version')
        .execute()
    const entered = {
      what: 'mark',
      before: { mark: '', outcome: 'none' },
      after: { mark: '1.50', outcome: 'passed' },
      batchId: checked.id,
      version: 2,
    }
    expect(await history()).toMatchObject([entered])
    // Undone as a list.
    const office = createAdminClient(setup.server, await setup.server.signIn())
    expect(await (await office.call('GET', `/terms/${termId}/batches`)).json()).toEqual({ items: [] })

    // What was entered since stays.
    const cruz = (
      await (await office.call('GET', `/terms/${termId}/marks?component=CWTS&level=1`)).json()
    ).items.find(({ student }: { student: { lastName: string } }) => student.lastName === 'Cruz')
    const change = { items: [{ id: cruz.id, version: cruz.version, mark: '3.00' }], reason: '' }
    expect((await office.call('PUT', `/terms/${termId}/marks`, change)).status).toBe(200)
    expect(await imports.undo(checked.id)).toMatchObject({ state: 'undone' })
    expect(await marks()).toEqual({ ...before, Cruz: '3.00 passed' })
    expect((await setup.trail.of('list-undone')).at(-1)).toMatchObject({ affected: 2 })
    expect(await history()).toMatchObject([entered, { what: 'undone', after: entered.before, version: 3 }])
  })

  test('in percent are those of a scale to 100, and their counts show a wrong scale', async () => {
    const last = ['Abad', 'Bautista', 'Cruz', 'Diaz', 'Estrada']
    for (const name of last) await enrol(name)
    const file = await buildWrittenWorkbook(
      [
        {
          rows: [
            ['Student No.', 'Name', 'Grade'],
            ...[0.6, 0.74, 0.75, 0.85, 1].map((mark, index) => [
              numbers.get(last[index] ?? '') ?? '',
              `${last[index]}, Ana`,
              [mark, 1] as const,
            ]),
          ],
        },
      ],
      [0, 9],
    )
    const read = async (bytes: Uint8Array<ArrayBuffer> | string) =>
      imports.check(await imports.upload(bytes, 'grades.xlsx', ofTerm))
    // The scale of the school goes from 1.00 to 5.00.
    const other = await read(file)
    expect(other).toMatchObject({ counts: { ready: 0, problem: 5 }, notes: [] })
    expect((await imports.rows(other.id)).items[0]?.problems[0]?.message).toBe(
      markingMessages.percent(defaultMarking),
    )
    await changeSettings({ best: '100', passing: '75', worst: '0' })
    const checked = await read(file)
    expect(checked).toMatchObject({ counts: { ready: 5 }, notes: ['5 marks: 3 passed, 2 failed.'] })
    const fractions = toCsv(
      last.map((name, index) => line(name, ['0.6', '0.74', '0.75', '0.85', '1'][index] ?? '')),
    )
    expect((await read(fractions)).notes).toEqual(['5 marks: 0 passed, 5 failed.'])
    await imports.run(checked.id)
    expect(await marks()).toEqual({
      Abad: '60 failed',
      Bautista: '74 failed',
      Cruz: '75 passed',
      Diaz: '85 passed',
      Estrada: '100 passed',
    })
    await changeSettings(defaultMarking)
  })

  test('of many decimals are rounded; one that passes by it alone is asked about', async () => {
    await enrol('Abad')
    await enrol('Bautista')
    const checked = await check([line('Abad', '1.6666667'), line('Bautista', '3.0000001')])
    expect(checked.counts).toMatchObject({ ready: 1, differs: 1 })
    const { items } = await imports.rows(checked.id, '?state=differs')
    expect(items[0]?.problems).toEqual([
      { path: 'mark', message: 'This average is 3.00, passed, only because it is rounded.' },
    ])
    await imports.changeRow(checked.id, 3, { take: true })
    expect((await imports.read(checked.id)).notes).toEqual(['2 marks: 2 passed, 0 failed.'])
    await imports.run(checked.id)
    expect(await marks()).toEqual({ Abad: '1.67 passed', Bautista: '3.00 passed' })
  })

  test('need columns of people and marks, and a mark to enter', async () => {
    await enrol('Abad')
    const uploaded = await imports.upload(toCsv([line('Abad', '')]), 'grades.csv', ofTerm)
    const [number, name, mark] = uploaded.columns.map(({ guess }) => guess)
    expect([number, name, mark]).toEqual(['studentId', 'fullName', 'mark'])
    const refusal = (columns: object) => imports.problem('PUT', `/${uploaded.id}/mapping`, { columns })
    expect(await refusal({ 0: number, 1: name, 2: null })).toMatchObject({
      errors: [{ message: 'Please choose the column with the marks.' }],
    })
    expect(await refusal({ 0: null, 1: null, 2: mark })).toMatchObject({
      errors: [{ message: 'Please choose the column with the student ID, or the columns with the name.' }],
    })
    const checked = await imports.check(uploaded)
    expect(await imports.problem('POST', `/${checked.id}/run`, {})).toMatchObject({
      detail: 'No row has a mark to enter. Please look at the rows.',
    })
  })

  test('who passed elsewhere since the check gets no mark', async () => {
    const abad = await enrol('Abad')
    await enrol('Bautista')
    const checked = await check([line('Abad', '1.00'), line('Bautista', '1.00')])
    await storeEnrolment(setup.server.database, {
      termId: earlierId,
      studentId: abad.studentId,
      mark: '2.00',
      outcome: 'passed',
    })
    expect(await imports.run(checked.id)).toMatchObject({ importedCount: 1, counts: { problem: 1 } })
    expect(await marks()).toEqual({ Abad: 'none', Bautista: '1.00 passed' })
  })

  test('of a closed term need a reason, which the history keeps; their undo none', async () => {
    const { db } = setup.server.database
    await enrol('Abad', { mark: 'INC', outcome: 'incomplete' })
    await enrol('Bautista')
    const early = await check([line('Bautista', '2.00')])
    await db.updateTable('terms').set({ state: 'closed' }).where('id', '=', termId).execute()
    const refused = { status: 422, detail: marksMessages.reason, errors: [{ path: 'reason' }] }
    expect(await imports.problem('POST', `/${early.id}/run`, { reason: ' ' })).toMatchObject(refused)
    const late = await check([line('Abad', '1.00')])
    expect(await imports.run(late.id, 'Completed on 10 Jan')).toMatchObject({ importedCount: 1 })
    expect(await marks()).toEqual({ Abad: '1.00 passed', Bautista: 'none' })
    const history = db.selectFrom('enrolmentChanges').select(['what', 'reason']).orderBy('id')
    expect(await history.execute()).toEqual([{ what: 'mark', reason: 'Completed on 10 Jan' }])
    // Who dropped since gets the earlier mark all the same.
    await db.updateTable('enrolments').set({ status: 'dropped', version: 3 }).execute()
    expect(await imports.undo(late.id)).toMatchObject({ state: 'undone' })
    expect(await marks()).toEqual({ Abad: 'INC incomplete', Bautista: 'none' })
  })

  test('of an account with one component are entered and undone for its own students', async () => {
    await enrol('Abad')
    await enrol('Santos', { component: 'ROTC' }, { nstpComponent: 'ROTC' })
    const cwts = await createStaffClient(setup.server, { role: 'coordinator', components: ['CWTS'] })
    const own = importsOf(setup.server, cwts.cookie)
    const rows = [line('Abad', '1.00'), line('Santos', '2.00'), line('Santos', '2.00', { Component: 'ROTC' })]
    const checked = await check(rows, own)
    expect(checked).toMatchObject({ counts: { ready: 1, unmatched: 1, skipped: 1 } })
    await own.run(checked.id)
    expect(await marks()).toEqual({ Abad: '1.00 passed', Santos: 'none' })
    await own.undo(checked.id)
    expect(await marks()).toEqual({ Abad: 'none', Santos: 'none' })

    const assistant = await createStaffClient(setup.server, { role: 'assistant', components: [] })
    const others = importsOf(setup.server, assistant.cookie)
    expect(await others.problem('POST', `?fileName=x.csv${ofTerm}`, toCsv(rows))).toMatchObject({
      status: 403,
    })
  })
})
