import { readFileSync } from 'node:fs'
import { v7 as createId } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { attachmentLimit, imageLimits } from '#shared/files/images.ts'
import { maxImportBytes } from '#shared/imports/imports.ts'
import { buildStoredMessage } from '#tests/factories/stored-batch.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { readAllRows } from '#tests/setup/all-rows.ts'
import {
  baseOf,
  type Description,
  operationsOf,
  readDescription,
  type Schema,
} from '#tests/setup/api-description.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

let server: TestServer
let cookie: string
let description: Description
beforeAll(async () => {
  server = await startTestServer()
  cookie = await server.signIn()
  description = await readDescription(server.url)
})
afterAll(() => server.close())

const nowhere = '0198f4b2-0000-7000-8000-000000000000'
const call = (path: string, method = 'GET') =>
  fetch(server.url + path, { method, headers: { Cookie: cookie, Origin: server.url } })

/** Every address with its methods; an id is that of nothing. */
function addresses() {
  const found = new Map<string, string[]>()
  for (const { path, method, operation } of operationsOf(description)) {
    const address = baseOf(operation) + path.replaceAll(/\{\w+\}/g, nowhere)
    found.set(address, [...(found.get(address) ?? []), method.toUpperCase()])
  }
  return found
}

/** Also those of an address whose id an address has in its place. */
function methodsAt(address: string): string[] {
  return operationsOf(description)
    .filter(({ path, operation }) =>
      new RegExp(`^${baseOf(operation)}${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(address),
    )
    .map(({ method }) => method.toUpperCase())
}

const readable = () =>
  [...addresses()].flatMap(([path, methods]) =>
    methods.includes('GET') && !path.endsWith('/events') ? [path] : [],
  )

test('every address refuses the methods that it does not have, and names those that it has', async () => {
  expect(addresses().size).toBeGreaterThan(80)
  for (const [address, methods] of addresses()) {
    const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter(
      (one) => !methodsAt(address).includes(one),
    )
    for (const method of others) {
      const answer = await call(address, method)
      await answer.body?.cancel()
      const allowed = answer.headers.get('Allow')?.split(', ')
      expect([address, method, answer.status, allowed]).toEqual([
        address,
        method,
        405,
        expect.arrayContaining(methods),
      ])
    }
  }
})

/** What an answer has and its schema has not. */
function beyond(value: unknown, schema: Schema | undefined, at = ''): string[] {
  const own = schema?.$ref ? description.components.schemas[schema.$ref.split('/').at(-1) ?? ''] : schema
  const parts = [own?.anyOf ?? [], own?.oneOf ?? [], own?.allOf ?? []].flat()
  if (parts.length > 0) {
    // What none of them has.
    const [first = [], ...others] = parts.map((part) => beyond(value, part, at))
    return first.filter((member) => others.every((other) => other.includes(member)))
  }
  if (Array.isArray(value)) return value.flatMap((item) => beyond(item, own?.items, `${at}[]`))
  if (typeof value !== 'object' || value === null || !own?.properties) return []
  const { properties } = own
  return Object.entries(value).flatMap(([name, member]) =>
    name in properties ? beyond(member, properties[name], `${at}.${name}`) : [`${at}.${name}`],
  )
}

test('no answer has a member that its schema has not', async () => {
  const { id } = await storeStudent(server.database)
  let compared = 0
  const found: string[] = []
  for (const { path, method, operation } of operationsOf(description)) {
    const schema = operation.responses[200]?.content?.['application/json']?.schema
    if (method !== 'get' || !schema) continue
    const answer = await call(baseOf(operation) + path.replaceAll(/\{\w+\}/g, String(id)))
    if (answer.status !== 200) continue
    found.push(...beyond(await answer.json(), schema, path))
    compared += 1
  }
  expect([...new Set(found)]).toEqual([])
  expect(compared).toBeGreaterThan(35)
})

// What a member beyond the schema changes nothing at, and is not told of: sign-in, selections of records, choices of files.
const dropping = [
  ...['POST /session', 'POST /session/device', 'PUT /session/password', 'POST /session/proof'],
  ...['POST /session/two-factor', 'POST /session/two-factor/set-up', 'POST /session/two-factor/off'],
  'POST /session/two-factor/recovery-codes',
  ...['POST /students/rejections/preview', 'POST /students/rejections', 'POST /students/archive'],
  ...['POST /students/unarchive', 'POST /students/changes/preview', 'POST /students/changes'],
  ...[
    'POST /students/sheets',
    'POST /students/slips',
    'POST /students/export.xlsx',
    'PUT /layouts/{code}/confirmed',
    'POST /imports',
  ],
  ...['PATCH /imports/{id}/rows/{number}', 'POST /update-email-config', 'POST /mail/server-test'],
  'POST /emailService/send-welcome-email',
]

test('a member beyond its schema is refused by its name, or dropped by what is listed here', async () => {
  const dropped: string[] = []
  for (const { path, method, operation } of operationsOf(description)) {
    // A route of a student or a facilitator is refused to the office before its body is read.
    if (['student', 'roll'].includes(operation['x-permission'] ?? '')) continue
    if (!operation.requestBody?.content['application/json']) continue
    const answer = await fetch(server.url + baseOf(operation) + path.replaceAll(/\{\w+\}/g, nowhere), {
      method: method.toUpperCase(),
      headers: { Cookie: cookie, Origin: server.url, 'Content-Type': 'application/json', 'If-Match': '"1"' },
      body: '{"zqUnknown":true}',
    })
    const isRefused = answer.status === 422 && (await answer.text()).includes('zqUnknown')
    if (!isRefused) dropped.push(`${method.toUpperCase()} ${path}`)
  }
  expect(dropped.sort()).toEqual([...dropping].sort())
})

test('reading changes nothing but the audit trail', async () => {
  await storeStudent(server.database)
  const rows = async () => {
    const { audit_events, audit_students, audit_values, audit_chain, ...others } = await readAllRows(
      server.database,
    )
    return others
  }
  const before = await rows()
  for (const address of readable()) {
    const answer = await call(address)
    await answer.arrayBuffer()
  }
  expect(await rows()).toEqual(before)
})

const texts = ['/robots.txt', '/sitemap.xml', '/site.webmanifest', '/announcements/feed.xml', '/nowhere']

test('every answer with a body names its type, and a text its characters', async () => {
  for (const address of [...readable(), ...texts]) {
    for (const headers of [{ Cookie: cookie }, {}]) {
      const answer = await fetch(server.url + address, { headers })
      const bytes = (await answer.arrayBuffer()).byteLength
      const type = answer.headers.get('Content-Type') ?? ''
      if (bytes > 0)
        expect([address, answer.status, type]).toEqual([
          address,
          answer.status,
          expect.stringMatching(/^\w+\/[\w.+-]+/),
        ])
      if (/^text\/|[/+]xml|manifest/.test(type))
        expect([address, type]).toEqual([address, expect.stringMatching(/charset=utf-8/i)])
      if (answer.status >= 400 && address.startsWith('/api/'))
        expect([address, type]).toEqual([address, expect.stringMatching(/^application\/problem\+json/)])
    }
  }
})

test('what is searched for is a value of the query, whatever signs of SQL it has', async () => {
  const name = `O'Brien"; drop table students; --`
  await storeStudent(server.database, { lastName: name, email: 'obrien@student.example' })
  await storeStudent(server.database, { lastName: 'Obrero' })
  const search = async (text: string) =>
    (await (await call(`/api/students?search=${encodeURIComponent(text)}`)).json()).items.map(
      ({ lastName }: { lastName: string }) => lastName,
    )
  expect(await search(name)).toEqual([name])
  for (const text of [
    "zzq' or '1'='1",
    'zzq") or true --',
    "zzq\\' union select password_hash from admins --",
  ]) {
    expect([text, await search(text)]).toEqual([text, []])
  }
  const parameters = operationsOf(description).filter(
    ({ path, method }) => method === 'get' && path !== '/events',
  )
  let asked = 0
  for (const { path, operation } of parameters) {
    for (const { name: parameter } of (operation.parameters ?? []).filter((one) => one.in === 'query')) {
      const value = encodeURIComponent(`'"; select pg_sleep(20); --`)
      const answer = await call(
        `${baseOf(operation)}${path.replaceAll(/\{\w+\}/g, nowhere)}?${parameter}=${value}`,
      )
      await answer.arrayBuffer()
      expect([path, parameter, answer.status < 500]).toEqual([path, parameter, true])
      asked += 1
    }
  }
  expect(asked).toBeGreaterThan(40)
})

test('signs of a pattern in a search stand for nothing', async () => {
  const { id: studentId } = await storeStudent(server.database, { lastName: 'Macaraeg' })
  const count = async (path: string) => (await (await call(path)).json()).items.length
  const students = (text: string) => count(`/api/students?search=${encodeURIComponent(text)}`)
  expect(await students('Macaraeg')).toBe(1)
  for (const text of ['Mac%raeg', 'Mac_raeg', 'M%raeg', 'Mac_r_eg']) {
    expect([text, await students(text)]).toEqual([text, 0])
  }
  await server.database.db
    .insertInto('mailMessages')
    .values(buildStoredMessage({ recipient: 'macaraeg@student.example', subject: 'Your section' }))
    .execute()
  const certificate = {
    id: createId(),
    number: 'NSTP-2027-000001',
    code: 'ABCDEFGHJKLM',
    kind: 'completion',
    component: 'CWTS',
    academicYear: '2026-2027',
    studentId,
    content: JSON.stringify({ lastName: 'Macaraeg' }),
    issuedOn: '2027-05-30',
    issuedAt: new Date(),
    batchId: createId(),
  } as const
  await server.database.db.insertInto('certificates').values(certificate).execute()
  for (const [path, found, patterns] of [
    ['/api/audit', '127.0.0', ['127_0', '127%', '%', '_']],
    ['/api/mail/messages', 'macaraeg@', ['mac%raeg@', 'macar_eg@', '%', '_']],
    ['/api/certificates', 'macaraeg', ['mac%raeg', 'macar_eg', '%', '_']],
  ] as const) {
    const search = (text: string) => count(`${path}?search=${encodeURIComponent(text)}`)
    expect([path, (await search(found)) > 0]).toEqual([path, true])
    for (const text of patterns) expect([path, text, await search(text)]).toEqual([path, text, 0])
  }
})

test('the description has the rules of the form, and what may be uploaded with its size', async () => {
  const text = JSON.stringify(description)
  const form = description.paths['/registrations']?.post?.requestBody?.content['application/json']?.schema
  const fields = description.components.schemas[form?.$ref?.split('/').at(-1) ?? ''] ?? form
  expect(fields?.properties).toMatchObject({
    lastName: { maxLength: 100 },
    middleName: { maxLength: 100, default: '' },
    extensionName: { maxLength: 10, default: '' },
    address: { maxLength: 300 },
    dateOfBirth: { maxLength: 10, format: 'date' },
    email: { maxLength: 254, format: 'email' },
    sex: { enum: ['Male', 'Female'] },
    yearLevel: { enum: ['1st Year', '2nd Year', '3rd Year', '4th Year'] },
    workExperience: { maxLength: 2000, default: '' },
    nstpComponent: { enum: ['ROTC', 'CWTS'] },
    consent: { const: true },
  })
  expect(fields).toMatchObject({
    additionalProperties: false,
    required: expect.arrayContaining([
      'lastName',
      'dateOfBirth',
      'email',
      'emergencyContactNumber',
      'consent',
    ]),
  })
  const uploads = operationsOf(description).filter(
    ({ operation }) => operation.requestBody && 'multipart/form-data' in operation.requestBody.content,
  )
  const said = uploads.map(({ path, method, operation }) => {
    const sizes = JSON.stringify(operation).match(/\d+ ?MB/g)
    const hasFile = JSON.stringify(operation.requestBody?.content['multipart/form-data']).includes('"binary"')
    return [`${method} ${path}`, hasFile, sizes?.map((size) => Number.parseInt(size, 10) * 2 ** 20)] as const
  })
  const { announcement, logo, orgPhoto, slide } = imageLimits
  expect(said.toSorted(([one], [other]) => (one < other ? -1 : 1))).toEqual([
    ['patch /announcements/{id}', true, [announcement, attachmentLimit]],
    ['patch /org-chart/nodes/{id}', true, [orgPhoto]],
    ['patch /slides/{id}', true, [slide]],
    ['post /announcements', true, [announcement, attachmentLimit]],
    ['post /imports', true, [maxImportBytes]],
    ['post /mail/recipients/file', true, [maxImportBytes]],
    ['post /org-chart/nodes', true, [orgPhoto]],
    ['post /slides', true, [slide]],
    ['put /settings/logo', true, [logo]],
  ])
  // What the office reads.
  const guide = (page: string) => readFileSync(`src/web/features/admin/guide/${page}.md`, 'utf8')
  const megabytes = (bytes: number) => `${bytes / 2 ** 20} MB`
  expect(guide('slideshow')).toContain(`JPEG, PNG, GIF or WEBP, up to ${megabytes(slide)}.`)
  expect(guide('announcements')).toContain(
    `**Image** (up to ${megabytes(announcement)}) or an **Attachment** (smaller than ${megabytes(attachmentLimit)})`,
  )
  expect(guide('import')).toContain(`Up to ${megabytes(maxImportBytes)} and`)
  expect(text).toContain('JPEG, PNG, GIF or WEBP')
})
