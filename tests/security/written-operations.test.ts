import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operationsOf, readDescription } from '#tests/setup/api-description.ts'
import { createApiWalk } from '#tests/setup/api-walk/api-walk.ts'
import type { Around, Call } from '#tests/setup/api-walk/walk.ts'
import { type MailSink, startMailSink } from '#tests/setup/mail-sink.ts'
import { setOffice } from '#tests/setup/papers.ts'
import { signInAs } from '#tests/setup/people.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

// Written by hand, so that an entry that is lost, or a version or key that is ignored, is seen.

/** The actions that an operation leaves in the audit trail. */
const actionsOf: Record<string, string> = {
  'POST /announcements': 'announcement-added',
  'PATCH /announcements/{id}': 'announcement-edited',
  'DELETE /announcements/{id}': 'announcement-deleted',
  'POST /announcements/{id}/mail': 'mail-batch-started',
  'POST /announcements/{id}/restore': 'announcement-restored',
  'POST /backup': 'backup-made',
  'POST /backup/nightly': 'backup-made',
  'PUT /backup/nightly': 'nightly-backup-changed',
  'POST /certificates': 'certificates-issued',
  'POST /certificates/prints': 'certificates-printed',
  'POST /certificates/{id}/reissue': 'certificate-revoked certificates-issued',
  'POST /certificates/{id}/revoke': 'certificate-revoked',
  'POST /credits': 'credit-changed',
  'POST /credits/batches/{id}/undo': 'credit-changed',
  'POST /credits/{id}/revoke': 'credit-changed',
  'POST /emailService/send-welcome-email': 'mail-sent',
  'POST /enrolment-batches/{id}/undo': 'enrolments-undone',
  'POST /enrolments/drop': 'enrolments-changed',
  'POST /enrolments/section': 'enrolments-changed',
  'POST /enrolments/{id}/move': 'enrolments-changed student-edited',
  'POST /imports': 'import-uploaded',
  'DELETE /imports/{id}': 'import-deleted',
  'POST /imports/{id}/undo': 'import-undone list-undone student-updated',
  'PUT /layouts/{code}/base': 'layout-changed',
  'DELETE /layouts/{code}/base': 'layout-changed',
  'PUT /layouts/{code}/confirmed': 'layout-changed',
  'DELETE /mail/account': 'mail-account-changed',
  'POST /mail/audience': 'students-listed',
  'POST /mail/batches': 'mail-batch-started',
  'POST /mail/batches/{id}/cancel': 'mail-batch-cancelled',
  'POST /mail/batches/{id}/pause': 'mail-batch-paused',
  'POST /mail/batches/{id}/repeat': 'mail-batch-started',
  'POST /mail/batches/{id}/resume': 'mail-batch-resumed',
  'POST /mail/batches/{id}/settle': 'mail-decided',
  'POST /mail/bounces/{id}/resolve': 'bounce-resolved',
  'POST /mail/messages/{id}/send-again': 'mail-decided',
  'POST /mail/messages/{id}/settle': 'mail-decided',
  'POST /mail/recipients/record': 'students-listed',
  'POST /mail/test': 'mail-sent',
  'POST /mail/test/bulk': 'mail-sent',
  'POST /my/requests': 'request-made',
  'POST /my/requests/{id}/withdraw': 'request-withdrawn',
  'POST /org-chart/nodes': 'org-node-added',
  'PATCH /org-chart/nodes/{id}': 'org-node-edited',
  'DELETE /org-chart/nodes/{id}': 'org-node-deleted',
  'PUT /org-chart/order': 'org-chart-arranged',
  'POST /papers': 'paper-changed',
  'PATCH /papers/{id}': 'paper-changed',
  'DELETE /papers/{id}': 'paper-changed',
  'PUT /papers/{id}/answers': 'paper-changed',
  'POST /papers/{id}/check': 'students-listed',
  'POST /papers/{id}/copy': 'paper-changed',
  'POST /papers/{id}/fixes': 'student-edited',
  'POST /papers/{id}/freeze': 'paper-frozen',
  'POST /papers/{id}/range': 'import-uploaded',
  'POST /papers/{id}/state': 'paper-sent',
  'POST /papers/{id}/unfreeze': 'paper-changed',
  'POST /people': 'person-added',
  'PATCH /people/{id}': 'person-changed person-ended',
  'POST /people/{id}/password': 'password-changed',
  'POST /people/{id}/second-factor-reset': 'second-factor-reset',
  'POST /people/{id}/sign-out': 'device-signed-out',
  'POST /privacy/breaches': 'breach-recorded',
  'POST /privacy/breaches/{id}/told': 'breach-told',
  'POST /privacy/requests': 'privacy-request-added',
  'POST /privacy/requests/{id}/close': 'privacy-request-closed',
  'POST /requests/{id}/decide': 'request-decided student-edited',
  'POST /retention/date': 'date-confirmed',
  'POST /retention/deletions': 'student-deleted',
  'PATCH /sections/{id}': 'sections-changed',
  'DELETE /sections/{id}': 'sections-changed',
  'POST /roll/{id}': 'attendance-called',
  'POST /send-bulk-emails': 'mail-batch-started',
  'POST /send-email': 'mail-sent',
  'POST /session': 'signed-in',
  'DELETE /session': 'signed-out',
  'DELETE /session/devices': 'device-signed-out',
  'DELETE /session/devices/{id}': 'device-signed-out',
  'PUT /session/password': 'password-changed',
  'POST /session/two-factor': 'two-factor-on',
  'POST /session/two-factor/off': 'two-factor-off',
  'POST /session/two-factor/recovery-codes': 'recovery-codes-renewed',
  'PATCH /settings': 'settings-changed',
  'PUT /settings/logo': 'settings-changed',
  'DELETE /settings/logo': 'settings-changed',
  'POST /slides': 'slide-added',
  'PUT /slides/order': 'slides-reordered',
  'PATCH /slides/{id}': 'slide-edited',
  'DELETE /slides/{id}': 'slide-deleted',
  'POST /statistics/prints': 'statistics-printed',
  'POST /students/archive': 'student-archived',
  'POST /students/changes': 'student-edited',
  'POST /students/changes/{id}/undo': 'student-edited',
  'POST /students/duplicates/dismiss': 'duplicate-dismissed',
  'POST /students/export.xlsx': 'students-exported',
  'POST /students/merge': 'students-merged',
  'POST /students/prints': 'students-printed',
  'POST /students/rejections': 'many-removed registrations-rejected',
  'POST /students/rejections/preview': 'students-listed',
  'POST /students/rejections/{id}/undo': 'rejection-undone',
  'POST /students/sheets': 'students-printed',
  'POST /students/slips': 'slips-made',
  'POST /students/unarchive': 'student-unarchived',
  'PATCH /students/{id}': 'student-edited',
  'DELETE /students/{id}': 'student-deleted',
  'POST /students/{id}/archive': 'student-archived',
  'POST /students/{id}/credits': 'credit-changed',
  'PUT /students/{id}/mail': 'mail-opt-out-changed',
  'POST /students/{id}/restore': 'merge-undone',
  'PUT /students/{id}/restriction': 'student-restricted',
  'POST /students/{id}/unarchive': 'student-unarchived',
  'POST /students/{id}/welcome-mail': 'mail-sent',
  'POST /terms': 'term-changed',
  'DELETE /terms/{id}': 'term-changed',
  'PATCH /terms/{id}': 'term-changed',
  'POST /terms/{id}/attendance': 'attendance-called',
  'PUT /terms/{id}/attendance-rule': 'attendance-rule-changed',
  'POST /terms/{id}/continuations': 'students-continued',
  'POST /terms/{id}/enrolments': 'enrolments-changed',
  'PUT /terms/{id}/mark-scheme': 'mark-scheme-changed',
  'PUT /terms/{id}/marks': 'marks-entered',
  'POST /terms/{id}/placements': 'students-placed',
  'PUT /terms/{id}/scores': 'scores-entered',
  'POST /terms/{id}/sections': 'sections-changed',
  'POST /terms/{id}/training-days': 'training-days-changed',
  'POST /tokens': 'api-token-made',
  'DELETE /tokens/{id}': 'api-token-revoked',
  'PATCH /training-days/{id}': 'training-days-changed',
  'DELETE /training-days/{id}': 'training-days-changed',
  'POST /training-days/{id}/closing': 'training-day-closed',
  'POST /training-days/{id}/reopening': 'training-day-reopened',
  'POST /update-email-config': 'mail-account-changed',
}

/** They change no record of the office, or their entries come with later work. */
const writesNoEntry = [
  'PATCH /imports/{id}/rows',
  'PATCH /imports/{id}/rows/{number}',
  'POST /announcements/preview',
  'POST /imports/{id}/replacements',
  'POST /imports/{id}/run',
  'POST /mail/opt-out',
  'POST /mail/preview',
  'POST /mail/recipients/file',
  'POST /mail/server-test',
  'POST /my/code',
  'POST /my/lost-code',
  'POST /my/session',
  'POST /my/session/code',
  'POST /my/session/slip',
  'DELETE /my/session',
  'POST /registrations',
  'POST /script-errors',
  'POST /session/device',
  'POST /session/proof',
  'POST /session/two-factor/set-up',
  'POST /students/changes/preview',
  'POST /terms/{id}/continuations/preview',
  'POST /terms/{id}/placements/preview',
  'PUT /imports/{id}/mapping',
  'PUT /imports/{id}/reading',
  'PUT /students/seen',
]

/** The topics that an operation announces, by which open screens read again. */
const topicsOf: Record<string, string> = {
  'POST /announcements': 'announcements',
  'PATCH /announcements/{id}': 'announcements',
  'DELETE /announcements/{id}': 'announcements',
  'POST /announcements/{id}/mail': 'mail',
  'POST /announcements/{id}/restore': 'announcements',
  'POST /backup/nightly': 'settings',
  'PUT /backup/nightly': 'settings',
  'POST /certificates': 'certificates',
  'POST /certificates/prints': 'certificates',
  'POST /certificates/{id}/reissue': 'certificates',
  'POST /certificates/{id}/revoke': 'certificates',
  'POST /credits': 'terms',
  'POST /credits/batches/{id}/undo': 'terms',
  'POST /credits/{id}/revoke': 'terms',
  'POST /emailService/send-welcome-email': 'mail',
  'POST /enrolment-batches/{id}/undo': 'terms',
  'POST /enrolments/drop': 'terms',
  'POST /enrolments/section': 'terms',
  'POST /enrolments/{id}/move': 'students terms',
  'POST /imports': 'imports',
  'DELETE /imports/{id}': 'imports',
  'POST /imports/{id}/undo': 'imports papers students terms',
  'PUT /layouts/{code}/base': 'papers',
  'DELETE /layouts/{code}/base': 'papers',
  'PUT /layouts/{code}/confirmed': 'settings',
  'DELETE /mail/account': 'mail mail-account',
  'POST /mail/batches': 'mail',
  'POST /mail/batches/{id}/cancel': 'mail',
  'POST /mail/batches/{id}/pause': 'mail',
  'POST /mail/batches/{id}/repeat': 'mail',
  'POST /mail/batches/{id}/resume': 'mail',
  'POST /mail/batches/{id}/settle': 'mail',
  'POST /mail/bounces/{id}/resolve': 'mail',
  'POST /mail/messages/{id}/send-again': 'mail',
  'POST /mail/messages/{id}/settle': 'mail',
  'POST /mail/test': 'mail',
  'POST /mail/test/bulk': 'mail',
  'POST /my/requests': 'requests students',
  'POST /my/requests/{id}/withdraw': 'requests students',
  'POST /org-chart/nodes': 'org-chart',
  'PATCH /org-chart/nodes/{id}': 'org-chart',
  'DELETE /org-chart/nodes/{id}': 'org-chart',
  'PUT /org-chart/order': 'org-chart',
  'POST /papers': 'papers',
  'PATCH /papers/{id}': 'papers',
  'DELETE /papers/{id}': 'papers',
  'PUT /papers/{id}/answers': 'papers',
  'POST /papers/{id}/copy': 'papers',
  'POST /papers/{id}/fixes': 'students',
  'POST /papers/{id}/freeze': 'papers',
  'POST /papers/{id}/range': 'imports',
  'POST /papers/{id}/state': 'papers',
  'POST /papers/{id}/unfreeze': 'papers',
  'POST /people': 'people',
  'PATCH /people/{id}': 'mail-account people session',
  'POST /people/{id}/password': 'mail-account people session',
  'POST /people/{id}/second-factor-reset': 'people session',
  'POST /people/{id}/sign-out': 'people session',
  'POST /privacy/breaches': 'students',
  'POST /privacy/breaches/{id}/told': 'students',
  'POST /privacy/requests': 'students',
  'POST /privacy/requests/{id}/close': 'students',
  'POST /requests/{id}/decide': 'mail requests students',
  'POST /retention/date': 'settings',
  'POST /retention/deletions': 'students',
  'PATCH /sections/{id}': 'terms',
  'DELETE /sections/{id}': 'terms',
  'POST /roll/{id}': 'attendance',
  'POST /send-bulk-emails': 'mail',
  'POST /send-email': 'mail',
  'POST /session': 'session',
  'DELETE /session': 'session',
  'DELETE /session/devices': 'session',
  'DELETE /session/devices/{id}': 'session',
  'PUT /session/password': 'session',
  'POST /session/two-factor': 'session',
  'POST /session/two-factor/off': 'session',
  'POST /session/two-factor/recovery-codes': 'session',
  'PATCH /settings': 'settings',
  'PUT /settings/logo': 'settings',
  'DELETE /settings/logo': 'settings',
  'POST /slides': 'slides',
  'PUT /slides/order': 'slides',
  'PATCH /slides/{id}': 'slides',
  'DELETE /slides/{id}': 'slides',
  'POST /students/archive': 'students',
  'POST /students/changes': 'students',
  'POST /students/changes/{id}/undo': 'students',
  'POST /students/duplicates/dismiss': 'students',
  'POST /students/merge': 'students',
  'POST /students/rejections': 'mail students',
  'POST /students/rejections/{id}/undo': 'mail students',
  'POST /students/unarchive': 'students',
  'PATCH /students/{id}': 'students',
  'DELETE /students/{id}': 'students',
  'POST /students/{id}/archive': 'students',
  'POST /students/{id}/credits': 'terms',
  'PUT /students/{id}/mail': 'mail',
  'POST /students/{id}/restore': 'students',
  'PUT /students/{id}/restriction': 'students',
  'POST /students/{id}/unarchive': 'students',
  'POST /students/{id}/welcome-mail': 'mail',
  'POST /terms': 'terms',
  'DELETE /terms/{id}': 'terms',
  'PATCH /terms/{id}': 'attendance terms',
  'POST /terms/{id}/attendance': 'attendance',
  'PUT /terms/{id}/attendance-rule': 'attendance',
  'POST /terms/{id}/continuations': 'terms',
  'POST /terms/{id}/enrolments': 'terms',
  'PUT /terms/{id}/mark-scheme': 'terms',
  'PUT /terms/{id}/marks': 'terms',
  'POST /terms/{id}/placements': 'terms',
  'PUT /terms/{id}/scores': 'terms',
  'POST /terms/{id}/sections': 'terms',
  'POST /terms/{id}/training-days': 'attendance',
  'POST /tokens': 'mail-account',
  'DELETE /tokens/{id}': 'mail-account',
  'PATCH /training-days/{id}': 'attendance',
  'DELETE /training-days/{id}': 'attendance',
  'POST /training-days/{id}/closing': 'attendance',
  'POST /training-days/{id}/reopening': 'attendance',
  'POST /update-email-config': 'mail mail-account',
  '': 'session settings',
  'POST /mail/opt-out': 'mail',
  'POST /registrations': 'mail students',
  'POST /my/lost-code': 'mail',
  'POST /my/code': 'mail',
  'PUT /imports/{id}/reading': 'imports',
  'PUT /imports/{id}/mapping': 'imports',
  'PATCH /imports/{id}/rows': 'imports',
  'PATCH /imports/{id}/rows/{number}': 'imports',
  'POST /imports/{id}/replacements': 'imports',
  'POST /imports/{id}/run': 'imports papers students terms',
}

/** Operations that leave an entry, but change nothing that a screen shows. */
const announcesNothing = [
  'POST /backup',
  'POST /mail/audience',
  'POST /mail/recipients/record',
  'POST /papers/{id}/check',
  'POST /statistics/prints',
  'POST /students/export.xlsx',
  'POST /students/prints',
  'POST /students/rejections/preview',
  'POST /students/sheets',
  'POST /students/slips',
]

/** They take If-Match. */
const ofOneVersion = [
  'PATCH /people/{id}',
  'POST /people/{id}/password',
  'PATCH /students/{id}',
  'DELETE /terms/{id}',
  'PATCH /sections/{id}',
  'DELETE /sections/{id}',
  'POST /enrolments/{id}/move',
  'PATCH /terms/{id}',
  'PATCH /training-days/{id}',
  'DELETE /training-days/{id}',
  'POST /training-days/{id}/closing',
  'POST /training-days/{id}/reopening',
  'PATCH /papers/{id}',
  'POST /papers/{id}/freeze',
  'POST /papers/{id}/unfreeze',
  'POST /papers/{id}/state',
  'DELETE /papers/{id}',
  'PATCH /announcements/{id}',
  'DELETE /announcements/{id}',
  'PATCH /slides/{id}',
  'PATCH /org-chart/nodes/{id}',
  'DELETE /slides/{id}',
  'DELETE /org-chart/nodes/{id}',
  'PATCH /settings',
  'PUT /backup/nightly',
  'POST /update-email-config',
]

/** They take Idempotency-Key, with the status of their answer. */
const ofOneKey: Record<string, number> = {
  'POST /send-email': 200,
  'POST /mail/test': 200,
  'POST /mail/test/bulk': 200,
  'POST /mail/batches': 202,
  'POST /send-bulk-emails': 200,
  'POST /mail/batches/{id}/repeat': 202,
  'POST /registrations': 201,
  'POST /terms/{id}/enrolments': 200,
  'POST /terms/{id}/placements': 200,
  'POST /enrolments/section': 200,
  'POST /enrolments/drop': 200,
  'PUT /terms/{id}/marks': 200,
  'POST /terms/{id}/continuations': 200,
  'POST /certificates': 200,
}

let server: TestServer
let sink: MailSink
/** The actions that each operation that writes left in the audit trail, over all its calls. */
const written = new Map<string, Set<string>>()
/** The topics that each announced. */
const announced = new Map<string, Set<string>>()
/** What a version that nobody has, and a key that was used, are answered, and what that left in the trail. */
const stale = new Map<string, string>()
const repeated = new Map<string, string>()
/** The operations whose answer another account got by the same key. */
const shared: string[] = []

const takesHeader = (name: string, operation: { parameters?: { name: string; in: string }[] }) =>
  operation.parameters?.some(
    (parameter) => parameter.in === 'header' && parameter.name.toLowerCase() === name,
  )
const routesWith = async (name: string) =>
  operationsOf(await readDescription(server.url))
    .filter(({ operation }) => takesHeader(name, operation))
    .map(({ path, method }) => `${method.toUpperCase()} ${path}`)

/** A batch goes on between two answers: it is the same one. */
function whatOf(text: string): string {
  const answer: unknown = JSON.parse(text)
  return typeof answer === 'object' && answer !== null && 'id' in answer ? String(answer.id) : text
}

beforeAll(async () => {
  sink = await startMailSink()
  server = await startTestServer()
  const { db } = server.database
  const withKeys = new Set(await routesWith('idempotency-key'))
  const actionsAfter = async (id: string) =>
    (
      await db.selectFrom('auditEvents').select(['id', 'action']).where('id', '>', id).orderBy('id').execute()
    ).map(({ action }) => action)
  const lastEntry = async () =>
    (await db.selectFrom('auditEvents').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst())?.id ??
    '0'

  let current = ''
  server.onPublish((topic) => announced.set(current, (announced.get(current) ?? new Set()).add(topic)))
  const around: Around = async (route, call, send) => {
    if (route.startsWith('GET ')) return send(call)
    // Work that goes on after an answer ends before the next operation.
    current = route
    if (call.version !== undefined) {
      const before = await lastEntry()
      const answer = await send({ ...call, version: call.version + 1_000 })
      await answer.body?.cancel()
      stale.set(route, [answer.status, ...(await actionsAfter(before))].join(' '))
    }
    const before = await lastEntry()
    const sent = withKeys.has(route) ? { ...call, key: randomUUID() } : call
    const answer = await send(sent)
    const actions = written.get(route) ?? new Set()
    for (const action of await actionsAfter(before)) actions.add(action)
    written.set(route, actions)
    if (sent.key !== undefined && answer.ok)
      await sendAgain(route, whatOf(await answer.clone().text()), { send, sent })
    return answer
  }
  const { cookie } = await signInAs(server, { role: 'administrator', components: [] })
  async function sendAgain(
    route: string,
    what: string,
    { send, sent }: { send: (call: Call) => Promise<Response>; sent: Call },
  ) {
    const done = await lastEntry()
    const again = await send(sent)
    const isSame = whatOf(await again.text()) === what
    repeated.set(route, [again.status, isSame ? 'same' : 'other', ...(await actionsAfter(done))].join(' '))
    const ofOther = await send({ ...sent, elsewhere: { url: server.url, cookie } })
    if (whatOf(await ofOther.text()) === what) shared.push(route)
  }
  const walk = await createApiWalk(server, sink, around)
  await setOffice(walk.office)
  await walk.walkAs('administrator', '2026-2027')
}, 300_000)
afterAll(async () => {
  await server.close()
  await sink.close()
})

test('every operation that writes leaves its entries in the trail', () => {
  const left = [...written].filter(([, actions]) => actions.size > 0)
  expect(Object.fromEntries(left.map(([route, actions]) => [route, [...actions].sort().join(' ')]))).toEqual(
    actionsOf,
  )
  const without = [...written].filter(([, actions]) => actions.size === 0).map(([route]) => route)
  expect(without.sort()).toEqual([...writesNoEntry].sort())
})

test('every operation that writes announces what it changed', () => {
  const lost = Object.entries(topicsOf).flatMap(([route, topics]) =>
    topics.split(' ').flatMap((topic) => (announced.get(route)?.has(topic) ? [] : [`${route}: ${topic}`])),
  )
  expect(lost).toEqual([])
  const silent = Object.keys(actionsOf).filter((route) => !(route in topicsOf))
  expect(silent.sort()).toEqual([...announcesNothing].sort())
})

test('a version that nobody has is refused as a conflict by each operation that takes one, and leaves no entry', async () => {
  expect(Object.fromEntries(stale)).toEqual(Object.fromEntries(ofOneVersion.map((route) => [route, '409'])))
  expect((await routesWith('if-match')).sort()).toEqual([...ofOneVersion].sort())
})

test('a key that was used gets the first answer by each operation that takes one, and leaves no entry', async () => {
  const expected = Object.entries(ofOneKey).map(([route, status]) => [route, `${status} same`])
  expect(Object.fromEntries(repeated)).toEqual(Object.fromEntries(expected))
  expect((await routesWith('idempotency-key')).sort()).toEqual(Object.keys(ofOneKey).sort())
})

test('a key is of its sender: another account with the same key gets no answer of the first', () => {
  // The key of a visitor's form, which nobody else knows.
  expect(shared).toEqual(['POST /registrations'])
})
