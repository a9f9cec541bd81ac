import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RecipientFile } from '#shared/mail/mail-response.ts'
import { toCsv, toWorkbook } from '#tests/factories/spreadsheet.ts'
import { buildWrittenWorkbook } from '#tests/factories/written-workbook.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

let server: TestServer
let cookie: string
beforeAll(async () => {
  server = await startTestServer()
  cookie = await server.signIn()
})
afterAll(() => server.close())

async function send(
  file: string | Uint8Array<ArrayBuffer> | null,
  headers: Record<string, string> = { cookie },
  name = 'recipients.csv',
  reading?: string,
) {
  const body = new FormData()
  if (file !== null) body.append('file', new Blob([file]), name)
  if (reading !== undefined) body.append('reading', reading)
  const response = await fetch(`${server.url}/api/mail/recipients/file`, { method: 'POST', headers, body })
  return { status: response.status, body: await response.json() }
}

const rows = [
  { No: '1', 'Given Name': 'Ana', 'E-mail Address': 'ana@x.example' },
  { No: '2', 'Given Name': '', 'E-mail Address': 'juan@x.example ' },
  { No: '3', 'Given Name': 'Ana again', 'E-mail Address': 'ANA@x.example' },
  { No: '4', 'Given Name': 'Pedro', 'E-mail Address': '' },
  { No: '5', 'Given Name': 'Rosa', 'E-mail Address': 'rosa@x' },
]
const expected = {
  recipients: [
    { email: 'ana@x.example', firstName: 'Ana' },
    { email: 'juan@x.example', firstName: 'Student' },
  ],
  duplicates: [
    { position: 4, text: 'ANA@x.example', message: 'This address is in the list more than once.' },
  ],
  invalid: [
    { position: 5, text: '4', message: 'Please enter a valid email address.' },
    { position: 6, text: 'rosa@x', message: 'Please enter a valid email address.' },
  ],
  positions: 'row',
  problem: '',
  readingNotes: [],
}

test('a CSV file and a workbook yield their recipients and their invalid rows', async () => {
  expect(await send(toCsv(rows))).toEqual({ status: 200, body: expected })
  expect(await send(await toWorkbook(rows))).toEqual({ status: 200, body: expected })
})

test('an address may have a name in front, and a name of its own cell goes before that one', async () => {
  const { body } = await send(
    toCsv([
      { 'First Name': '', Name: 'Cruz, Ana', Email: 'Annie <ana@x.example>' },
      { 'First Name': 'Ben', Name: '', Email: '"Diaz, B." <ben@x.example>' },
      { 'First Name': '', Name: '', Email: 'Cris <cris@x.example>' },
    ]),
  )
  expect(body.invalid).toEqual([])
  expect(body.recipients).toEqual([
    { email: 'ana@x.example', firstName: 'Ana' },
    { email: 'ben@x.example', firstName: 'Ben' },
    { email: 'cris@x.example', firstName: 'Cris' },
  ])
})

test('a column of addresses with another heading is said', async () => {
  const { body } = await send('First Name,Inbox of the guardian\nAna,eva@x.example\n')
  expect(body.recipients).toEqual([{ email: 'eva@x.example', firstName: 'Ana' }])
  expect(body.readingNotes.map(({ text }: { text: string }) => text)).toContain(
    'No column is headed Email: the addresses are those of the column “Inbox of the guardian”.',
  )
})

test('headings may follow a title, and may be missing', async () => {
  const titled = `Bagong Silang State College\n\n${toCsv(rows)}`
  expect((await send(titled)).body.recipients).toEqual(expected.recipients)
  expect((await send('Ana,ana@x.example\nJuan,juan@x.example\n')).body).toMatchObject({
    recipients: [
      { email: 'ana@x.example', firstName: 'Student' },
      { email: 'juan@x.example', firstName: 'Student' },
    ],
    invalid: [],
  })
})

test.each([
  ['Cruz, Ana', 'Ana'],
  ['DELA CRUZ, JUAN MIGUEL P.', 'JUAN MIGUEL'],
  ['Santos, Jose R., Jr.', 'Jose'],
  ['Santos Jr., Jose', 'Jose'],
  ['Peña,Niña', 'Niña'],
  ['De los Santos, Ma. Luz', 'Ma. Luz'],
  ['Reyes, Ana, Santos', 'Ana'],
  ['Juan P. Dela Cruz', 'Juan'],
  ['Cruz, Juan III', 'Juan'],
  ['Ana Cruz', 'Student'],
  ['', 'Student'],
])('of a name in one column, %s, the first name is %s', async (name, firstName) => {
  const { body } = await send(toCsv([{ 'Full Name': name, Email: 'ana@x.example' }]))
  expect(body.recipients).toEqual([{ email: 'ana@x.example', firstName }])
})

test.each([
  [
    'without addresses',
    'Name,Course\nAna,SOICT\n',
    'This file has no column with e-mail addresses. Please give the column the heading "Email" and choose the file again.',
  ],
  [
    'without rows',
    'Email,First Name\n',
    'This file has no rows below its headings. Please choose the file with the list of students.',
  ],
  ['that is missing', null, 'Please choose a file with recipients.'],
  [
    'of another kind',
    '%PDF-1.7 something',
    'This is not an Excel (.xlsx) or CSV file. Please open it in your spreadsheet program and save it as .xlsx or CSV.',
  ],
])('a file %s is refused', async (_, file, message) => {
  expect(await send(file)).toMatchObject({
    status: 422,
    body: { detail: message, errors: [{ path: 'file', message }] },
  })
})

test('a text file named .xlsx is refused unless it has addresses', async () => {
  const message =
    'This is not an Excel (.xlsx) or CSV file. Please open it in your spreadsheet program and save it as .xlsx or CSV.'
  expect(await send('Some text\nwith lines\n', { cookie }, 'Recipients.XLSX')).toMatchObject({
    status: 422,
    body: { detail: message, errors: [{ path: 'file', message }] },
  })
  expect(await send(toCsv(rows), { cookie }, 'recipients.xlsx')).toEqual({ status: 200, body: expected })
  const workbook = await toWorkbook([{ Name: 'Ana' }])
  expect((await send(workbook, { cookie }, 'recipients.xlsx')).body.detail).toMatch(
    /^This file has no column/,
  )
})

test('a file above 20 MB and a request without a session are refused', async () => {
  expect(await send('x'.repeat(20 * 1024 * 1024 + 20_000))).toMatchObject({ status: 413 })
  expect(await send(toCsv(rows), {})).toMatchObject({
    status: 401,
    body: { detail: 'Authentication required. Please login as admin.' },
  })
})

describe('how the file was read', () => {
  const sheets = [
    {
      name: 'Cadets',
      rows: [
        ['Masterlist'],
        ['Name', 'Email'],
        ['Cruz, Ana M.', 'ana@x.example'],
        ['Ben Diaz', 'ben@x.example'],
        ['Total', '2'],
      ],
      hiddenRows: [4],
    },
    {
      name: 'Officers',
      rows: [
        ['First Name', 'Email'],
        ['Cris', 'cris@x.example'],
      ],
    },
  ]

  async function press(file: Uint8Array<ArrayBuffer>, read: RecipientFile, label: string) {
    const found = read.readingNotes.flatMap(({ presses }) => presses).find((one) => one.label === label)
    return (await send(file, { cookie }, 'list.xlsx', JSON.stringify(found?.choices))).body
  }
  const recipientsOf = ({ recipients }: RecipientFile) =>
    recipients.map(({ email, firstName }) => `${firstName} ${email}`)

  test('is said as in lists, and another way is one press', async () => {
    const file = await buildWrittenWorkbook(sheets)
    const { body } = await send(file, { cookie }, 'list.xlsx')
    expect(recipientsOf(body)).toEqual(['Ana ana@x.example'])
    expect(body.invalid).toEqual([])
    expect(body.readingNotes.map(({ text }: { text: string }) => text)).toEqual([
      'Sheet Cadets, 1 row · not read: Officers (1 row).',
      'Hidden rows are left out: 4.',
      'Rows left out, because they are not students: 5 “Total”.',
      'Headings in row 2 · above, not read: row 1.',
    ])
    const hidden = await press(file, body, 'Read them too')
    expect(recipientsOf(hidden)).toEqual(['Ana ana@x.example', 'Student ben@x.example'])
    expect(hidden.readingNotes.at(-1)).toEqual({
      text: '1 name has no comma behind the last name, such as “Ben Diaz”: {firstName} is Student there.',
      presses: [],
    })
    expect(recipientsOf(await press(file, body, 'Read only Officers'))).toEqual(['Cris cris@x.example'])
    expect(recipientsOf(await press(file, body, 'Read both'))).toEqual([
      'Ana ana@x.example',
      'Cris cris@x.example',
    ])
  })

  test('is refused where it is none', async () => {
    for (const reading of ['', '{', '{"sheets":"two"}'])
      expect(await send(toCsv(rows), { cookie }, 'list.csv', reading)).toMatchObject({
        status: 422,
        body: { errors: [{ path: 'reading' }] },
      })
  })
})
