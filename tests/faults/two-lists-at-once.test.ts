import { v7 as createId } from 'uuid'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildSheetRows, type SheetRow, toCsv } from '#tests/factories/spreadsheet.ts'
import { storeEnrolment } from '#tests/factories/stored-enrolment.ts'
import { storeGraduate } from '#tests/factories/stored-graduate.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { storeTerm } from '#tests/factories/stored-term.ts'
import { importsOf } from '#tests/setup/imports.ts'
import { freezePaper, makePaper, setOffice } from '#tests/setup/papers.ts'
import { startTwoProcesses } from '#tests/setup/two-processes.ts'

let two: Awaited<ReturnType<typeof startTwoProcesses>>
const termId = createId()

beforeAll(async () => {
  two = await startTwoProcesses()
}, 120_000)
afterAll(() => two.close())
beforeEach(async () => {
  const { db } = two.server.database
  for (const table of ['importRows', 'enrolments', 'students', 'imports', 'papers', 'terms'] as const)
    await db.deleteFrom(table).execute()
  await storeTerm(two.server.database, { id: termId })
})

/** Both have uploaded and checked the list before either applies it. */
async function applyTwice(rows: readonly SheetRow[], query = '', mapping: object = {}) {
  const people = [two.ana, two.ben].map(({ url, cookie }) => importsOf({ url }, cookie))
  const checked = await Promise.all(
    people.map(async (imports) => ({
      imports,
      id: (await imports.check(await imports.upload(toCsv(rows), 'list.csv', query), mapping)).id,
    })),
  )
  const ended = await Promise.all(checked.map(({ imports, id }) => imports.run(id)))
  return ended
    .map(({ state, importedCount, failure }) => ({ state, importedCount, failure }))
    .sort((one, other) => other.state.localeCompare(one.state))
}

const imported = (importedCount: number) => ({ state: 'imported', importedCount, failure: null })
const refused = (failure: string) => ({ state: 'checked', importedCount: 0, failure })
const nothingChanged = refused(
  'Nothing was changed: no row agrees with a student any more. Please look at the rows.',
)

describe('the same list, applied by two people at once, counts once', () => {
  test('new students', async () => {
    expect(await applyTwice(buildSheetRows(200))).toEqual([
      imported(200),
      refused(
        'Nothing was imported: since the check, all these students have been recorded in another way. Please look at the rows.',
      ),
    ])
    const { count } = await two.server.database.db
      .selectFrom('students')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .executeTakeFirstOrThrow()
    expect(Number(count)).toBe(200)
  })

  test('new values of students', async () => {
    const numbers = Array.from({ length: 50 }, (_, index) => `2026-${index + 10_000}`)
    for (const studentId of numbers) await storeStudent(two.server.database, { studentId })
    const rows = numbers.map((number) => ({ 'Student ID': number, Barangay: 'Sabang' }))
    const [won, lost] = await applyTwice(rows, '', { updateBy: 'studentId' })
    expect(won).toEqual(imported(50))
    expect(lost?.failure).toBe(
      'Nothing was updated. 50 records were changed since the check. Please look at the rows with problems.',
    )
  })

  test('the registrar’s list', async () => {
    const rows = await enrolled(20)
    expect(
      await applyTwice(
        rows.map((row) => ({ ...row, Component: 'CWTS' })),
        `&purpose=registrar&term=${termId}`,
      ),
    ).toEqual([imported(20), nothingChanged])
  })

  test('marks', async () => {
    const rows = await enrolled(20)
    expect(
      await applyTwice(
        rows.map((row) => ({ ...row, Mark: '1.50' })),
        `&purpose=marks&term=${termId}`,
      ),
    ).toEqual([imported(20), nothingChanged])
  })

  test('serial numbers', async () => {
    await setOffice(two.ana)
    const lastNames = ['Abad', 'Bautista', 'Castillo', 'Dimaculangan', 'Evangelista', 'Fernandez']
    const people = lastNames.map((lastName, index) => ({ lastName, studentId: `2026-${index + 10_000}` }))
    for (const person of people)
      await storeGraduate(two.server.database, termId, { ...person, serialNumber: '' })
    const { id, version } = await freezePaper(two.server, two.ana, await makePaper(two.ana))
    await two.ana.call(
      'POST',
      `/papers/${id}/state`,
      { state: 'sent', on: '2026-11-20' },
      { 'if-match': `"${version}"` },
    )
    const rows = people.map(({ studentId, lastName }, index) => ({
      'Student ID': studentId,
      'NSTP SERIAL NUMBER': `C-03-${100_000 + index}-27`,
      'LAST NAME': lastName,
      'FIRST NAME': 'Juan Miguel',
    }))
    expect(await applyTwice(rows, `&purpose=serials&paper=${id}`)).toEqual([imported(6), nothingChanged])
  })
})

/** In the term, without marks and not yet official. */
async function enrolled(count: number): Promise<SheetRow[]> {
  return await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const studentId = `2026-${index + 10_000}`
      const student = await storeStudent(two.server.database, { studentId, nstpComponent: 'CWTS' })
      await storeEnrolment(two.server.database, { termId, studentId: student.id })
      return { 'Student ID': studentId, 'Last Name': 'Dela Cruz', 'First Name': 'Juan Miguel' }
    }),
  )
}

test('two administrators who end each other’s account at once: one stays', async () => {
  const { db } = two.server.database
  await db
    .updateTable('admins')
    .set({ disabledAt: new Date() })
    .where('id', 'not in', [two.ana.id, two.ben.id])
    .execute()
  const end = async (by: typeof two.ana | typeof two.ben, id: string) =>
    by.call(
      'PATCH',
      `/people/${id}`,
      {
        ...{ displayName: 'X', role: 'administrator', components: [], expiresOn: null, isDisabled: true },
        ...{ sectionIds: [], seesPhoneNumbers: false },
      },
      { 'if-match': '"1"' },
    )
  const answers = await Promise.all([end(two.ana, two.ben.id), end(two.ben, two.ana.id)])
  expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
  const left = await db.selectFrom('admins').select('id').where('disabledAt', 'is', null).execute()
  expect(left).toHaveLength(1)
})
