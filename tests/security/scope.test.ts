// @module-tag rest
import * as fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addChanges } from '#server/database/student-counts/maintenance.ts'
import type { NstpComponent } from '#shared/students/student-choices.ts'
import { nstpComponents } from '#shared/students/student-choices.ts'
import { studentFilterChoices } from '#shared/students/students.ts'
import { buildSheetRow, toCsv } from '#tests/factories/spreadsheet.ts'
import { storeAnnouncements } from '#tests/factories/stored-announcement.ts'
import { storeBatch } from '#tests/factories/stored-batch.ts'
import { storeEnrolment } from '#tests/factories/stored-enrolment.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { storeSection, storeTerm } from '#tests/factories/stored-term.ts'
import { importsOf, storeCheckOf } from '#tests/setup/imports.ts'
import { createStaffClient } from '#tests/setup/people.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

type Client = Awaited<ReturnType<typeof createStaffClient>>

interface Stored {
  id: string
  component: NstpComponent
  version: number
  lastName: string
}

let server: TestServer
let office: Client
// Of one component, and of two.
let scoped: { client: Client; components: NstpComponent[] }[]
let students: Stored[]

beforeAll(async () => {
  server = await startTestServer()
  office = await createStaffClient(server, { role: 'coordinator', components: [] })
  scoped = await Promise.all(
    ([['CWTS'], ['CWTS', 'LTS']] satisfies NstpComponent[][]).map(async (components) => ({
      client: await createStaffClient(server, { role: 'coordinator', components }),
      components,
    })),
  )
  students = []
  for (let number = 0; number < 60; number++) {
    const component = nstpComponents[number % 3] ?? 'ROTC'
    const { id } = await storeStudent(server.database, {
      nstpComponent: component,
      // Unlike any other's, so that it is found in any answer.
      lastName: `Qz${component}${number}`,
      email: `qz${component}${number}@student.example`.toLowerCase(),
      studentId: `26-${number}`,
      course: number % 2 === 0 ? 'SOICT' : `Only ${component}`,
      academicYear: number % 5 === 0 ? '2025-2026' : '2026-2027',
      registrationDate: new Date(Date.now() - number * 3_600_000),
    })
    students.push({ id, component, version: 1, lastName: `Qz${component}${number}` })
  }
  // Into the counts; those of the next are changes that wait.
  await server.database.transact(addChanges)
  // The same person by name and by address in each component.
  for (const component of nstpComponents) {
    await storeStudent(server.database, {
      nstpComponent: component,
      lastName: 'Same',
      studentId: '',
      email: 'same@student.example',
    })
  }
})
afterAll(() => server.close())

const nowhere = '0198f4b2-0000-7000-8000-000000000000'
const isOther = (components: readonly NstpComponent[]) => (student: Stored) =>
  !components.includes(student.component)

function namesOfOthers(text: string, components: readonly NstpComponent[]): string[] {
  const lower = text.toLowerCase()
  return students
    .filter(isOther(components))
    .map(({ lastName }) => lastName)
    .filter((name) => new RegExp(`${name.toLowerCase()}(?!\\d)`).test(lower))
}

test('1,000 random lists of a coordinator have exactly the own students, and their totals', async () => {
  const filters = fc.record({
    component: fc.constantFrom(...studentFilterChoices.component),
    archive: fc.constantFrom('all', 'active'),
    academicYear: fc.constantFrom('all', '2025-2026', '2026-2027'),
    course: fc.constantFrom('all', 'SOICT', 'Only ROTC', 'Only CWTS'),
    period: fc.constantFrom('all-time', 'last-7-days', 'current-year'),
    duplicates: fc.constantFrom('all', 'all', 'all', 'only'),
    search: fc.constantFrom('', '', 'qz', 'qzrotc', 'qzcwts', 'same@student.example', 'same'),
    sort: fc.constantFrom(...studentFilterChoices.sort),
    pageSize: fc.constantFrom('5', '50', '200'),
    page: fc.constantFrom('1', '1', '2'),
  })
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...scoped), filters, async ({ client, components }, query) => {
      const all = { ...query, page: '1', pageSize: '200' }
      const ask = async (who: Client, wanted: Record<string, string>) => {
        const answer = await who.call('GET', `/students?${new URLSearchParams(wanted)}`)
        expect(answer.status).toBe(200)
        return await answer.json()
      }
      const ofOffice: { items: { id: string; nstpComponent: NstpComponent }[] } = await ask(office, {
        ...all,
        // A record is a duplicate by others that are seen.
        duplicates: 'all',
      })
      const expected = ofOffice.items.filter(({ nstpComponent }) => components.includes(nstpComponent))
      const page = await ask(client, { ...query, duplicates: 'all' })
      expect(page.total).toBe(expected.length)
      const first = (Number(query.page) - 1) * Number(query.pageSize)
      const rows = expected.slice(first, first + Number(query.pageSize))
      expect(page.items.map(({ id }: { id: string }) => id)).toEqual(rows.map(({ id }) => id))
      if (query.duplicates === 'only') {
        const alike = await ask(client, all)
        expect(alike.items.every((item: { lastName: string }) => item.lastName === 'Same')).toBe(true)
        expect(alike.total).toBe(components.length === 1 ? 0 : alike.items.length)
      }
    }),
    { numRuns: 1_000 },
  )
}, 300_000)

test('statistics and the dashboard count the own students alone', async () => {
  const count = async (components: readonly string[], condition = sql`true`) => {
    const { rows } = await sql<{ count: number }>`select count(*)::int from students
      where nstp_component = any(${[...components]}::text[]) and ${condition}`.execute(server.database.db)
    return rows[0]?.count
  }
  for (const { client, components } of scoped) {
    const ofComponent = async (name: NstpComponent) => (components.includes(name) ? await count([name]) : 0)
    const statistics = await (await client.call('GET', '/statistics')).json()
    expect(statistics).toMatchObject({
      total: await count(components),
      rotc: { count: 0 },
      cwts: { count: await ofComponent('CWTS') },
      lts: { count: await ofComponent('LTS') },
    })
    expect(JSON.stringify(statistics)).not.toContain('Only ROTC')
    const asked = await (await client.call('GET', '/statistics?component=ROTC')).json()
    expect(asked.total).toBe(0)
    const dashboard = await (await client.call('GET', '/dashboard')).json()
    expect(dashboard).toMatchObject({
      totalStudents: await count(components),
      rotcStudents: 0,
      cwtsStudents: await ofComponent('CWTS'),
      ltsStudents: await ofComponent('LTS'),
    })
    expect(namesOfOthers(JSON.stringify(dashboard), components)).toEqual([])
    const choices = await (await client.call('GET', '/students/courses')).json()
    expect(choices.items).not.toContain('Only ROTC')
  }
})

test('no change reaches a student of another component: it is as one that no longer exists', async () => {
  const others = () => server.database.db.selectFrom('students').selectAll().orderBy('id').execute()
  const before = await others()
  for (const { client, components } of scoped) {
    const own = students.filter((student) => components.includes(student.component))
    const other = students.filter(isOther(components))
    const id = other[0]?.id ?? nowhere
    const ids = [own[0]?.id, id]
    const etag = { 'If-Match': '"1"' }
    const answers = [
      await client.refusal('PATCH', `/students/${id}`, { lastName: 'Changed' }, etag),
      await client.refusal('POST', `/students/${id}/archive`),
      await client.refusal('POST', `/students/${id}/unarchive`),
      await client.refusal('POST', `/students/${id}/restore`),
      await client.refusal('POST', '/students/duplicates/dismiss', { ids }),
      await client.refusal('POST', '/students/merge', {
        keepId: own[0]?.id,
        keepVersion: 1,
        dropId: id,
        dropVersion: 1,
        take: { lastName: 'drop' },
      }),
      await client.refusal('PUT', `/students/${id}/mail`, { announcements: false }),
      await client.refusal('POST', `/students/${id}/welcome-mail`),
    ]
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404))
    const compared = await client.call('GET', `/students/${own[0]?.id}/duplicates?with=${id}`)
    expect(namesOfOthers(await compared.text(), components)).toEqual([])
    const many = [
      await client.refusal('POST', '/students/archive', { ids }),
      await client.refusal('POST', '/students/unarchive', { ids }),
      await client.refusal('POST', '/students/sheets', { ids }),
      await client.refusal('POST', '/students/prints', { kind: 'list', count: 2, ids }),
      await client.refusal('POST', '/students/export.xlsx', { ids }),
      await client.refusal('POST', '/students/changes', { ids, field: 'yearLevel', value: '2nd Year' }),
    ]
    expect(many.map(({ status }) => status)).toEqual(many.map(() => 409))
    const previewed = await client.call('POST', '/students/changes/preview', {
      ids,
      field: 'yearLevel',
      value: '2nd Year',
    })
    expect((await previewed.json()).total).toBe(1)
    const moving = 'Only an office-wide account can move a student to another component.'
    const moved = { status: 403, code: 'permission_denied', detail: moving }
    expect(await client.refusal('PATCH', `/students/${own[0]?.id}`, { nstpComponent: 'ROTC' }, etag)).toEqual(
      moved,
    )
    expect(
      await client.refusal('POST', '/students/changes', {
        ids: [own[0]?.id],
        field: 'nstpComponent',
        value: 'ROTC',
      }),
    ).toEqual(moved)
  }
  expect(await others()).toEqual(before)
})

test('bulk mail reaches the own students, and an address of another one names nobody', async () => {
  for (const { client, components } of scoped) {
    const own = await server.database.db
      .selectFrom('students')
      .select('email')
      .distinct()
      .where('nstpComponent', 'in', components)
      .execute()
    const audience = await (await client.call('POST', '/mail/audience', {})).json()
    expect(audience.count).toBe(own.length)
    expect(namesOfOthers(JSON.stringify(audience), components)).toEqual([])
    const ids = students.filter(isOther(components)).map(({ id }) => id)
    expect((await (await client.call('POST', '/mail/audience', { ids })).json()).count).toBe(0)
    const looked = await client.call('POST', '/mail/recipients/record', { email: 'qzrotc0@student.example' })
    expect(await looked.json()).toEqual({ values: null })
  }
})

test('an import of a coordinator takes own students, and is seen by its owner and the office', async () => {
  const [cwts, both] = scoped
  if (!cwts || !both) throw new Error('no coordinators')
  const rows = [
    buildSheetRow({
      nstpComponent: 'ROTC',
      lastName: 'Newrotc',
      email: 'newrotc@student.example',
      studentId: '1',
    }),
    buildSheetRow({
      nstpComponent: 'CWTS',
      lastName: 'Newcwts',
      email: 'newcwts@student.example',
      studentId: '2',
    }),
  ]
  const uploaded = await fetch(`${server.url}/api/imports?fileName=list.csv`, {
    method: 'POST',
    headers: { cookie: cwts.client.cookie, 'Content-Type': 'text/csv' },
    body: toCsv(rows),
  })
  const { id, columns } = await uploaded.json()
  const mapping = {
    columns: Object.fromEntries(columns.map(({ guess }: { guess: string }, index: number) => [index, guess])),
    dateOrder: 'month-first',
    defaults: {},
    consent: true,
  }
  const mapped = await cwts.client.call('PUT', `/imports/${id}/mapping`, mapping)
  expect([mapped.status, await mapped.json()]).toEqual([200, expect.anything()])
  const state = async () => (await (await cwts.client.call('GET', `/imports/${id}`)).json()).state
  await expect.poll(state).toBe('checked')
  const page = await (await cwts.client.call('GET', `/imports/${id}/rows`)).json()
  expect(page.items.map(({ problems }: { problems: { message: string }[] }) => problems[0]?.message)).toEqual(
    ['Your account can only import CWTS students.', undefined],
  )
  const listed = async (client: Client) =>
    (await (await client.call('GET', '/imports')).json()).items.map((item: { id: string }) => item.id)
  expect([await listed(cwts.client), await listed(office), await listed(both.client)]).toEqual([
    [id],
    [id],
    [],
  ])
  for (const path of [`/imports/${id}`, `/imports/${id}/rows`, `/imports/${id}/refused.xlsx`]) {
    expect([path, (await both.client.call('GET', path)).status]).toEqual([path, 404])
  }
  for (const [method, path, body] of [
    ['PUT', 'mapping', mapping],
    ['POST', 'run', undefined],
    ['PATCH', 'rows/1', { skip: true }],
    ['PATCH', 'rows', { state: 'ready', decision: 'skip' }],
    ['POST', 'replacements', { field: 'course', from: 'a', to: 'b' }],
    ['POST', 'undo', {}],
    ['DELETE', '', undefined],
  ] as const) {
    const { status } = await both.client.call(method, `/imports/${id}${path && `/${path}`}`, body)
    expect([path, status]).toEqual([path, 404])
  }
})

test('an import of an account that may no longer import stops', async () => {
  const client = await createStaffClient(server, { role: 'coordinator', components: ['LTS'] })
  const { id } = await importsOf(server, client.cookie).upload(toCsv([buildSheetRow()]))
  await storeCheckOf(server.database.db, id, client)
  await server.database.db
    .updateTable('admins')
    .set({ role: 'registrar', components: [] })
    .where('id', '=', client.id)
    .execute()
  const read = async () => (await (await office.call('GET', `/imports/${id}`)).json()).failure
  await expect
    .poll(read)
    .toBe('The check could not be finished. The account that started this may no longer import.')
})

test('the history of a student is for those who see the student', async () => {
  for (const { client, components } of scoped) {
    const other = students.find(isOther(components))
    const own = students.find((student) => components.includes(student.component))
    const edit = { middleName: `Of ${components.join('')}` }
    for (const student of [other, own]) {
      const { version } = await (await office.call('GET', `/students/${student?.id}`)).json()
      const edited = await office.call('PATCH', `/students/${student?.id}`, edit, {
        'If-Match': `"${version}"`,
      })
      expect(edited.status).toBe(200)
    }
    const entries = async (
      who: Client,
      id: string | undefined,
    ): Promise<{ id: string; hasValues: boolean }[]> =>
      (await (await who.call('GET', `/audit?student=${id}`)).json()).items
    expect(await entries(client, other?.id)).toEqual([])
    expect((await entries(client, own?.id)).length).toBeGreaterThan(0)
    for (const [student, status] of [
      [other, 404],
      [own, 200],
    ] as const) {
      const changed = (await entries(office, student?.id)).find(({ hasValues }) => hasValues)
      expect((await client.call('GET', `/audit/${changed?.id}/values`)).status).toBe(status)
    }
  }
})

test('the history of a student names no student of another component', async () => {
  const { database } = server
  const kept = await storeStudent(database, { nstpComponent: 'ROTC', lastName: 'Keptrotc' })
  const dropped = await storeStudent(database, { nstpComponent: 'CWTS', lastName: 'Droppedcwts' })
  const merge = { keepId: kept.id, keepVersion: 1, dropId: dropped.id, dropVersion: 1, take: {} }
  expect((await office.call('POST', '/students/merge', merge)).status).toBe(200)
  expect((await office.call('POST', `/students/${dropped.id}/restore`)).status).toBe(204)
  const ids = [kept.id, dropped.id]
  expect((await office.call('POST', '/students/duplicates/dismiss', { ids })).status).toBe(204)
  const read = async (client: Client) => {
    const { items } = await (await client.call('GET', `/audit?student=${dropped.id}`)).json()
    const text = JSON.stringify(items)
    const named = [kept.id, kept.lastName, kept.reference].map((of) => text.includes(of))
    const search = `/audit?student=${dropped.id}&search=${kept.reference}`
    const { items: found } = await (await client.call('GET', search)).json()
    return { actions: items.map(({ action }: { action: string }) => action), named, found: found.length }
  }
  const actions = ['duplicate-dismissed', 'merge-undone', 'students-merged']
  const readByOffice = await read(office)
  expect(readByOffice).toMatchObject({ actions, named: [true, true, true] })
  expect(readByOffice.found).toBeGreaterThan(0)
  for (const { client } of scoped) {
    expect(await read(client)).toEqual({ actions, named: [false, false, false], found: 0 })
  }
})

test('mail is counted where the account sees it', async () => {
  const { database } = server
  for (const { client, components } of scoped) {
    const failed = { state: 'failed', endedAt: new Date() } as const
    const waiting = { state: 'queued' } as const
    const other = students.find(isOther(components))?.id ?? nowhere
    const own = students.find((student) => components.includes(student.component))?.id ?? nowhere
    const announced = await storeAnnouncements(database, [{}, {}])
    const [announcementId = nowhere, ownId = nowhere] = announced
    const ofOffice = await storeBatch(
      database,
      [
        { ...failed, studentId: other },
        { ...waiting, studentId: other },
        { ...failed, studentId: own },
      ],
      { kind: 'announcement', announcementId, createdById: office.id },
    )
    const ofClient = await storeBatch(database, [{}], {
      kind: 'announcement',
      announcementId: ownId,
      createdById: client.id,
    })
    const read = async (who: Client) => {
      const { counts } = await (await who.call('GET', '/mail/queue')).json()
      const { items } = await (await who.call('GET', `/mail/announcements?ids=${announced}`)).json()
      const batchIds = items.map(({ batchId }: { batchId: string }) => batchId)
      return { counts, batchIds: batchIds.sort() }
    }
    expect(await read(client)).toMatchObject({
      counts: { queued: 0, failed: 1 },
      batchIds: [ofClient.id],
    })
    expect(await read(office)).toMatchObject({
      counts: { queued: 1, failed: 2 },
      batchIds: [ofOffice.id, ofClient.id].sort(),
    })
    await database.db.deleteFrom('mailBatches').execute()
  }
})

test('a term has the sections, figures and lists of the own components, and is changed in them alone', async () => {
  const { id: termId } = await storeTerm(server.database)
  const sections = new Map<NstpComponent, string>()
  for (const component of nstpComponents) {
    sections.set(component, (await storeSection(server.database, { termId, component })).id)
  }
  const enrolled = new Map<NstpComponent, { id: string; studentId: string }>()
  for (const { id: studentId, component } of students.slice(0, 30)) {
    const sectionId = sections.get(component) ?? null
    const { id } = await storeEnrolment(server.database, { termId, studentId, component, sectionId })
    enrolled.set(component, { id, studentId })
  }
  const edit = { unit: '', name: 'Changed', capacity: 40, takes: 'all', courses: [], adviser: '', meets: '' }
  const placement = { level: 1, order: 'name', fill: 'evenly' }
  const choices = {
    passed: 'next',
    'no mark': 'next',
    incomplete: 'next',
    failed: 'again',
    dropped: 'again',
    done: 'leave',
  }
  for (const { client, components } of scoped) {
    const componentsOf = async (path: string) => {
      const { items } = await (await client.call('GET', `/terms/${termId}/${path}`)).json()
      return [...new Set(items.map((item: { component: string }) => item.component))].sort()
    }
    expect(await componentsOf('sections')).toEqual([...components].sort())
    expect(await componentsOf('summary')).toEqual([...components].sort())
    const lists = await (await client.call('GET', `/terms/${termId}/class-lists`)).text()
    expect(namesOfOthers(lists, components)).toEqual([])
    expect(lists).toContain('QzCWTS1')
    expect(await componentsOf('enrolments?pageSize=200')).toEqual([...components].sort())
    const found = await (await client.call('GET', `/terms/${termId}/enrolments?search=qzrotc`)).json()
    expect(found.total).toBe(0)
    for (const component of nstpComponents.filter((name) => !components.includes(name))) {
      const other = `/sections/${sections.get(component)}`
      const answers = [
        await client.refusal('PATCH', other, edit, { 'If-Match': '"1"' }),
        await client.refusal('DELETE', other),
        await client.refusal('POST', `/terms/${termId}/sections`, { component, level: 1, sections: [edit] }),
        await client.refusal('POST', `/terms/${termId}/placements/preview`, { ...placement, component }),
        await client.refusal('POST', `/terms/${termId}/placements`, { ...placement, component, basis: '' }),
        await client.refusal('GET', `/terms/${termId}/earlier-records?component=${component}&level=1`),
      ]
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 403, 403, 403, 403])
      const { id = nowhere, studentId = nowhere } = enrolled.get(component) ?? {}
      const section = sections.get(component) ?? nowhere
      const marks = `/terms/${termId}/marks`
      const asked = `component=${component}&level=1&section=${section}`
      expect((await (await client.call('GET', `${marks}?${asked}`)).json()).items).toEqual([])
      const mark = { items: [{ id, version: 1, mark: '1.00' }] }
      expect((await client.refusal('PUT', marks, mark)).status).toBe(404)
      const score = { items: [{ id, part: 'final', seen: null, score: 90 }] }
      expect((await client.refusal('PUT', `/terms/${termId}/scores`, score)).status).toBe(404)
      const noParts = { component, scheme: null }
      expect((await client.refusal('PUT', `/terms/${termId}/mark-scheme`, noParts)).status).toBe(403)
      for (const path of ['continuations/preview', 'continuations']) {
        const body = { component, choices, ...(path === 'continuations' && { basis: '' }) }
        expect((await client.refusal('POST', `/terms/${termId}/${path}`, body)).status).toBe(403)
      }
      const on = '2026-09-01'
      const to = { component: 'CWTS', level: 1, on }
      const unplaced = `/terms/${termId}/unplaced?component=${component}&level=1`
      expect((await (await client.call('GET', unplaced)).json()).total).toBe(0)
      const changes = [
        await client.refusal('POST', '/enrolments/section', { ids: [id] }),
        await client.refusal('POST', '/enrolments/drop', { ids: [id], on }),
        await client.refusal('POST', `/enrolments/${id}/move`, to, { 'If-Match': '"1"' }),
        await client.refusal('POST', `/terms/${termId}/enrolments`, {
          studentIds: [studentId],
          level: 2,
          entry: 'new',
          on,
        }),
      ]
      expect(changes.map(({ status }) => status)).toEqual([404, 404, 404, 409])
    }
  }
})

test('what somebody else made is ended by who is office-wide', async () => {
  const [cwts] = scoped
  const form = new FormData()
  for (const [name, value] of Object.entries({ title: 'News', content: 'Text', category: 'General' }))
    form.set(name, value)
  const added = await fetch(`${server.url}/api/announcements`, {
    method: 'POST',
    headers: { cookie: office.cookie },
    body: form,
  })
  const { id } = await added.json()
  const detail = 'Only an office-wide account can end or undo what somebody else made.'
  expect(await cwts?.client.refusal('DELETE', `/announcements/${id}`)).toEqual({
    status: 403,
    code: 'permission_denied',
    detail,
  })
  expect((await office.call('DELETE', `/announcements/${id}`)).status).toBe(204)
  expect(await cwts?.client.refusal('POST', `/announcements/${id}/restore`)).toMatchObject({
    status: 403,
    detail,
  })
})

test('what would be mailed to other students is written by who may mail them', async () => {
  const { client } = await officeWide()
  await limit(client, ['CWTS'])
  const drafts = [
    { mailTo: '', publishedAt: null },
    { mailTo: 'ROTC', publishedAt: null },
    { mailTo: '', publishedAt: new Date('2199-01-01') },
    { mailTo: 'ROTC', publishedAt: new Date('2199-01-01') },
  ] as const
  const text = { title: 'Changed', content: 'Changed' }
  const etag = { 'If-Match': '"1"' }
  for (const id of await storeAnnouncements(server.database, drafts)) {
    expect(
      await client.refusal('PATCH', `/announcements/${id}`, { ...text, draft: false }, etag),
    ).toMatchObject({ status: 403, detail: 'Your account can only e-mail students of its own components.' })
    // To nobody.
    expect((await client.call('PATCH', `/announcements/${id}`, { ...text, mailTo: null }, etag)).status).toBe(
      200,
    )
  }
  const mailed = { mailTo: 'ROTC', mailedAt: new Date() } as const
  for (const id of await storeAnnouncements(server.database, [{ mailTo: 'CWTS' }, mailed])) {
    expect((await client.call('PATCH', `/announcements/${id}`, text, etag)).status).toBe(200)
  }
})

test('an account that was limited since the check imports own students alone', async () => {
  const { client, imports } = await officeWide()
  const added = await imports.upload(toCsv([sheetRow('ROTC', 'Laterrotc'), sheetRow('CWTS', 'Latercwts')]))
  await imports.check(added)
  const { id, reference } = await storeStudent(server.database, { nstpComponent: 'CWTS' })
  const moving = await checkMove(imports, reference, 'ROTC')
  await limit(client, ['CWTS'])

  expect(await imports.run(added.id)).toMatchObject({ importedCount: 1, counts: { ready: 1, problem: 1 } })
  const message = 'Your account can only import CWTS students.'
  expect((await imports.rows(added.id, '?state=problem')).items).toMatchObject([
    { values: { lastName: 'Laterrotc' }, problems: [{ path: 'nstpComponent', message }] },
  ])
  expect((await importedBy(added.id)).map(({ lastName }) => lastName)).toEqual(['Latercwts'])
  expect(await imports.run(moving)).toMatchObject({ state: 'checked', importedCount: 0 })
  expect(await componentOf(id)).toBe('CWTS')
})

test('an import is undone whole, or by who is office-wide', async () => {
  const { client, imports } = await officeWide()
  const { id, reference } = await storeStudent(server.database, { nstpComponent: 'ROTC' })
  const moved = await checkMove(imports, reference, 'CWTS')
  await imports.run(moved)
  await limit(client, ['CWTS'])
  const added = await imports.upload(toCsv([sheetRow('CWTS', 'Undoneone'), sheetRow('CWTS', 'Undonetwo')]))
  await imports.check(added)
  await imports.run(added.id)
  const [first] = await importedBy(added.id)
  await office.call('PATCH', `/students/${first?.id}`, { nstpComponent: 'ROTC' }, { 'If-Match': '"1"' })

  const detail =
    'Only an office-wide account can undo this import, because some of its students are of other components.'
  for (const one of [moved, added.id]) {
    expect(await imports.problem('POST', `/${one}/undo`, { evenChanged: true })).toMatchObject({
      status: 409,
      detail,
    })
  }
  expect(await importedBy(added.id)).toHaveLength(2)
  expect(await componentOf(id)).toBe('CWTS')
  const ofOffice = importsOf(server, office.cookie)
  for (const one of [moved, added.id]) {
    expect(await ofOffice.undo(one, true)).toMatchObject({ state: 'undone' })
  }
  expect(await importedBy(added.id)).toEqual([])
  expect(await componentOf(id)).toBe('ROTC')
})

test('an account that was limited since a change puts no student back into another component', async () => {
  const { client } = await officeWide()
  const [changed, kept, dropped] = await Promise.all(
    (['ROTC', 'ROTC', 'CWTS'] as const).map((nstpComponent) =>
      storeStudent(server.database, { nstpComponent }),
    ),
  )
  const change = { ids: [changed?.id], field: 'nstpComponent', value: 'CWTS' }
  const { id } = await (await client.call('POST', '/students/changes', change)).json()
  const merge = { keepId: kept?.id, keepVersion: 1, dropId: dropped?.id, dropVersion: 1 }
  const merged = await client.call('POST', '/students/merge', { ...merge, take: { nstpComponent: 'drop' } })
  expect(merged.status).toBe(200)
  await limit(client, ['CWTS'])
  for (const path of [`/students/changes/${id}/undo`, `/students/${dropped?.id}/restore`]) {
    expect([path, await client.refusal('POST', path)]).toMatchObject([
      path,
      { status: 403, detail: 'Only an office-wide account can move a student to another component.' },
    ])
  }
  expect([await componentOf(changed?.id), await componentOf(kept?.id)]).toEqual(['CWTS', 'CWTS'])
})

async function officeWide() {
  const client = await createStaffClient(server, { role: 'coordinator', components: [] })
  return { client, imports: importsOf(server, client.cookie) }
}

/** As an administrator does. */
const limit = ({ id }: Client, components: NstpComponent[]) =>
  server.database.db.updateTable('admins').set({ components }).where('id', '=', id).execute()

const sheetRow = (nstpComponent: NstpComponent, lastName: string) =>
  buildSheetRow({ nstpComponent, lastName, email: `${lastName}@student.example`, studentId: lastName })

/** An update by one row. @returns the import's id */
async function checkMove(imports: ReturnType<typeof importsOf>, reference: string, to: NstpComponent) {
  const file = await imports.upload(toCsv([{ Reference: reference, 'NSTP Component': to }]))
  const { id, counts } = await imports.check(file, { updateBy: 'reference' })
  expect(counts).toMatchObject({ ready: 1 })
  return id
}

const importedBy = (importId: string) =>
  server.database.db
    .selectFrom('students')
    .select(['id', 'lastName'])
    .where('importId', '=', importId)
    .execute()

async function componentOf(id = nowhere) {
  return (await (await office.call('GET', `/students/${id}`)).json()).nstpComponent
}
