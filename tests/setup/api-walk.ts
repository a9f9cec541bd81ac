import { TOTP } from 'otpauth'
import { v7 as createId } from 'uuid'
import { createUnsubscribeTokens } from '#server/features/mail/rendering/renderer.ts'
import { mayDo, type Permission, type Role } from '#shared/people/permissions.ts'
import { storeBounce } from '#tests/factories/bounce.ts'
import { buildImage } from '#tests/factories/images.ts'
import { buildRegistration } from '#tests/factories/registration.ts'
import { buildSheetRow, type SheetRow, toCsv, toWorkbook } from '#tests/factories/spreadsheet.ts'
import { storeAnnouncements } from '#tests/factories/stored-announcement.ts'
import { storeBatch } from '#tests/factories/stored-batch.ts'
import { storeGraduate } from '#tests/factories/stored-graduate.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { createAdminClient } from './admin-client.ts'
import { adminPassword } from './administrator.ts'
import { baseOf, operationsOf, readDescription } from './api-description.ts'
import type { MailSink } from './mail-sink.ts'
import { basisOf } from './papers.ts'
import { signInAs } from './people.ts'
import { type TestServer, testSecretKey } from './test-server.ts'

interface Call {
  /** In the place of {id}, {code} or {name}; a number comes behind it. */
  id?: string | undefined
  query?: Record<string, string>
  body?: object
  /** A file. */
  bytes?: Blob | string
  /** A form with files. */
  form?: Record<string, string | Blob>
  version?: number | undefined
}

/** What the walk reads of the answers. */
interface Answer {
  id: string
  version: number
  basis: string
  batchId: string
  code: string
  count: number
  state: string
  password: string
  secret: string
  progress: object | null
  recoveryCodes: string[]
  items: Answer[]
  columns: { guess: string | null }[]
  person: Answer
  devices: Answer[]
  certificates: Answer[]
  hasValues: boolean
}

type Act = (route: string, call?: Call) => Promise<Answer>

interface Walk {
  act: Act
  /** With another session; with none, of a visitor. */
  actAs: (cookie: string) => Act
  /** Alone: what the account may not read is refused. */
  read: (route: string, call: Call) => Promise<void>
  role: Role
  server: TestServer
  sink: MailSink
  office: ReturnType<typeof createAdminClient>
  /** Terms and papers of one year: each walk has its own. */
  academicYear: string
  // Part of the names and addresses that must differ.
  mark: string
}

const day = '2026-11-20'
const component = 'CWTS'

/** Calls every operation; what an account may not do, the office does. */
export async function createApiWalk(server: TestServer, sink: MailSink) {
  const office = await signInAs(server, { role: 'administrator', components: [] })
  const operations = operationsOf(await readDescription(server.url))
  const bases = new Map(
    operations.map(({ path, method, operation }) => [`${method.toUpperCase()} ${path}`, baseOf(operation)]),
  )
  const done = new Set<string>()
  const client = createAdminClient(server, office.cookie)

  function send(cookie: string, route: string, call: Call) {
    const [method = '', template = ''] = route.split(' ')
    const base = bases.get(route)
    if (base === undefined) throw new Error(`there is no operation ${route}`)
    const path = template.replace(/\{\w+\}/, call.id ?? '').replace('{number}', '2')
    const { type, body } = contentOf(call)
    return fetch(`${server.url}${base}${path}?${new URLSearchParams(call.query)}`, {
      method,
      headers: {
        ...(cookie && { cookie }),
        ...(type && { 'content-type': type }),
        ...(call.version && { 'if-match': `"${call.version}"` }),
      },
      body,
    })
  }

  async function firstThatMay(cookies: readonly string[], route: string, call: Call): Promise<Response> {
    const [cookie = '', ...others] = cookies
    const answer = await send(cookie, route, call)
    if (answer.status !== 403 || others.length === 0) return answer
    await answer.body?.cancel()
    return await firstThatMay(others, route, call)
  }

  /** @param cookies the first that has the right to it succeeds, the others are refused */
  function actsOf(role: Role, cookies: readonly string[]): Act {
    return async (route, call = {}) => {
      const answer = await firstThatMay(cookies, route, call)
      const text = await answer.text()
      if (!answer.ok) throw new Error(`${role}: ${route} ${call.id ?? ''}: ${answer.status} ${text}`)
      done.add(route)
      const isJson = answer.headers.get('content-type')?.startsWith('application/json')
      return JSON.parse(isJson ? text : '{}')
    }
  }

  return {
    office: client,
    routes: [...bases.keys()],
    done,
    async walkAs(role: Role, academicYear: string) {
      const { cookie } = await signInAs(server, { role, components: [] })
      const walk: Walk = {
        ...{ role, server, sink, academicYear, office: client, mark: role.slice(0, 4) },
        act: actsOf(role, [cookie, office.cookie]),
        actAs: (as) => actsOf(role, [as]),
        read: async (route, call) => {
          const answer = await send(cookie, route, call)
          await answer.arrayBuffer()
          if (answer.ok) done.add(route)
          else if (answer.status !== 403) throw new Error(`${role}: ${route}: ${answer.status}`)
        },
      }
      const reads: Reads = { id: {}, query: { '/places': { search: 'Pulilan' } } }
      const account = { role, components: [] }
      for (const [permission, use] of parts) if (mayDo(account, permission)) await use(walk, reads)
      await readAll(walk, reads, bases.keys())
    },
  }
}

/** Who has no right to any of a part leaves it out; of some parts everybody has. */
const parts: readonly (readonly [Permission, (walk: Walk, reads: Reads) => Promise<void>])[] = [
  ['signed-in', walkAccount],
  ['people', walkPeople],
  ['mail', walkMail],
  ['signed-in', walkRecords],
  ['imports', walkImports],
  ['signed-in', walkTerms],
  ['papers', walkGraduates],
  ['content', walkContent],
  ['signed-in', walkOffice],
]

function contentOf({ body, bytes, form }: Call) {
  if (body) return { type: 'application/json', body: JSON.stringify(body) }
  if (bytes !== undefined) return { type: 'application/octet-stream', body: bytes }
  const data = new FormData()
  for (const [name, value] of Object.entries(form ?? {})) data.append(name, value)
  // Its own type names the border between its parts.
  return { type: '', body: form ? data : null }
}

/** By the beginning of a path: an id that there is, and what a list needs. */
interface Reads {
  id: Record<string, string>
  query: Record<string, Record<string, string>>
}

function cookieOf(answer: Response): string {
  const cookies = answer.headers.getSetCookie()
  if (!answer.ok) throw new Error(`not signed in: ${answer.status}`)
  return cookies.map((one) => one.slice(0, one.indexOf(';'))).join('; ')
}

async function walkAccount({ act, actAs, server, role }: Walk) {
  const { id, email } = await signInAs(server, { role, components: [] })
  const visitor = createAdminClient(server, '')
  const signIn = async (more: object = {}) =>
    actAs(cookieOf(await visitor.call('POST', '/session', { email, password, ...more })))
  const password = adminPassword
  await visitor.call('POST', '/session', { email, password: 'wrong, and recorded' })
  await actAs('')('POST /session', { body: { email, password } })
  const own = await signIn()
  await own('POST /session/proof', { body: { password } })
  const turnOn = async () => {
    const { secret } = await own('POST /session/two-factor/set-up', { body: { password } })
    return await own('POST /session/two-factor', { body: { code: new TOTP({ secret }).generate() } })
  }
  const [first, second] = (await turnOn()).recoveryCodes
  await signIn({ code: first })
  const renewed = await own('POST /session/two-factor/recovery-codes', { body: { password, code: second } })
  await own('POST /session/two-factor/off', { body: { password, code: renewed.recoveryCodes[0] } })
  await turnOn()
  // The office's, since nobody resets their own.
  await act('POST /people/{id}/second-factor-reset', { id })

  const { items } = await (await signIn())('GET /session/devices')
  const later = await signIn()
  await later('DELETE /session/devices/{id}', { id: items[0]?.id })
  await later('DELETE /session/devices')
  const newPassword = `${password}, changed`
  await later('PUT /session/password', { body: { currentPassword: password, newPassword } })
  const { token } = await server.administrators.allowDevice({ email })
  await actAs('')('POST /session/device', { body: { link: token } })
  await (await signIn({ password: newPassword }))('DELETE /session')
}

async function walkPeople({ act, mark }: Walk) {
  const person = { displayName: 'Ana Reyes', role: 'coordinator', components: [component], expiresOn: null }
  const { person: added } = await act('POST /people', {
    body: { ...person, email: `${mark}@people.example` },
  })
  const { id } = added
  await act('POST /people/{id}/password', { id })
  await act('POST /people/{id}/sign-out', { id })
  for (const change of [
    { displayName: 'Ana Cruz', isDisabled: false },
    { displayName: 'Ana Cruz', isDisabled: true },
  ]) {
    const version = (await act('GET /people')).items.find((one) => one.id === id)?.version
    await act('PATCH /people/{id}', { id, version, body: { ...person, ...change } })
  }
  const token = await act('POST /tokens', { body: { name: `Token of ${mark}` } })
  await act('DELETE /tokens/{id}', { id: token.id })
}

async function walkRecords({ act, actAs, server: { database }, academicYear, mark }: Walk, reads: Reads) {
  const store = async (change: Parameters<typeof storeStudent>[1] = {}) =>
    (
      await storeStudent(database, {
        academicYear,
        nstpComponent: component,
        email: `${createId()}@student.example`,
        ...change,
      })
    ).id
  const versionOf = async (id: string) =>
    (
      await database.db
        .selectFrom('students')
        .select('version')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    ).version
  const [id, second] = [await store(), await store()]
  const ids = [id, second]
  reads.id['/students/'] = id
  const enlisted = buildRegistration({ email: `${mark}@enlisted.example` })
  await actAs('')('POST /registrations', { body: enlisted })

  await act('GET /students/{id}', { id })
  await act('PATCH /students/{id}', { id, version: 1, body: { barangay: 'San Roque' } })
  await act('PUT /students/{id}/mail', { id, body: { announcements: false } })
  await act('POST /students/{id}/welcome-mail', { id })
  await act('POST /students/{id}/archive', { id })
  await act('POST /students/{id}/unarchive', { id })
  await act('POST /students/archive', { body: { ids } })
  await act('POST /students/unarchive', { body: { ids } })
  const change = { ids, field: 'yearLevel', value: '2nd Year' }
  await act('POST /students/changes/preview', { body: change })
  const changed = await act('POST /students/changes', { body: change })
  await act('POST /students/changes/{id}/undo', { id: changed.id })
  await act('PUT /students/seen')
  // Both outside a transaction, with more than one student.
  await act('POST /students/sheets', { body: { ids } })
  await act('POST /students/prints', { body: { kind: 'sheet', count: 2, ids } })
  await act('POST /students/prints', { body: { kind: 'list', count: 1, ids: [id] } })
  await act('POST /students/export.xlsx', { body: { ids } })
  await act('POST /students/export.xlsx', { body: { ids: [id] } })

  const [keepId, dropId] = [
    await store({ lastName: `Twin${mark}` }),
    await store({ lastName: `Twin${mark}` }),
  ]
  await act('POST /students/duplicates/dismiss', { body: { ids: [keepId, dropId] } })
  const versions = { keepVersion: await versionOf(keepId), dropVersion: await versionOf(dropId) }
  await act('POST /students/merge', { body: { keepId, dropId, ...versions, take: {} } })
  await act('POST /students/{id}/restore', { id: dropId })

  const fake = { ids: [await store(), await store()] }
  await act('POST /students/rejections/preview', { body: fake })
  const rejected = await act('POST /students/rejections', { body: fake })
  await act('POST /students/rejections/{id}/undo', { id: rejected.id })

  await act('PUT /students/{id}/restriction', { id: second, body: { restriction: 'blocked' } })
  await act('DELETE /students/{id}', { id: second })
  await store({ archived: true, archivedDate: new Date('2011-01-01') })
  await act('POST /retention/deletions', { body: { count: (await act('GET /retention')).count } })
}

/** @returns the import once its work has ended */
async function workOf(act: Act, id: string): Promise<Answer> {
  for (const end = Date.now() + 30_000; Date.now() < end; ) {
    const found = await act('GET /imports/{id}', { id })
    if (!found.progress) return found
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error('the work on an import did not end')
}

async function walkImport(
  act: Act,
  rows: readonly SheetRow[],
  query: Record<string, string>,
  mapping: object,
) {
  const bytes = toCsv(rows)
  const { id, columns } = await act('POST /imports', { query: { fileName: 'list.csv', ...query }, bytes })
  const named = Object.fromEntries(columns.map(({ guess }, index) => [index, guess]))
  await act('PUT /imports/{id}/mapping', { id, body: { columns: named, ...mapping } })
  await workOf(act, id)
  return {
    id,
    async run() {
      await workOf(act, id)
      await act('POST /imports/{id}/run', { id, body: { reason: 'As the office asked.' } })
      const { state } = await workOf(act, id)
      if (state !== 'imported') throw new Error(`the import of ${JSON.stringify(query)} is ${state}`)
    },
    undo: () => act('POST /imports/{id}/undo', { id, body: { evenChanged: true } }),
  }
}

async function walkImports({ act, academicYear, mark }: Walk, reads: Reads) {
  const row = (change: object) =>
    buildSheetRow({
      academicYear,
      lastName: `Listed${mark}`,
      email: `${createId()}@student.example`,
      ...change,
    })
  const rows = [
    row({ studentId: `${mark}-1` }),
    row({ studentId: `${mark}-2`, firstName: 'Maria' }),
    row({ lastName: '' }),
  ]
  const first = await walkImport(act, rows, {}, { consent: true })
  reads.id['/imports/'] = first.id
  await act('PATCH /imports/{id}/rows', { id: first.id, body: { state: 'ready', decision: 'skip' } })
  await act('PATCH /imports/{id}/rows', { id: first.id, body: { state: 'skipped', decision: 'take' } })
  await act('PATCH /imports/{id}/rows/{number}', {
    id: first.id,
    body: { values: { barangay: 'San Roque' } },
  })
  await act('POST /imports/{id}/replacements', {
    id: first.id,
    body: { field: 'barangay', from: 'San Roque', to: 'Sabang' },
  })
  await first.run()
  const updates = rows
    .slice(0, 2)
    .map((one) => ({ 'Student ID': one['Student ID'] ?? '', Barangay: `Of ${mark}` }))
  const update = await walkImport(act, updates, {}, { updateBy: 'studentId' })
  await update.run()
  await update.undo()
  await first.undo()
  const other = await walkImport(act, rows, {}, { consent: true })
  await act('DELETE /imports/{id}', { id: other.id })
}

const plain = { unit: '', capacity: 40, takes: 'all', courses: [], adviser: '', meets: '' }

async function walkTerms({ act, server: { database }, academicYear, mark }: Walk, reads: Reads) {
  const start = academicYear.slice(0, 4)
  const term = (semester: number, state: string) =>
    act('POST /terms', {
      body: {
        academicYear,
        semester,
        startsOn: `${start}-0${semester * 2}-03`,
        endsOn: `${start}-0${semester * 2 + 1}-19`,
        state,
        copyFrom: null,
      },
    })
  const { id } = await term(1, 'open')
  const next = await term(2, 'planned')
  const third = await term(3, 'planned')
  await act('DELETE /terms/{id}', { id: third.id, version: third.version })
  reads.id['/terms/'] = id
  const store = (index: number) =>
    storeStudent(database, {
      academicYear,
      nstpComponent: component,
      lastName: `Placed${mark}${'abcd'[index]}`,
      dateOfBirth: `2007-02-1${index}`,
      studentId: `${mark}-T${index}`,
      email: `${createId()}@student.example`,
    })
  const students: string[] = []
  for (let index = 0; index < 4; index++) students.push((await store(index)).id)
  const ofClass = { component, level: 1 }
  const { items: sections } = await act('POST /terms/{id}/sections', {
    id,
    body: {
      ...ofClass,
      sections: [
        { ...plain, name: 'A' },
        { ...plain, name: 'B' },
      ],
    },
  })
  const [a, b] = sections
  await act('PATCH /sections/{id}', { id: a?.id, version: a?.version, body: { ...plain, name: 'Alpha' } })
  await act('DELETE /sections/{id}', { id: b?.id, version: b?.version })
  const enrol = { level: 1, entry: 'new', sectionId: null, on: `${start}-02-10` }
  await act('POST /terms/{id}/enrolments', { id, body: { ...enrol, studentIds: students.slice(0, 1) } })
  const placement = { ...ofClass, order: 'name', fill: 'in turn', withoutSections: false }
  const { basis } = await act('POST /terms/{id}/placements/preview', { id, body: placement })
  const placed = await act('POST /terms/{id}/placements', { id, body: { ...placement, basis } })
  await act('POST /enrolment-batches/{id}/undo', { id: placed.batchId ?? placed.id })
  await act('POST /terms/{id}/enrolments', { id, body: { ...enrol, studentIds: students.slice(1) } })
  const enrolled = async () =>
    (await act('GET /terms/{id}/enrolments', { id, query: { component, level: '1' } })).items
  const idOf = async (index: number) => {
    const found = await database.db
      .selectFrom('enrolments')
      .select(['id', 'version'])
      .where('studentId', '=', students[index] ?? '')
      .where('termId', '=', id)
      .executeTakeFirstOrThrow()
    return found
  }
  await enrolled()
  const [one, two, three] = [await idOf(0), await idOf(1), await idOf(2)]
  const on = `${start}-02-12`
  await act('POST /enrolments/section', {
    body: { ids: [one.id, two.id], sectionId: a?.id, reason: 'Asked for it' },
  })
  await act('POST /enrolments/drop', { body: { ids: [three.id], on, reason: 'Left' } })
  const moved = await idOf(3)
  await act('POST /enrolments/{id}/move', {
    id: moved.id,
    version: moved.version,
    body: { component: 'LTS', level: 1, sectionId: null, on, reason: 'Asked for it' },
  })
  const marked = await idOf(0)
  await act('PUT /terms/{id}/marks', {
    id,
    body: { items: [{ id: marked.id, version: marked.version, mark: '1.25' }], reason: '' },
  })
  const listed = (change: SheetRow): SheetRow[] => [
    { 'Student ID': `${mark}-T1`, 'Last Name': `Placed${mark}b`, 'First Name': 'Juan Miguel', ...change },
  ]
  for (const [purpose, change] of [
    ['registrar', { Component: component }],
    ['marks', { Mark: '1.50' }],
  ] as const) {
    const list = await walkImport(act, listed(change), { purpose, term: id }, {})
    await list.run()
    await list.undo()
  }
  const { version } = (await act('GET /terms')).items.find((found) => found.id === id) ?? {}
  const dates = { startsOn: `${start}-02-03`, endsOn: `${start}-03-19` }
  await act('PATCH /terms/{id}', { id, version, body: { ...dates, state: 'closed' } })
  const opened = (await act('GET /terms')).items.find((found) => found.id === next.id)
  await act('PATCH /terms/{id}', {
    id: next.id,
    version: opened?.version,
    body: { startsOn: `${start}-04-03`, endsOn: `${start}-05-19`, state: 'open' },
  })
  const choices = {
    passed: 'next',
    'no mark': 'next',
    incomplete: 'leave',
    failed: 'again',
    dropped: 'leave',
    done: 'leave',
  }
  const continuing = await act('POST /terms/{id}/continuations/preview', { id: next.id, body: { choices } })
  await act('POST /terms/{id}/continuations', { id: next.id, body: { choices, basis: continuing.basis } })
  const credit = {
    kind: 'credit',
    level: 1,
    ground: 'transferee',
    school: 'City College',
    evidence: 'Transcript',
  }
  await act('POST /students/{id}/credits', { id: students[3], body: credit })
  const stored = await database.db
    .selectFrom('credits')
    .select('id')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  await act('POST /credits/{id}/revoke', { id: stored.id, body: { reason: 'A mistake' } })
  const now = (await act('GET /terms')).items.find((found) => found.id === next.id)
  await act('PATCH /terms/{id}', {
    id: next.id,
    version: now?.version,
    body: { startsOn: `${start}-04-03`, endsOn: `${start}-05-19`, state: 'closed' },
  })
  for (const path of ['earlier-records', 'unplaced', 'marks'])
    reads.query[`/terms/{id}/${path}`] = { component, level: '1' }
}

/** Papers, serial numbers and certificates. */
async function walkGraduates({ act, office, server, academicYear, mark }: Walk, reads: Reads) {
  const { database } = server
  const term = await database.db
    .selectFrom('terms')
    .select('id')
    .where('academicYear', '=', academicYear)
    .orderBy('semester')
    .executeTakeFirstOrThrow()
  const graduate = (index: number, change: object = {}) =>
    storeGraduate(database, term.id, {
      academicYear,
      lastName: `Grad${mark}${'abc'[index]}`,
      serialNumber: '',
      studentId: `${mark}-G${index}`,
      dateOfBirth: `2007-01-1${index}`,
      email: `${createId()}@student.example`,
      ...change,
    })
  const first = await graduate(0, { middleName: '0', contactNumber: '09171234567' })
  await graduate(1)
  const options = { listsRotc: false, ofGraduates: true, level: 1 }
  const about = { title: '', components: [component], options, dueOn: null, note: '' }
  const paper = await act('POST /papers', {
    body: { layout: 'ched-workbook', academicYear, termId: null, ...about },
  })
  const { id } = paper
  reads.id['/papers/'] = id
  reads.query['/papers/{id}/rows'] = { list: 'graduates' }
  const versionOf = async () => (await act('GET /papers/{id}', { id })).version
  await act('PATCH /papers/{id}', {
    id,
    version: await versionOf(),
    body: { ...about, note: 'For the region' },
  })
  await act('POST /papers/{id}/check', { id })
  await act('PUT /papers/{id}/answers', {
    id,
    body: { code: 'K12', subjects: [first.id], answer: 'meant', reason: 'As in the birth certificate' },
  })
  await act('PUT /papers/{id}/answers', {
    id,
    body: { code: 'K12', subjects: [first.id], answer: null, reason: '' },
  })
  await act('POST /papers/{id}/fixes', { id, body: { code: 'K12', people: null } })
  const freeze = async () =>
    act('POST /papers/{id}/freeze', {
      id,
      version: await versionOf(),
      body: { basis: await basisOf(server, office, id) },
    })
  await freeze()
  await act('POST /papers/{id}/unfreeze', { id, version: await versionOf() })
  await freeze()
  await act('GET /papers/{id}/file.xlsx', { id })
  await act('POST /papers/{id}/state', { id, version: await versionOf(), body: { state: 'sent', on: day } })
  const number = mark.charCodeAt(0) * 100 + mark.charCodeAt(1)
  const serial = (index: number) =>
    `C-03-${String(number * 10 + index).padStart(6, '0')}-${academicYear.slice(7)}`
  const range = await act('POST /papers/{id}/range', {
    id,
    body: { component, first: serial(0), last: serial(1), reference: 'RO3-114', receivedOn: day },
  })
  await workOf(act, range.id)
  await act('POST /imports/{id}/run', { id: range.id, body: { reason: '' } })
  await workOf(act, range.id)
  const returned = { state: 'returned', on: day, note: 'A name' }
  await act('POST /papers/{id}/state', { id, version: await versionOf(), body: returned })
  const copy = await act('POST /papers/{id}/copy', { id })
  await act('DELETE /papers/{id}', { id: copy.id, version: copy.version })

  const issued = {
    kind: 'completion',
    students: [first.id],
    academicYear,
    issuedOn: day,
    signatories: [{ name: 'Maria Reyes', title: 'Director' }],
  }
  await act('POST /certificates', { body: issued })
  reads.query['/certificates/graduates'] = { academicYear }
  const certificate = async () =>
    await database.db
      .selectFrom('certificates')
      .select(['id', 'code'])
      .where('studentId', '=', first.id)
      .orderBy('issuedAt', 'desc')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
  const one = await certificate()
  reads.id['/verify/'] = one.code
  await act('POST /certificates/prints', { body: { ids: [one.id] } })
  await act('POST /certificates/{id}/reissue', { id: one.id, body: { issuedOn: day } })
  await act('POST /certificates/{id}/revoke', { id: (await certificate()).id, body: { reason: 'A mistake' } })
}

async function walkContent({ act, server: { database } }: Walk, reads: Reads) {
  const image = new Blob([new Uint8Array(await buildImage('png'))], { type: 'image/png' })
  const { id, version } = await act('POST /announcements', {
    body: { title: 'Oath taking', content: 'On **Monday**.' },
  })
  reads.id['/announcements/'] = id
  await act('PATCH /announcements/{id}', { id, version, body: { title: 'Oath taking of all' } })
  await act('POST /announcements/preview', { body: { content: 'On **Monday**.' } })
  await act('DELETE /announcements/{id}', { id })
  await act('POST /announcements/{id}/restore', { id })
  const [mailed = ''] = await storeAnnouncements(database, [
    { mailTo: 'all', mailProblem: 'No account yet.' },
  ])
  await act('POST /announcements/{id}/mail', { id: mailed })

  const slides: Answer[] = []
  const nodes: Answer[] = []
  for (const title of ['Oath taking', 'Graduation']) {
    slides.push(await act('POST /slides', { form: { title, image } }))
    nodes.push(await act('POST /org-chart/nodes', { form: { name: title, title: 'Director', image } }))
  }
  const [slide, node] = [slides[0], nodes[0]]
  await act('PATCH /slides/{id}', { id: slide?.id, version: slide?.version, body: { title: 'Oath' } })
  const shown = await act('GET /slides', { query: { all: 'true' } })
  await act('PUT /slides/order', { body: { ids: shown.items.map((one) => one.id).reverse() } })
  await act('PATCH /org-chart/nodes/{id}', { id: node?.id, version: node?.version, body: { title: 'Head' } })
  const chart = await act('GET /org-chart')
  const items = chart.items.map(({ id: own }) => ({ id: own, parentId: null })).reverse()
  await act('PUT /org-chart/order', { body: { version: chart.version, items } })
  for (const { id: own } of slides) await act('DELETE /slides/{id}', { id: own })
  for (const { id: own } of nodes) await act('DELETE /org-chart/nodes/{id}', { id: own })
  await act('PUT /settings/logo', { form: { image } })
  await act('DELETE /settings/logo')
}

async function walkMail({ act, actAs, server: { database }, sink, mark }: Walk, reads: Reads) {
  const { senderAddress, password, host, port, secure } = sink.account
  const mailAccount = { emailUser: senderAddress, emailPassword: password, host, port, secure }
  await act('POST /update-email-config', { body: mailAccount })
  await act('DELETE /mail/account')
  await act('POST /update-email-config', { body: mailAccount })
  await act('POST /mail/server-test', { body: { step: 'connect' } })
  const student = await storeStudent(database, { email: `${createId()}@student.example` })
  const one = { to: 'juan@example.edu.ph', subject: 'Orientation', message: 'At seven.' }
  await act('POST /send-email', { body: one })
  await act('POST /mail/test', { body: { subject: 'Orientation', message: 'At seven.' } })
  const bulk = { subject: 'Drill', body: 'Good day {firstName}', template: 'custom' }
  await act('POST /mail/test/bulk', { body: bulk })
  await act('POST /mail/preview', { body: { subject: 'Drill', message: 'At seven.' } })
  await act('POST /mail/audience', { body: { component } })
  await act('POST /mail/recipients/record', { body: { email: student.email } })
  const file = new File(['Email,First Name,Last Name\r\nana@example.edu.ph,Ana,Reyes\r\n'], 'people.csv')
  await act('POST /mail/recipients/file', { form: { file } })
  const recipients = [{ email: 'ana@example.edu.ph', firstName: 'Ana', lastName: 'Reyes' }]
  await act('POST /mail/batches', { body: { ...bulk, recipients } })
  await act('POST /send-bulk-emails', { body: { ...bulk, recipients } })
  await act('POST /emailService/send-welcome-email', {
    body: { email: student.email, firstName: 'Juan', lastName: 'Cruz', nstpComponent: component },
  })
  const waiting = await storeBatch(database, [{}, { state: 'failed', studentId: student.id }])
  const { id } = waiting
  reads.id['/mail/batches/'] = id
  reads.id['/mail/messages/'] = waiting.messageIds[1] ?? ''
  reads.query['/mail/announcements'] = { ids: createId() }
  await act('POST /mail/batches/{id}/pause', { id })
  await act('POST /mail/batches/{id}/resume', { id })
  await act('POST /mail/messages/{id}/send-again', { id: waiting.messageIds[1] })
  await act('POST /mail/batches/{id}/cancel', { id })
  const ended = await storeBatch(database, [{ state: 'failed' }, { state: 'unknown' }, { state: 'unknown' }])
  await act('POST /mail/messages/{id}/settle', { id: ended.messageIds[1], body: { as: 'sent' } })
  await act('POST /mail/batches/{id}/settle', { id: ended.id, body: { as: 'failed' } })
  await act('POST /mail/batches/{id}/repeat', { id: ended.id })
  await act('POST /mail/bounces/{id}/resolve', {
    id: await storeBounce(database, { messageId: waiting.messageIds[1] ?? null }),
  })
  const tokens = createUnsubscribeTokens(testSecretKey)
  const token = tokens.tokenOf(`${mark}@optout.example`)
  await actAs('')('POST /mail/opt-out', { body: { token, announcements: false } })
  reads.query['/mail/opt-out'] = { token }
}

async function walkOffice({ act, server: { database }, role, mark }: Walk) {
  const { version } = await act('GET /settings')
  await act('PATCH /settings', { version, body: { systemName: `NSTP of ${mark}` } })
  await database.db
    .updateTable('cleanUps')
    .set({ at: new Date('2020-01-01') })
    .execute()
  await act('POST /retention/date')
  await act('POST /statistics/prints', { body: {} })
  await act('POST /backup', { body: { passphrase: 'the backup of a walk' } })
  const isConfirmed = role.length % 2 === 0
  await act('PUT /layouts/{code}/confirmed', { id: 'registrar-grades', body: { isConfirmed } })
  const heads = ['Student No.', 'NAME', 'Component', 'Section', 'Mark', 'Remarks']
  const base = await toWorkbook([Object.fromEntries(heads.map((head) => [head, 'of last year']))])
  const bytes = new Blob([new Uint8Array(base)])
  await act('PUT /layouts/{code}/base', { id: 'registrar-grades', query: { fileName: 'Ours.xlsx' }, bytes })
  await act('DELETE /layouts/{code}/base', { id: 'registrar-grades' })
  const { reference } = await storeStudent(database, { email: `${createId()}@student.example` })
  await act('POST /privacy/requests', { body: { kind: 'copy', reference, receivedOn: day } })
  const request = await database.db
    .selectFrom('privacyRequests')
    .select('id')
    .where('reference', '=', reference)
    .executeTakeFirstOrThrow()
  await act('POST /privacy/requests/{id}/close', { id: request.id, body: { outcome: 'granted' } })
  await act('POST /privacy/breaches', {
    body: {
      noticedAt: '2026-11-19T02:00:00Z',
      happened: 'A lost list',
      data: 'Names',
      measures: 'None',
      people: 1,
    },
  })
  const breach = await database.db
    .selectFrom('privacyBreaches')
    .select('id')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  await act('POST /privacy/breaches/{id}/told', { id: breach.id, body: { whom: 'commission' } })
}

// A stream without an end, the receipt of one's own browser, and a picture.
const otherReads: readonly string[] = ['/events', '/registrations/receipt', '/files/{name}']

async function readAll({ read, server: { database } }: Walk, { id, query }: Reads, routes: Iterable<string>) {
  const values = await database.db
    .selectFrom('auditValues')
    .select('eventId')
    .where('studentId', 'is not', null)
    .orderBy('eventId', 'desc')
    .executeTakeFirstOrThrow()
  const ids: Record<string, string> = { ...id, '/audit/': values.eventId }
  for (const route of routes) {
    const path = route.replace('GET ', '')
    if (path === route || otherReads.includes(path)) continue
    const found = Object.entries(ids).find(([start]) => path.startsWith(start))
    await read(route, { id: found?.[1], query: query[path] ?? {} })
  }
}
