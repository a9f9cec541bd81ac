// @module-tag rest
import { v7 as createId } from 'uuid'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { problemSentences } from '#shared/problem.ts'
import { buildSheetRow, buildSheetRows, type SheetRow, toCsv } from '#tests/factories/spreadsheet.ts'
import { storeBatch } from '#tests/factories/stored-batch.ts'
import { storeEnrolment } from '#tests/factories/stored-enrolment.ts'
import { storeGraduate } from '#tests/factories/stored-graduate.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { storeSection, storeTerm } from '#tests/factories/stored-term.ts'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { adminPassword } from '#tests/setup/administrator.ts'
import { operationsOf, readDescription, type Schema } from '#tests/setup/api-description.ts'
import { importsOf } from '#tests/setup/imports.ts'
import { freezePaper, makePaper, setOffice } from '#tests/setup/papers.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

const start = new Date('2026-11-20T08:00:00+08:00')
const minuteMs = 60_000
const clock = { now: start }

let server: TestServer
let of: Awaited<ReturnType<typeof storeAll>>

beforeAll(async () => {
  server = await startTestServer(clock)
  of = await storeAll()
})
afterAll(() => server.close())
beforeEach(() => {
  clock.now = start
})

const store = (change: Parameters<typeof storeStudent>[1] = {}) =>
  storeStudent(server.database, {
    lastName: `Of ${createId()}`,
    email: `${createId()}@student.example`,
    studentId: '',
    ...change,
  })

/** Two of what a door changes, since a second call of it would be refused. */
async function storeAll() {
  const { database } = server
  const cookie = await server.signIn()
  const office = createAdminClient(server, cookie)
  const [first, second] = [await store(), await store({ lastName: 'Twin' })]
  await store({ lastName: 'Twin' })
  await office.call('PATCH', `/students/${first.id}`, { barangay: 'San Roque' }, { 'If-Match': '"1"' })
  const values = await database.db.selectFrom('auditValues').select('eventId').executeTakeFirstOrThrow()

  const { id: termId } = await storeTerm(database)
  const { id: sectionId } = await storeSection(database, { termId })
  for (const { id } of [first, second]) {
    await storeEnrolment(database, { termId, studentId: id, sectionId })
  }
  const graduate = (lastName: string, dateOfBirth: string) =>
    storeGraduate(database, termId, {
      ...{ lastName, dateOfBirth, studentId: `26-${lastName}`, serialNumber: '' },
      email: `${createId()}@student.example`,
    })
  const graduates = [await graduate('Abad', '2007-01-11'), await graduate('Cruz', '2007-01-12')]
  await setOffice(office)
  const version = (await office.call('GET', '/settings')).headers.get('ETag') ?? ''
  const address = { publicAddress: 'https://nstp.example' }
  expect((await office.call('PATCH', '/settings', address, { 'If-Match': version })).status).toBe(200)
  const draft = await makePaper(office, { components: ['CWTS'] })
  const paper = await freezePaper(server, office, draft)
  const issued = await office.call('POST', '/certificates', {
    kind: 'completion',
    students: graduates.map(({ id }) => id),
    academicYear: '2026-2027',
    issuedOn: '2026-11-20',
    withoutSerial: true,
    signatories: [{ name: 'Maria Reyes', title: 'Director' }],
  })
  const { batchId } = await issued.json()

  const imports = importsOf(server, cookie)
  const upload = async (rows: readonly SheetRow[]) => {
    const uploaded = await imports.upload(toCsv(rows))
    await imports.check(uploaded)
    return uploaded.id
  }
  const made = async (from: number) => {
    const id = await upload(buildSheetRows(2, from))
    expect(await imports.run(id)).toMatchObject({ importedCount: 2 })
    return id
  }
  const { id: batch } = await storeBatch(database, [{ state: 'sent' }, { state: 'failed' }])
  const request = createId()
  const asked = { id: request, studentId: first.id, kind: 'copy', askedAt: new Date() } as const
  await database.db.insertInto('studentRequests').values(asked).execute()
  return {
    first: first.id,
    request,
    second: second.id,
    entry: values.eventId,
    termId,
    paper: paper.id,
    batchId,
    refused: await upload([buildSheetRow({ email: 'bad' }), buildSheetRow({ email: 'no' })]),
    undoable: [await made(1), await made(3)],
    archivable: [(await store()).id, (await store()).id],
    deletable: (await store()).id,
    batch,
  }
}

/** The only one there is; its password was given eleven minutes ago. */
async function borrow(recordsRead: number) {
  await server.database.db.deleteFrom('sessions').execute()
  clock.now = start
  const client = createAdminClient(server, await server.signIn())
  clock.now = new Date(start.getTime() + 11 * minuteMs)
  await server.database.db.updateTable('sessions').set({ recordsSince: clock.now, recordsRead }).execute()
  return {
    ...client,
    prove: async () => {
      const { status } = await client.call('POST', '/session/proof', { password: adminPassword })
      expect(status).toBe(204)
    },
    count: async () => {
      const sessions = server.database.db.selectFrom('sessions').select('recordsRead')
      return (await sessions.executeTakeFirstOrThrow()).recordsRead
    },
  }
}

const refusal = { status: 403, code: 'proof_needed', detail: problemSentences.proof_needed }

interface Request {
  path: string
  body?: object
  version?: string
}

interface Door {
  route: string
  // What a call takes of the count; a removal takes three times as much.
  takes: number
  request: (session: 0 | 1) => Request
  // Where no such record exists, it is admitted before that shows.
  status?: number
}

const nowhere = '0198f4b2-0000-7000-8000-000000000000'
const single = (route: string, path: () => string): Door => ({
  route,
  takes: 1,
  request: () => ({ path: path() }),
})

const doors: readonly Door[] = [
  single('GET /students/{id}', () => `/students/${of.first}`),
  {
    route: 'PATCH /students/{id}',
    takes: 1,
    request: () => ({ path: `/students/${of.first}`, body: {}, version: '"2"' }),
  },
  {
    route: 'PUT /students/{id}/restriction',
    takes: 1,
    request: () => ({ path: `/students/${of.first}/restriction`, body: { restriction: null } }),
  },
  {
    route: 'POST /students/{id}/archive',
    takes: 1,
    request: (session) => ({ path: `/students/${of.archivable[session]}/archive` }),
  },
  single('POST /students/{id}/unarchive', () => `/students/${of.first}/unarchive`),
  single('GET /students/{id}/program', () => `/students/${of.first}/program`),
  single('GET /students/{id}/duplicates', () => `/students/${of.second}/duplicates`),
  single('GET /students/{id}/certificates', () => `/students/${of.first}/certificates`),
  single('GET /requests/{id}', () => `/requests/${of.request}`),
  single('GET /students/{id}/mail', () => `/students/${of.first}/mail`),
  single('GET /audit', () => `/audit?student=${of.first}`),
  single('GET /audit/{id}/values', () => `/audit/${of.entry}/values`),
  {
    route: 'POST /students/sheets',
    takes: 2,
    request: () => ({ path: '/students/sheets', body: { ids: [of.first, of.second] } }),
  },
  {
    route: 'POST /students/slips',
    takes: 2,
    request: () => ({ path: '/students/slips', body: { ids: [of.first, of.second] } }),
  },
  {
    route: 'POST /students/prints',
    takes: 2,
    request: () => ({
      path: '/students/prints',
      body: { kind: 'sheet', count: 2, ids: [of.first, of.second] },
    }),
    status: 204,
  },
  {
    route: 'POST /students/prints',
    takes: 4,
    request: () => ({ path: '/students/prints', body: { kind: 'list', count: 4 } }),
    status: 204,
  },
  {
    route: 'GET /terms/{id}/class-lists',
    takes: 2,
    request: () => ({ path: `/terms/${of.termId}/class-lists` }),
  },
  {
    route: 'GET /papers/{id}/rows',
    takes: 2,
    request: () => ({ path: `/papers/${of.paper}/rows?list=graduates` }),
  },
  {
    route: 'POST /certificates/prints',
    takes: 2,
    request: () => ({ path: '/certificates/prints', body: { batchId: of.batchId, after: '' } }),
  },
  { route: 'GET /imports/{id}/rows', takes: 2, request: () => ({ path: `/imports/${of.refused}/rows` }) },
  {
    route: 'PATCH /imports/{id}/rows/{number}',
    takes: 1,
    request: () => ({ path: `/imports/${of.refused}/rows/2`, body: {} }),
  },
  {
    route: 'GET /imports/{id}/refused.xlsx',
    takes: 2,
    request: () => ({ path: `/imports/${of.refused}/refused.xlsx` }),
  },
  {
    route: 'GET /mail/batches/{id}/results.xlsx',
    takes: 2,
    request: () => ({ path: `/mail/batches/${of.batch}/results.xlsx` }),
  },
  {
    route: 'POST /students/rejections',
    takes: 3,
    request: () => ({ path: '/students/rejections', body: { ids: [nowhere] } }),
    status: 409,
  },
  {
    route: 'POST /imports/{id}/undo',
    takes: 6,
    request: (session) => ({
      path: `/imports/${of.undoable[session]}/undo`,
      body: { evenChanged: false },
    }),
  },
  {
    route: 'POST /students/merge',
    takes: 3,
    request: () => ({
      path: '/students/merge',
      body: { keepId: of.first, keepVersion: 1, dropId: nowhere, dropVersion: 1, take: {} },
    }),
    status: 404,
  },
]

const freshDoors: readonly Omit<Door, 'takes'>[] = [
  { route: 'GET /students/export.xlsx', request: () => ({ path: '/students/export.xlsx' }) },
  {
    route: 'POST /students/export.xlsx',
    request: () => ({ path: '/students/export.xlsx', body: { ids: [of.first] } }),
  },
  { route: 'GET /students/{id}/file.xlsx', request: () => ({ path: `/students/${of.first}/file.xlsx` }) },
  {
    route: 'GET /terms/{id}/class-lists.xlsx',
    request: () => ({ path: `/terms/${of.termId}/class-lists.xlsx` }),
  },
  { route: 'GET /papers/{id}/file.xlsx', request: () => ({ path: `/papers/${of.paper}/file.xlsx` }) },
  {
    route: 'DELETE /students/{id}',
    request: () => ({ path: `/students/${of.deletable}` }),
    status: 204,
  },
]

function sendBy({ call }: Pick<ReturnType<typeof createAdminClient>, 'call'>, door: Omit<Door, 'takes'>) {
  const [method = ''] = door.route.split(' ')
  return async (session: 0 | 1) => {
    const { path, body, version } = door.request(session)
    const answer = await call(method, path, body, version === undefined ? {} : { 'If-Match': version })
    const isJson = answer.headers.get('content-type')?.includes('json') ?? false
    const { code, detail } = isJson
      ? await answer.json()
      : await answer.arrayBuffer().then(() => ({}) as Answer)
    return { status: answer.status, code, detail }
  }
}

interface Answer {
  code?: string
  detail?: string
}

describe('without a password of the last ten minutes', () => {
  test.each(doors)(
    '$route takes $takes of the count, and the last one asks for the password',
    async (door) => {
      const { takes, status = 200 } = door
      const within = await borrow(300 - takes)
      expect(await sendBy(within, door)(0)).toMatchObject({ status })
      expect(await within.count()).toBe(300)

      const beyond = await borrow(301 - takes)
      const send = sendBy(beyond, door)
      expect(await send(1)).toEqual(refusal)
      // What was refused doesn't count.
      expect(await beyond.count()).toBe(301 - takes)
      await beyond.prove()
      expect(await send(1)).toMatchObject({ status })
    },
  )

  test.each(freshDoors)('$route always asks for it', async (door) => {
    const session = await borrow(0)
    const send = sendBy(session, door)
    expect(await send(0)).toEqual(refusal)
    await session.prove()
    expect(await send(0)).toMatchObject({ status: door.status ?? 200 })
  })

  test('a record counts once an hour in a session, by whichever door, and again in another session', async () => {
    const session = await borrow(0)
    const ofFirst = doors.filter(({ route }) =>
      ['GET /students/{id}', 'GET /students/{id}/program', 'GET /audit'].includes(route),
    )
    const open = async () => {
      const answers = await Promise.all(ofFirst.map((door) => sendBy(session, door)(0)))
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    }
    await open()
    expect(await session.count()).toBe(1)
    clock.now = new Date(clock.now.getTime() + 59 * minuteMs)
    await open()
    expect(await session.count()).toBe(1)
    clock.now = new Date(clock.now.getTime() + minuteMs)
    await open()
    expect(await session.count()).toBe(1)

    const other = await borrow(300)
    for (const door of ofFirst) expect(await sendBy(other, door)(0)).toEqual(refusal)
  })

  test('two at once that would each be the last are one', async () => {
    const session = await borrow(299)
    const [one, two] = [await store(), await store()]
    const answers = await Promise.all(
      [one, two].map(async ({ id }) => (await session.call('GET', `/students/${id}`)).status),
    )
    expect(answers.sort()).toEqual([200, 403])
  })
})

// They show names with a contact or a mark to whoever works with them all day, or name fields without a value; the file
// of the students' page holds the one record of whom the session is.
const lists: readonly string[] = [
  'GET /students',
  'GET /terms/{id}/enrolments',
  'GET /terms/{id}/unplaced',
  'GET /statistics/export.xlsx',
  'GET /my/file.xlsx',
  // Of a facilitator: its own tests have its count.
  'GET /roll/students/{id}',
  'POST /imports',
  'GET /imports/{id}',
  'PUT /imports/{id}/mapping',
  'PUT /imports/{id}/reading',
  'PATCH /imports/{id}/rows',
  'POST /imports/{id}/replacements',
  'POST /imports/{id}/run',
  'POST /papers/{id}/range',
]

test('every route that answers with contacts, birth dates or what is of one student is such a door', async () => {
  const description = await readDescription(server.url)
  function namesIn(schema: Schema | undefined, seen = new Set<Schema>()): string[] {
    const own = schema?.$ref ? description.components.schemas[schema.$ref.split('/').at(-1) ?? ''] : schema
    if (!own || seen.has(own)) return []
    seen.add(own)
    const { properties = {}, items, anyOf = [], oneOf = [], allOf = [] } = own
    const parts = [...Object.values(properties), items, ...anyOf, ...oneOf, ...allOf]
    return [...Object.keys(properties), ...parts.flatMap((part) => namesIn(part, seen))]
  }
  const found = operationsOf(description).flatMap(({ path, method, operation }) => {
    if (!operation.security) return []
    const contents = Object.entries(operation.responses).flatMap(([status, { content = {} }]) =>
      status.startsWith('2') ? Object.entries(content) : [],
    )
    const isWorkbook = contents.some(([type]) => type.endsWith('spreadsheetml.sheet'))
    const names = new Set(contents.flatMap(([, { schema }]) => namesIn(schema)))
    const isOfOne = method === 'get' && path.startsWith('/students/{id}')
    return isWorkbook || isOfOne || names.has('contactNumber') || names.has('dateOfBirth')
      ? [`${method.toUpperCase()} ${path}`]
      : []
  })
  const known = new Set([...doors, ...freshDoors].map(({ route }) => route))
  expect(found.length).toBeGreaterThan(25)
  expect(found.filter((route) => !known.has(route)).sort()).toEqual([...lists].sort())
})
