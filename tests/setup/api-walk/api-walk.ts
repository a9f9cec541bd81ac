import { TOTP } from 'otpauth'
import { v7 as createId } from 'uuid'
import { mayDo, type Permission, type Role } from '#shared/people/permissions.ts'
import { toWorkbook } from '#tests/factories/spreadsheet.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { createAdminClient } from '../admin-client.ts'
import { adminPassword } from '../administrator.ts'
import { baseOf, operationsOf, readDescription } from '../api-description.ts'
import type { MailSink } from '../mail-sink.ts'
import { signInAs } from '../people.ts'
import { makeTemporaryFolder } from '../temporary-folder.ts'
import type { TestServer } from '../test-server.ts'
import { walkContent, walkMail } from './content.ts'
import { walkOwnPage } from './own-page.ts'
import { walkImports, walkRecords } from './records.ts'
import { walkGraduates, walkTerms } from './terms.ts'
import { type Act, type Around, type Call, component, day, type Reads, type Walk } from './walk.ts'

/** Calls every operation; what an account may not do, the office does. */
export async function createApiWalk(
  server: TestServer,
  sink: MailSink,
  around: Around = (_route, call, send) => send(call),
) {
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
    const from = call.elsewhere ?? { url: server.url, cookie }
    return fetch(`${from.url}${base}${path}?${new URLSearchParams(call.query)}`, {
      method,
      headers: {
        ...(from.cookie && { cookie: from.cookie }),
        ...(type && { 'content-type': type }),
        ...(call.version && { 'if-match': `"${call.version}"` }),
        ...(call.key && { 'idempotency-key': call.key }),
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
      const answer = await around(route, call, (sent) => firstThatMay(cookies, route, sent))
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
          // A role without a part of the walk has nothing of it to read.
          else if (answer.status >= 500) throw new Error(`${role}: ${route}: ${answer.status}`)
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
  ['signed-in', walkOwnPage],
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
  await signIn()
  await later('DELETE /session/devices')
  const newPassword = `${password}, changed`
  await later('PUT /session/password', { body: { currentPassword: password, newPassword } })
  const { token } = await server.administrators.allowDevice({ email })
  await actAs('')('POST /session/device', { body: { link: token } })
  await actAs('')('POST /script-errors', {
    body: { name: 'TypeError', script: '', line: 1, column: 1, route: '/register' },
  })
  await (await signIn({ password: newPassword }))('DELETE /session')
}

async function walkPeople({ act, actAs, mark }: Walk) {
  const person = { displayName: 'Ana Reyes', role: 'coordinator', components: [component], expiresOn: null }
  const { person: added } = await act('POST /people', {
    body: { ...person, email: `${mark}@people.example` },
  })
  const { id } = added
  const { password } = await act('POST /people/{id}/password', { id, version: added.version })
  await actAs('')('POST /session', { body: { email: `${mark}@people.example`, password } })
  await act('POST /people/{id}/sign-out', { id })
  for (const change of [
    { displayName: 'Ana Cruz', isDisabled: false },
    { displayName: 'Ana Cruz', isDisabled: true },
  ]) {
    const version = (await act('GET /people')).items.find((one) => one.id === id)?.version
    const ofRoll = { sectionIds: [], seesPhoneNumbers: false }
    await act('PATCH /people/{id}', { id, version, body: { ...person, ...ofRoll, ...change } })
  }
  const token = await act('POST /tokens', { body: { name: `Token of ${mark}` } })
  await act('DELETE /tokens/{id}', { id: token.id })
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
  const passphrase = 'the backup of a walk'
  await act('POST /backup', { body: { passphrase } })
  const { nightly } = await act('GET /backup')
  const folder = makeTemporaryFolder()
  const body = { folder: folder.path, passphrase }
  await act('PUT /backup/nightly', { version: nightly.version, body })
  await act('POST /backup/nightly')
  folder.remove()
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
