// @module-tag rest
import readWorkbook from 'read-excel-file/node'
import { v7 as createId } from 'uuid'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { workbookType } from '#server/spreadsheet/workbook.ts'
import { defaultOptions, type NewPaper } from '#shared/papers/papers.ts'
import type { NstpComponent } from '#shared/students/student-choices.ts'
import { storeBounce } from '#tests/factories/bounce.ts'
import { buildSheetRow, toCsv } from '#tests/factories/spreadsheet.ts'
import { storeBatch } from '#tests/factories/stored-batch.ts'
import { storeGraduate } from '#tests/factories/stored-graduate.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { storeSection, storeTerm } from '#tests/factories/stored-term.ts'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { baseOf, operationsOf, readDescription } from '#tests/setup/api-description.ts'
import { importsOf } from '#tests/setup/imports.ts'
import { freezePaper, makePaper, setOffice } from '#tests/setup/papers.ts'
import { createStaffClient } from '#tests/setup/people.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

type Client = Awaited<ReturnType<typeof createStaffClient>>

let server: TestServer
let office: Client
// Of one component, and of two.
let scoped: Client[]

beforeAll(async () => {
  server = await startTestServer()
  office = await createStaffClient(server, { role: 'coordinator', components: [] })
  scoped = await Promise.all(
    ([['CWTS'], ['CWTS', 'LTS']] satisfies NstpComponent[][]).map((components) =>
      createStaffClient(server, { role: 'coordinator', components }),
    ),
  )
})
afterAll(() => server.close())

const nowhere = '0198f4b2-0000-7000-8000-000000000000'

// Those whose answer may name a student. Written by hand: one whose list is empty here would show nothing.
const readsOfStudents = [
  '/audit',
  '/audit/{id}/values',
  '/certificates',
  '/imports/{id}',
  '/imports/{id}/refused.xlsx',
  '/imports/{id}/rows',
  '/mail/batches/{id}/results',
  '/mail/batches/{id}/results.xlsx',
  '/mail/bounces',
  '/mail/messages',
  '/mail/messages/{id}',
  '/papers/{id}/file.xlsx',
  '/papers/{id}/rows',
  '/requests',
  '/requests/{id}',
  '/students',
  '/students/export.xlsx',
  '/students/ids',
  '/students/{id}',
  '/students/{id}/certificates',
  '/students/{id}/mail',
  '/terms/{id}/class-lists',
  '/terms/{id}/class-lists.xlsx',
  '/terms/{id}/earlier-records',
  '/terms/{id}/enrolments',
  '/terms/{id}/marks',
  '/terms/{id}/unplaced',
]

test('no read of a coordinator of some components has a student of another', async () => {
  const left = await readLeft()
  expect(pathsNaming(left.names, await readAll(office, left))).toEqual([...readsOfStudents].sort())
  for (const client of scoped) {
    const answers = await readAll(client, left)
    expect(pathsNaming(left.names, answers)).toEqual([])
    // The answer is that for an id that doesn't exist. A term is everybody's.
    const statuses = (all: typeof answers) =>
      all.filter(({ path }) => !path.startsWith('/terms/')).map(({ path, status }) => [path, status])
    expect(statuses(answers)).toEqual(statuses(await readAll(client, { ...left, ids: [] })))
  }
}, 120_000)

// Reads that have something of a student's time in another component. Written by hand, as the list above.
const readsOfFormerComponent = [
  '/certificates',
  '/papers',
  '/papers/{id}',
  '/requests/{id}',
  '/students/{id}/certificates',
  '/students/{id}/program',
  '/terms/{id}/class-lists',
  '/terms/{id}/class-lists.xlsx',
  '/terms/{id}/enrolments',
  '/terms/{id}/sections',
]

test('of a student who came from another component, nobody of the new one reads what was made in the other', async () => {
  const left = await readLeft()
  const { db } = server.database
  const student = left.ids.find(([start]) => start === '/students/')?.[1] ?? nowhere
  const put = async (state: 'open' | 'closed', nstpComponent: NstpComponent, components: NstpComponent[]) => {
    await db.updateTable('terms').set({ state }).execute()
    await db.updateTable('students').set({ nstpComponent }).where('id', '=', student).execute()
    await db.updateTable('papers').set({ components }).execute()
  }
  onTestFinished(() => put('open', 'ROTC', ['ROTC']))
  // A paper of both components is seen by who has both.
  await put('closed', 'CWTS', ['CWTS', 'ROTC'])
  expect(pathsNaming(left.ofRotc, await readAll(office, left))).toEqual([...readsOfFormerComponent].sort())
  for (const client of scoped) {
    const answers = await readAll(client, left)
    expect(pathsNaming(left.ofRotc, answers)).toEqual([])
    expect(answers.find(({ path }) => path === '/students/{id}')?.status).toBe(200)
  }
}, 120_000)

test('no change reaches what a student of another component has: credits, papers, certificates, mail', async () => {
  const { ids, certificateId } = await readLeft()
  const idOf = (start: string) => ids.find(([own]) => own === start)?.[1] ?? nowhere
  const paper = `/papers/${idOf('/papers/')}`
  const credit = {
    kind: 'credit',
    level: 1,
    ground: 'transferee',
    school: 'City College',
    evidence: 'Transcript',
  }
  const changes: [method: string, path: string, body?: object][] = [
    ['POST', `/students/${idOf('/students/')}/credits`, credit],
    ['POST', `/certificates/${certificateId}/revoke`, { reason: 'Another name' }],
    ['POST', `/mail/batches/${idOf('/mail/batches/')}/cancel`],
    ['POST', `${paper}/unfreeze`],
    ['POST', `${paper}/copy`],
    ['DELETE', paper],
  ]
  const statusOf = async (who: Client, [method, path, body]: (typeof changes)[number]) =>
    (await who.call(method, path, body, { 'If-Match': '"2"' })).status
  for (const client of scoped) {
    for (const change of changes) expect([change, await statusOf(client, change)]).toEqual([change, 404])
  }
  // Nothing but the scope refused them.
  for (const change of changes) {
    expect([change, await statusOf(office, change)]).toEqual([change, expect.not.toBeOneOf([404, 422])])
  }
})

type Left = Awaited<ReturnType<typeof storeLeft>>

/** Every read of the API, of the first id whose start fits. */
async function readAll(who: Client, { ids, queries }: { ids: Left['ids'] | []; queries: Left['queries'] }) {
  const described = operationsOf(await readDescription(server.url)).filter(
    ({ method, path }) => method === 'get' && path !== '/events',
  )
  const answers: { path: string; status: number; text: string }[] = []
  for (const { path, operation } of described) {
    const id = ids.find(([start]) => path.startsWith(start))?.[1] ?? nowhere
    const address = server.url + baseOf(operation) + path.replaceAll(/\{\w+\}/g, id)
    const answer = await fetch(`${address}?${queries[path] ?? ''}`, { headers: { cookie: who.cookie } })
    answers.push({ path, status: answer.status, text: await textOf(answer) })
  }
  return answers
}

const pathsNaming = (names: RegExp, answers: Awaited<ReturnType<typeof readAll>>) =>
  answers
    .filter(({ text }) => names.test(text))
    .map(({ path }) => path)
    .sort()

async function textOf(answer: Response): Promise<string> {
  if (answer.headers.get('Content-Type') !== workbookType) return await answer.text()
  return JSON.stringify(await readWorkbook(Buffer.from(await answer.arrayBuffer())))
}

let left: ReturnType<typeof storeLeft> | undefined

function readLeft() {
  left ??= storeLeft()
  return left
}

/** A graduate of ROTC, with a row of each kind that names a student. */
async function storeLeft() {
  const { database } = server
  const lastName = 'Leftrotc'
  const email = 'leftrotc@student.example'
  const year = {
    academicYear: '2025-2026',
    semester: 1,
    startsOn: '2025-08-04',
    endsOn: '2025-12-20',
  } as const
  const { id: termId } = await storeTerm(database, year)
  const { id: sectionId } = await storeSection(database, {
    ...{ termId, component: 'ROTC', name: 'Leftplatoon' },
  })
  const student = await storeGraduate(database, termId, { component: 'ROTC', lastName, email })
  await database.db
    .updateTable('enrolments')
    .set({ sectionId })
    .where('studentId', '=', student.id)
    .where('level', '=', 1)
    .execute()
  // The same person two years ago, and this year in another component: an earlier record, and a duplicate.
  const earlier = await storeStudent(database, { nstpComponent: 'ROTC', lastName, academicYear: '2024-2025' })
  await storeStudent(database, {
    nstpComponent: 'CWTS',
    lastName: lastName.toUpperCase(),
    academicYear: year.academicYear,
  })
  const administrator = createAdminClient(server, await server.signIn())
  await setOffice(administrator)
  const options = { ...defaultOptions, listsRotc: true }
  const about = { academicYear: year.academicYear, components: ['ROTC'], options } satisfies Partial<NewPaper>
  const paper = await freezePaper(server, administrator, await makePaper(administrator, about))
  const certificate = {
    id: createId(),
    number: 'R-0001',
    code: 'LEFTROTCCODE',
    kind: 'completion',
    component: 'ROTC',
    academicYear: year.academicYear,
    studentId: student.id,
    content: JSON.stringify({ name: lastName }),
    issuedOn: '2026-06-01',
    issuedAt: new Date(),
    batchId: createId(),
  } as const
  await database.db.insertInto('certificates').values(certificate).execute()
  const requestId = createId()
  const asked = { id: requestId, kind: 'correction', askedAt: new Date(), studentId: student.id } as const
  await database.db
    .insertInto('studentRequests')
    .values({ ...asked, changes: { lastName: { from: lastName, to: 'Reyes' } } })
    .execute()
  const message = { studentId: student.id, recipient: email }
  const batch = await storeBatch(database, [{ ...message, state: 'failed' }, message], {
    createdById: office.id,
  })
  const [messageId = nowhere] = batch.messageIds
  await storeBounce(database, { ...message, messageId })
  const rows = [buildSheetRow({ nstpComponent: 'ROTC', lastName, email, studentId: '9' })]
  const imports = importsOf(server, office.cookie)
  const imported = await imports.upload(toCsv(rows))
  await imports.check(imported)
  await office.call('PATCH', `/students/${student.id}`, { barangay: lastName }, { 'If-Match': '"1"' })
  const { items: entries } = await (await office.call('GET', `/audit?student=${student.id}`)).json()
  const entry = entries.find(({ hasValues }: { hasValues: boolean }) => hasValues)
  const ofClass = `component=ROTC&level=1`
  const queries: Record<string, string> = {
    '/audit': `student=${student.id}`,
    '/papers/{id}/rows': 'list=graduates',
    '/terms/{id}/marks': `${ofClass}&section=${sectionId}`,
    '/terms/{id}/unplaced': 'component=ROTC&level=2',
    '/terms/{id}/earlier-records': 'component=CWTS&level=1',
    '/certificates/graduates': `academicYear=${year.academicYear}`,
    '/students': 'search=leftrotc',
  }
  // The first that fits.
  const ids = [
    ['/audit/', entry?.id],
    ['/imports/', imported.id],
    ['/mail/batches/', batch.id],
    ['/mail/messages/', messageId],
    ['/papers/', paper.id],
    ['/requests/', requestId],
    ['/students/', student.id],
    ['/terms/', termId],
  ] as const
  const names = [lastName, email, student.id, student.reference, earlier.id]
  // What names the time in ROTC, and not the student.
  const ofRotc = [certificate.number, certificate.code, paper.id, 'Leftplatoon']
  return {
    ...{ names: new RegExp(names.join('|')), ofRotc: new RegExp(ofRotc.join('|')) },
    ...{ queries, ids, certificateId: certificate.id },
  }
}
