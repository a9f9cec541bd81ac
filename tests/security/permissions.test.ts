import { afterAll, beforeAll, expect, test } from 'vitest'
import { staffRoutes } from '#server/http/router.ts'
import { componentsOf, grants, type Permission, type Role, roles } from '#shared/people/permissions.ts'
import { operationsOf, readDescription } from '#tests/setup/api-description.ts'
import { signInAs } from '#tests/setup/people.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

const permissions = Object.keys(grants) as Permission[] // keys of a literal object

const letters: Record<string, Role> = {
  A: 'administrator',
  C: 'coordinator',
  S: 'assistant',
  R: 'registrar',
  P: 'privacy officer',
  F: 'facilitator',
}

// Every route, also where a query asks for more, by who may use it.
const table = {
  everybody: `
    GET /health, GET /ready, GET /events, GET /site, GET /site/texts, GET /places, GET /org-chart, GET /slides,
    GET /announcements, GET /announcements/upcoming, GET /announcements/{id}, GET /files/{name}, POST /registrations,
    GET /registrations/offer, GET /registrations/receipt, GET /mail/opt-out, POST /mail/opt-out, GET /session,
    POST /session, DELETE /session, POST /session/device, GET /verify/{code},
    GET /my/session, POST /my/session, POST /my/session/slip, POST /my/lost-code, DELETE /my/session, POST /script-errors`,
  // A student at /my, and nobody of the office.
  student: `
    GET /my/state, POST /my/code, POST /my/session/code, GET /my, GET /my/record, GET /my/file.xlsx,
    GET /my/requests, POST /my/requests, POST /my/requests/{id}/withdraw`,
  ACSRPF: `
    GET /session/devices, DELETE /session/devices, DELETE /session/devices/{id}, PUT /session/password,
    POST /session/proof, GET /session/two-factor, POST /session/two-factor, POST /session/two-factor/set-up,
    POST /session/two-factor/off, POST /session/two-factor/recovery-codes, GET /settings`,
  F: `
    GET /roll, GET /roll/{id}, POST /roll/{id}, GET /roll/students/{id}`,
  ACSRP: `
    GET /students, GET /students/ids, GET /students/unseen, PUT /students/seen, GET /students/academic-years, GET /students/courses,
    GET /students/{id}, POST /students/prints, GET /dashboard, GET /terms, GET /terms/{id}/summary,
    GET /terms/{id}/sections, GET /terms/{id}/class-lists, GET /terms/{id}/enrolments,
    GET /students/{id}/program`,
  ACS: `
    GET /requests, GET /requests/counts, GET /requests/{id}, POST /requests/{id}/decide,
    GET /registrations/code, PATCH /students/{id}, PUT /students/{id}/mail, POST /students/{id}/welcome-mail`,
  ACR: `
    GET /statistics, GET /statistics/export.xlsx, POST /statistics/prints, GET /terms/{id}/marks,
    GET /terms/{id}/unplaced,
    POST /students/{id}/credits, POST /credits, POST /credits/batches/{id}/undo, POST /credits/{id}/revoke`,
  ACP: `
    GET /audit?student={id}, GET /audit/{id}/values`,
  AC: `
    POST /students/archive, POST /students/unarchive, POST /students/{id}/archive, POST /students/{id}/unarchive,
    POST /students/changes, POST /students/changes/preview, POST /students/changes/{id}/undo,
    GET /students/{id}/duplicates, POST /students/duplicates/dismiss, POST /students/merge, POST /students/{id}/restore,
    GET /students/export.xlsx, POST /students/export.xlsx, POST /students/sheets, POST /students/slips,
    POST /imports, GET /imports, GET /imports/{id}, DELETE /imports/{id}, PUT /imports/{id}/mapping, PUT /imports/{id}/reading,
    GET /imports/{id}/rows, PATCH /imports/{id}/rows, PATCH /imports/{id}/rows/{number}, POST /imports/{id}/replacements,
    POST /imports/{id}/run, POST /imports/{id}/undo, GET /imports/{id}/refused.xlsx,
    GET /announcements?all=true, POST /announcements, PATCH /announcements/{id}, DELETE /announcements/{id},
    POST /announcements/{id}/restore, POST /announcements/preview, POST /announcements/{id}/mail,
    GET /slides?all=true, POST /slides, PATCH /slides/{id}, DELETE /slides/{id}, PUT /slides/order,
    POST /org-chart/nodes, PATCH /org-chart/nodes/{id}, DELETE /org-chart/nodes/{id}, PUT /org-chart/order,
    GET /mail/announcements, POST /mail/audience, POST /mail/recipients/record, POST /mail/recipients/file,
    POST /mail/batches, GET /mail/batches, GET /mail/batches/{id}, POST /mail/batches/{id}/pause,
    POST /mail/batches/{id}/resume, POST /mail/batches/{id}/cancel, POST /mail/batches/{id}/repeat,
    GET /mail/batches/{id}/results, GET /mail/batches/{id}/results.xlsx, POST /mail/batches/{id}/settle,
    GET /mail/queue, GET /mail/messages, GET /mail/messages/{id}, POST /mail/messages/{id}/send-again,
    POST /mail/messages/{id}/settle, GET /students/{id}/mail, GET /mail/bounces, POST /mail/bounces/check,
    POST /mail/bounces/{id}/resolve, POST /mail/test, POST /mail/test/bulk, GET /mail/templates, POST /mail/preview,
    POST /send-email, POST /send-bulk-emails, GET /emailService/status, POST /emailService/send-welcome-email,
    POST /terms/{id}/sections, PATCH /sections/{id}, DELETE /sections/{id}, POST /terms/{id}/placements/preview,
    POST /terms/{id}/placements, GET /terms/{id}/earlier-records, GET /terms/{id}/class-lists.xlsx,
    GET /terms/{id}/batches, POST /enrolment-batches/{id}/undo, POST /terms/{id}/enrolments,
    POST /enrolments/section, POST /enrolments/drop, POST /enrolments/{id}/move, PUT /terms/{id}/marks,
    PUT /terms/{id}/mark-scheme, PUT /terms/{id}/scores,
    POST /terms/{id}/continuations/preview, POST /terms/{id}/continuations,
    GET /terms/{id}/training-days, POST /terms/{id}/training-days, PATCH /training-days/{id}, DELETE /training-days/{id},
    GET /attendance/standing, GET /training-days/{id}/students, GET /terms/{id}/attendance, POST /terms/{id}/attendance, PUT /terms/{id}/attendance-rule,
    GET /training-days/{id}/closing, POST /training-days/{id}/closing, POST /training-days/{id}/reopening,
    GET /certificates, GET /certificates/graduates, POST /certificates, POST /certificates/prints,
    POST /certificates/{id}/revoke, POST /certificates/{id}/reissue, GET /students/{id}/certificates,
    GET /papers, POST /papers, GET /papers/{id}, PATCH /papers/{id}, DELETE /papers/{id}, POST /papers/{id}/freeze,
    POST /papers/{id}/unfreeze, POST /papers/{id}/state, POST /papers/{id}/copy, GET /papers/{id}/rows,
    GET /papers/{id}/file.xlsx, GET /layouts, POST /papers/{id}/check, POST /papers/{id}/fixes,
    PUT /papers/{id}/answers, POST /papers/{id}/range`,
  // Of all components.
  'AC*': `
    POST /terms, PATCH /terms/{id}, DELETE /terms/{id}, PUT /layouts/{code}/confirmed, PUT /layouts/{code}/base,
    DELETE /layouts/{code}/base`,
  AP: `
    DELETE /students/{id}, PUT /students/{id}/restriction, GET /students/{id}/file.xlsx, GET /audit,
    GET /retention, POST /retention/date, POST /retention/deletions, GET /privacy, POST /privacy/requests,
    POST /privacy/requests/{id}/close, POST /privacy/breaches, POST /privacy/breaches/{id}/told`,
  A: `
    POST /students/rejections, POST /students/rejections/preview, GET /students/rejections,
    POST /students/rejections/{id}/undo, GET /students/networks,
    GET /mail/account, DELETE /mail/account, POST /update-email-config, POST /mail/server-test, GET /status,
    GET /tokens, POST /tokens, DELETE /tokens/{id},
    GET /people, POST /people, PATCH /people/{id}, POST /people/{id}/password, POST /people/{id}/sign-out,
    POST /people/{id}/second-factor-reset,
    PATCH /settings, PUT /settings/logo, DELETE /settings/logo, GET /backup, POST /backup,
    PUT /backup/nightly, POST /backup/nightly`,
}

const rows = Object.entries(table).flatMap(([who, routes]) =>
  routes.split(',').map((text) => {
    const [method = '', path = ''] = text.trim().split(' ')
    return { who, method, path, isPublic: who === 'everybody' }
  }),
)

const nowhere = '0198f4b2-0000-7000-8000-000000000000'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

/** @param cookie '' of a visitor */
async function ask(cookie: string, { method, path }: (typeof rows)[number]) {
  const base = path.startsWith('/emailService') ? server.url : `${server.url}/api`
  const hasBody = method !== 'GET' && method !== 'DELETE'
  const answer = await fetch(base + path.replaceAll(/\{\w+\}/g, nowhere), {
    method,
    headers: { cookie, origin: server.url, 'if-match': '"1"', 'content-type': 'application/json' },
    ...(hasBody && { body: '{}' }),
  })
  const isProblem = answer.headers.get('Content-Type') === 'application/problem+json'
  const code: string = isProblem ? (await answer.json()).code : ''
  if (!isProblem) await answer.body?.cancel()
  return `${answer.status} ${code}`.trim()
}

test('each route has one row in the table', async () => {
  const described = operationsOf(await readDescription(server.url)).map(
    ({ path, method }) => `${method.toUpperCase()} ${path}`,
  )
  const listed = rows.filter(({ path }) => !path.includes('?')).map(({ method, path }) => `${method} ${path}`)
  expect(listed.sort()).toEqual(described.sort())
})

function lettersOf(named: string | undefined): string {
  const permission = permissions.find((name) => name === named)
  if (named === 'student') return named
  if (!permission) return named === 'public' ? 'everybody' : `an unknown permission: ${named}`
  const granted: readonly Role[] = grants[permission]
  return Object.entries(letters)
    .flatMap(([letter, role]) => (granted.includes(role) ? [letter] : []))
    .join('')
}

test('each role has a letter in the table', () => {
  // Give a new role its letter, and write it into the rows of what it may do.
  expect(roles.filter((role) => !Object.values(letters).includes(role))).toEqual([])
})

test('an account without components works with all of them where that is said of its role', () => {
  const scopes = roles.map((role) => [role, componentsOf({ role, components: [] })])
  expect(Object.fromEntries(scopes)).toEqual({
    administrator: 'all',
    coordinator: 'all',
    assistant: 'all',
    registrar: 'all',
    'privacy officer': 'all',
    facilitator: [],
  })
  expect(componentsOf({ role: 'coordinator', components: ['CWTS'] })).toEqual(['CWTS'])
})

test('the description names the permission of each route', async () => {
  for (const { path, method, operation } of operationsOf(await readDescription(server.url))) {
    // A query may ask for more, or for less, than the route.
    const own = rows.filter((one) => one.path.split('?')[0] === path && one.method === method.toUpperCase())
    const route = `${method.toUpperCase()} ${path} (${operation['x-permission']})`
    const named = own.map(({ who }) => who.replace('*', ''))
    expect({ route, named }).toEqual({
      route,
      named: expect.arrayContaining([lettersOf(operation['x-permission'])]),
    })
  }
})

/** Of the first letter of a row: what the others are answered too. */
function ofFirst({ who, isPublic }: (typeof rows)[number], answers: Record<string, string>): string {
  const [first = ''] = isPublic ? 'A' : who
  return answers[first] ?? ''
}

test('each route answers exactly those who have its permission', async () => {
  const cookies = new Map([['visitor', '']])
  const ofOne = 'C of CWTS'
  cookies.set(ofOne, (await signInAs(server, { role: 'coordinator', components: ['CWTS'] })).cookie)
  for (const [letter, role] of Object.entries(letters)) {
    cookies.set(letter, (await signInAs(server, { role, components: [] })).cookie)
  }
  await server.database.db
    .updateTable('admins')
    .set({ seesPhoneNumbers: true })
    .where('role', '=', 'facilitator')
    .execute()
  for (const row of rows.filter(({ who }) => who !== 'student')) {
    // It would end the session.
    if (row.method === 'DELETE' && row.path === '/session') continue
    const route = `${row.method} ${row.path}`
    const answers: Record<string, string> = {}
    for (const [who, cookie] of cookies) answers[who] = await ask(cookie, row)
    const { visitor = '' } = answers
    const allowed = ofFirst(row, answers)
    if (!row.isPublic)
      expect([route, allowed]).toEqual([route, expect.not.stringMatching(/^(401|403|405|500)/)])
    const expected = Object.keys(letters).map((letter) => {
      const isGranted = row.isPublic || row.who.includes(letter)
      return [letter, isGranted ? allowed : '403 permission_denied']
    })
    const isOfOne = row.isPublic || (row.who.includes('C') && !row.who.includes('*'))
    expected.push([ofOne, isOfOne ? allowed : '403 permission_denied'])
    expected.push(['visitor', row.isPublic ? visitor : '401 unauthenticated'])
    expect([route, answers]).toEqual([route, Object.fromEntries(expected)])
  }
})

test('a route of a student answers nobody of the office', async () => {
  const { cookie } = await signInAs(server, { role: 'administrator', components: [] })
  for (const row of rows.filter(({ who }) => who === 'student')) {
    for (const sent of ['', cookie]) expect([row, await ask(sent, row)]).toEqual([row, '401 unauthenticated'])
  }
})

test('routes of the office need a permission', () => {
  // @ts-expect-error: without a default
  expect(() => staffRoutes('students')).not.toThrow()
  // @ts-expect-error: one of the table
  expect(() => staffRoutes('students', 'everything')).not.toThrow()
})
