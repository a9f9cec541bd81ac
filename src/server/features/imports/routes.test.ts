import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildSheetRow, buildSheetRows, toCsv, toWorkbook } from '#tests/factories/spreadsheet.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { type ImportSetup, openImportSetup } from '#tests/setup/imports.ts'

let setup: ImportSetup
let imports: ImportSetup['imports']
const nowhere = '01980000-0000-7000-8000-000000000001'

beforeAll(async () => {
  setup = await openImportSetup()
  imports = setup.imports
})
afterAll(() => setup.close())
beforeEach(() => setup.clear())

describe('without a session', () => {
  test.each([
    ['POST', ''],
    ['GET', ''],
    ['GET', `/${nowhere}`],
    ['PUT', `/${nowhere}/mapping`],
    ['GET', `/${nowhere}/rows`],
    ['PATCH', `/${nowhere}/rows`],
    ['PATCH', `/${nowhere}/rows/2`],
    ['POST', `/${nowhere}/replacements`],
    ['POST', `/${nowhere}/run`],
    ['POST', `/${nowhere}/undo`],
    ['GET', `/${nowhere}/refused.xlsx`],
    ['DELETE', `/${nowhere}`],
  ])('%s /imports%s is refused', async (method, path) => {
    const response = await fetch(`${setup.server.url}/api/imports${path}`, { method })
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ detail: 'Authentication required. Please login as admin.' })
  })
})

describe('an unknown import', () => {
  test.each([
    ['GET', `/${nowhere}`, undefined],
    ['GET', '/not-an-id', undefined],
    ['PUT', `/${nowhere}/mapping`, { columns: {}, consent: true }],
    ['GET', `/${nowhere}/rows`, undefined],
    ['PATCH', `/${nowhere}/rows`, { state: 'duplicate', decision: 'skip' }],
    ['PATCH', `/${nowhere}/rows/2`, { skip: true }],
    ['POST', `/${nowhere}/run`, {}],
    ['POST', `/${nowhere}/undo`, {}],
    ['GET', `/${nowhere}/refused.xlsx`, undefined],
    ['DELETE', `/${nowhere}`, undefined],
  ])('%s /imports%s is refused', async (method, path, body) => {
    expect(await imports.problem(method, path, body)).toMatchObject({
      status: 404,
      detail: 'Import not found',
    })
  })
})

describe('POST /imports', () => {
  test('returns the columns of a CSV file with samples and guesses', async () => {
    const details = await imports.upload(
      'Surname;Given Name;Birthdate;Favorite Color\nDela Cruz;Juan;13/05/2006;\nPeña;Niña;01/02/2006;red\n',
      'C:\\lists\\students.csv',
    )
    expect(details).toMatchObject({
      fileName: 'students.csv',
      state: 'uploaded',
      rowCount: 2,
      guessedDateOrder: 'day-first',
      columns: [
        { header: 'Surname', guess: 'lastName', samples: ['Dela Cruz', 'Peña'] },
        { header: 'Given Name', guess: 'firstName', samples: ['Juan', 'Niña'] },
        { header: 'Birthdate', guess: 'dateOfBirth' },
        { header: 'Favorite Color', guess: null, samples: ['red'] },
      ],
    })
    expect(await setup.trail.of('import-uploaded')).toMatchObject([{ subject: 'students.csv', affected: 2 }])
  })

  test('accepts a workbook as the part `file` of a form', async () => {
    const form = new FormData()
    form.set('file', new Blob([await toWorkbook(buildSheetRows(3))]), 'list.xlsx')
    const cookie = await setup.server.signIn()
    const response = await fetch(`${setup.server.url}/api/imports`, {
      method: 'POST',
      headers: { Cookie: cookie },
      body: form,
    })
    expect(response.status).toBe(201)
    const body = await response.json()
    expect(body).toMatchObject({ fileName: 'list.xlsx', rowCount: 3 })
    expect(body.columns.every((column: { guess: unknown }) => column.guess !== null)).toBe(true)
  })

  test.each(['text/html', 'text/plain;charset=UTF-8', 'application/x-www-form-urlencoded'])(
    'refuses a body of the type %s',
    async (type) => {
      const response = await fetch(`${setup.server.url}/api/imports?fileName=x.csv`, {
        method: 'POST',
        headers: {
          Cookie: await setup.server.signIn(),
          'Content-Type': type,
          'Sec-Fetch-Site': 'same-origin',
        },
        body: 'Last Name,First Name\nCruz,Ana\n',
      })
      expect(response.status).toBe(415)
    },
  )

  test('removes control characters from a file name', async () => {
    const name = encodeURIComponent('C:\\lists\\\u202egnp.\u0007students.csv')
    const response = await imports.call('POST', `?fileName=${name}`, 'Last Name,First Name\nCruz,Ana\n')
    expect(await response.json()).toMatchObject({ fileName: 'gnp.students.csv' })
  })

  test.each([
    ['an empty file', '', /^This file is empty/],
    ['headings only', 'Last Name,First Name\n', /^This file has no rows below its headings/],
    ['an old Excel file', Buffer.from('d0cf11e0a1b11ae1', 'hex'), /older Excel file \(\.xls\)/],
    ['a PDF', '%PDF-1.7 …', /^This is not an Excel \(\.xlsx\) or CSV file/],
    ['a web page', '<html><table></table></html>', /^This is not an Excel/],
    ['half a zip', Buffer.from('PK\u0003\u0004 and then nothing'), /may be damaged/],
  ])('refuses %s with an instruction', async (_what, file, detail) => {
    expect(await imports.problem('POST', '?fileName=x', file)).toMatchObject({
      status: 422,
      detail: expect.stringMatching(detail),
    })
    expect((await (await imports.call('GET', '')).json()).items).toEqual([])
  })

  test('refuses a single line of text that is named as a workbook for what it is', async () => {
    for (const text of ['Last Name,First Name\n', 'a list']) {
      expect(await imports.problem('POST', '?fileName=x.xlsx', text)).toMatchObject({
        status: 422,
        detail: expect.stringMatching(/^This is not an Excel \(\.xlsx\) or CSV file/),
      })
    }
  })

  test('asks for a file when there is none', async () => {
    expect(await imports.problem('POST', '', '')).toMatchObject({
      status: 422,
      detail: 'Please choose a file to import.',
    })
  })

  test('refuses more than 50,000 rows and more than 20 MB', { tags: ['rest'] }, async () => {
    const rows = `Last Name,First Name\n${'Cruz,Ana\n'.repeat(50_001)}`
    expect(await imports.problem('POST', '', rows)).toMatchObject({
      status: 413,
      detail: expect.stringMatching(/^This file has more than 50,000 rows/),
    })
    const large = Buffer.alloc(20 * 1024 * 1024 + 1, 'a')
    expect(await imports.problem('POST', '', large)).toMatchObject({
      status: 413,
      detail: expect.stringMatching(/^This file is larger than 20 MB/),
    })
  })
})

describe('PUT /imports/{id}/mapping', () => {
  test('checks every row by the rules of the registration, in the usual formats', async () => {
    const uploaded = await imports.upload(
      toCsv([
        buildSheetRow({
          sex: 'F',
          yearLevel: 'I',
          course: 'soict',
          nstpComponent: 'lts',
          academicYear: '2026-27',
          dateOfBirth: '13 May 2006',
          contactNumber: '9171234567',
          guardianContactNumber: 'has none',
        }),
        buildSheetRow({ lastName: '', email: 'nobody', studentId: 'x1', dateOfBirth: '2015-01-01' }),
        buildSheetRow({ course: 'BSIT', email: 'a@school.example', studentId: 'x2', firstName: 'Ana' }),
      ]),
    )
    const checked = await imports.check(uploaded)
    expect(checked).toMatchObject({
      state: 'checked',
      counts: { ready: 1, problem: 2, duplicate: 0, skipped: 0 },
    })
    const { items, total } = await imports.rows(uploaded.id, '?state=problem')
    expect(total).toBe(2)
    expect(items).toMatchObject([
      {
        number: 3,
        values: { lastName: '', email: 'nobody' },
        problems: [
          { path: 'lastName', message: 'Please fill in the last name field.' },
          { path: 'dateOfBirth', message: 'You must be at least 16 years old to register.' },
          { path: 'email', message: 'Please enter a valid email address.' },
        ],
      },
      { number: 4, values: { course: 'BSIT' }, problems: [{ path: 'course' }] },
    ])
  })

  test('allows courses and years of stored records, and computes ages on the day of the registration', async () => {
    await storeStudent(setup.server.database, { course: 'OLDCOURSE', academicYear: '2019-2020' })
    const row = { course: 'oldcourse', academicYear: '2019-2020', dateOfBirth: '2003-06-01' }
    const uploaded = await imports.upload(
      toCsv([
        buildSheetRow({ ...row, registrationDate: '08/05/2019' }),
        buildSheetRow({ ...row, registrationDate: '05/01/2019', email: 'b@x.example', studentId: 'b' }),
        buildSheetRow({ ...row, registrationDate: '2031-01-01', email: 'c@x.example', studentId: 'c' }),
      ]),
    )
    await imports.check(uploaded)
    const { items } = await imports.rows(uploaded.id)
    expect(items.map(({ problems }) => problems.map(({ message }) => message))).toEqual([
      [],
      ['You must be at least 16 years old to register.'],
      ['Please enter a valid registration date.'],
    ])
  })

  test('fills empty cells with the default values', async () => {
    const row = buildSheetRow()
    delete row['Academic Year']
    const uploaded = await imports.upload(toCsv([row]))
    expect((await imports.check(uploaded)).counts.problem).toBe(1)
    const again = await imports.check(uploaded, { defaults: { academicYear: '2026-27' } })
    expect(again.counts).toMatchObject({ ready: 1, problem: 0 })
  })

  test('marks existing records and duplicates in the file, within an academic year', async () => {
    const stored = await storeStudent(setup.server.database, {
      email: 'Taken@Student.example',
      studentId: '',
    })
    const uploaded = await imports.upload(
      toCsv([
        buildSheetRow({ firstName: 'Other', email: 'taken@student.example', studentId: '1' }),
        buildSheetRow({ lastName: 'First', email: 'first@x.example', studentId: 'A-7' }),
        buildSheetRow({ lastName: 'Second', email: 'second@x.example', studentId: 'a-7' }),
        buildSheetRow({
          lastName: 'Third',
          email: 'first@x.example',
          studentId: '3',
          academicYear: '2025-2026',
        }),
      ]),
    )
    expect((await imports.check(uploaded)).counts).toMatchObject({ ready: 2, problem: 0, duplicate: 2 })
    const { items } = await imports.rows(uploaded.id, '?state=duplicate')
    expect(items.map(({ number, matches }) => ({ number, matches }))).toEqual([
      {
        number: 2,
        matches: [{ by: ['email'], reference: stored.reference, studentId: stored.id, row: null }],
      },
      { number: 4, matches: [{ by: ['studentId'], reference: null, studentId: null, row: 3 }] },
    ])
  })

  test('marks a name that the record, or an earlier row, has in another spelling', async () => {
    const stored = await storeStudent(setup.server.database, {
      ...{ lastName: 'De la Rosa', firstName: 'Maria Luz', dateOfBirth: '2007-05-14' },
      ...{ email: 'luz@x.example', studentId: '' },
    })
    const rows = [
      { lastName: 'Dela Rosa', firstName: 'Ma. Luz' },
      { lastName: 'STO. TOMAS', firstName: 'REY JR' },
      { lastName: 'Santo Tomás', firstName: 'Rey' },
      { lastName: 'Tomas', firstName: 'Rey' },
    ].map((name, index) =>
      buildSheetRow({ ...name, dateOfBirth: '2007-05-14', email: `${index}@y.example`, studentId: '' }),
    )
    const uploaded = await imports.upload(toCsv(rows))
    expect((await imports.check(uploaded)).counts).toMatchObject({ ready: 2, duplicate: 2 })
    const { items } = await imports.rows(uploaded.id, '?state=duplicate')
    expect(items).toMatchObject([
      { number: 2, matches: [{ by: ['name'], reference: stored.reference }] },
      { number: 4, matches: [{ by: ['name'], reference: null, row: 3 }] },
    ])
  })

  test.each([
    [{ columns: { 0: 'lastName' } }, 'Please confirm that these students signed a paper consent.'],
    [{ columns: { 0: 'nickname' }, consent: true }, 'Please choose one of the listed fields.'],
    [{ columns: { 0: 'sex', 1: 'sex' }, consent: true }, 'Please choose each field for one column only.'],
    [{ columns: { 99: 'sex' }, consent: true }, 'The file has no column 100.'],
    [
      { columns: {}, dateOrder: 'x', consent: true },
      'Please choose the order of dates: month-first or day-first.',
    ],
  ])('refuses %j', async (body, detail) => {
    const { id } = await imports.upload(toCsv([buildSheetRow()]))
    expect(await imports.problem('PUT', `/${id}/mapping`, body)).toMatchObject({ status: 422, detail })
  })
})

describe('PATCH /imports/{id}/rows', () => {
  test('a corrected row is checked at once, with its former duplicates', async () => {
    const uploaded = await imports.upload(
      toCsv([
        buildSheetRow({ email: 'same@x.example', studentId: '1', lastName: 'A' }),
        buildSheetRow({ email: 'same@x.example', studentId: '2', lastName: 'B' }),
        buildSheetRow({ email: 'wrong', studentId: '3', lastName: 'C' }),
      ]),
    )
    await imports.check(uploaded)
    const fixed = await imports.changeRow(uploaded.id, 4, { values: { email: 'same@x.example' } })
    expect(fixed).toMatchObject({ state: 'duplicate', problems: [], matches: [{ by: ['email'], row: 2 }] })
    await imports.changeRow(uploaded.id, 2, { values: { email: 'own@x.example' } })
    const { items } = await imports.rows(uploaded.id)
    expect(items.map(({ number, state, matches }) => [number, state, matches[0]?.row])).toEqual([
      [2, 'ready', undefined],
      [3, 'ready', undefined],
      [4, 'duplicate', 3],
    ])
    expect(await imports.changeRow(uploaded.id, 4, { take: true })).toMatchObject({ state: 'ready' })
    expect(await imports.changeRow(uploaded.id, 3, { skip: true })).toMatchObject({ state: 'skipped' })
    expect((await imports.read(uploaded.id)).counts).toMatchObject({
      ready: 2,
      unchanged: 0,
      problem: 0,
      duplicate: 0,
      skipped: 1,
    })
    expect(await imports.changeRow(uploaded.id, 3, { skip: false })).toMatchObject({ state: 'ready' })
  })

  test('all duplicates are skipped or imported at once', async () => {
    const rows = ['A', 'B', 'C'].map((lastName, index) =>
      buildSheetRow({ lastName, studentId: String(index) }),
    )
    const uploaded = await imports.upload(toCsv(rows))
    await imports.check(uploaded)
    const skip = { state: 'duplicate', decision: 'skip' }
    expect(await (await imports.call('PATCH', `/${uploaded.id}/rows`, skip)).json()).toMatchObject({
      counts: { ready: 1, duplicate: 0, skipped: 2 },
    })
    const take = { state: 'skipped', decision: 'take' }
    expect(await (await imports.call('PATCH', `/${uploaded.id}/rows`, take)).json()).toMatchObject({
      counts: { ready: 3, duplicate: 0, skipped: 0 },
    })
  })

  test('refuses unknown fields, rows and decisions, and imports that are not checked', async () => {
    const uploaded = await imports.upload(toCsv([buildSheetRow()]))
    expect(await imports.problem('PATCH', `/${uploaded.id}/rows/2`, { skip: true })).toMatchObject({
      status: 409,
      detail: 'Please match the columns of this file first.',
    })
    await imports.check(uploaded)
    const problem = (path: string, body: unknown) => imports.problem('PATCH', `/${uploaded.id}${path}`, body)
    expect(await problem('/rows/2', { values: { nickname: 'x' } })).toMatchObject({ status: 422 })
    expect(await problem('/rows/x', { skip: true })).toMatchObject({
      detail: 'Please name the row by its number.',
    })
    expect(await problem('/rows/9', { skip: true })).toMatchObject({ status: 404 })
    expect(await problem('/rows', { state: 'duplicate', decision: 'eat' })).toMatchObject({
      detail: 'Please decide: skip or take.',
    })
    expect(await imports.problem('GET', `/${uploaded.id}/rows?state=odd`)).toMatchObject({ status: 422 })
  })
})

test('a value that several rows have is replaced in all of them at once', async () => {
  const courses = ['BSIT', 'BSIT', 'BSIT', 'SOICT', 'BSN']
  const file = toCsv(
    courses.map((course, index) =>
      buildSheetRow({
        lastName: `Row${index}`,
        email: `row${index}@x.example`,
        studentId: `S-${index}`,
        course,
      }),
    ),
  )
  const { id } = await imports.check(await imports.upload(file))
  const problems = async () => (await imports.call('GET', `/${id}/rows?state=problem&page=1`)).json()
  expect(await problems()).toMatchObject({
    total: 4,
    refused: [{ field: 'course', value: 'BSIT', count: 3 }],
  })
  const body = { field: 'course', from: 'BSIT', to: 'SOICT' }
  expect((await imports.call('POST', `/${id}/replacements`, body)).status).toBe(200)
  expect(await imports.wait(id)).toMatchObject({ state: 'checked', counts: { ready: 4, problem: 1 } })
  expect(await problems()).toMatchObject({ total: 1, refused: [] })
})
