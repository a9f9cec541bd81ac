import { v7 as createId } from 'uuid'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eraseAgain } from '#server/features/privacy/erasure-repository.ts'
import { readHeld } from '#server/features/privacy/repository.ts'
import { signatureOf } from '#server/lib/digest.ts'
import type { Role } from '#shared/people/permissions.ts'
import type { OfficeRequest } from '#shared/requests/requests-response.ts'
import { storeEnrolment } from '#tests/factories/stored-enrolment.ts'
import { emptyStudents, storeStudent } from '#tests/factories/stored-student.ts'
import { storeTerm } from '#tests/factories/stored-term.ts'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { type AuditTrail, createAuditTrail } from '#tests/setup/audit-trail.ts'
import { startMailingServer } from '#tests/setup/mail-account.ts'
import type { MailSink } from '#tests/setup/mail-sink.ts'
import { freezePaper, makePaper, setOffice } from '#tests/setup/papers.ts'
import { createStaffClient } from '#tests/setup/people.ts'
import { createStudentClient } from '#tests/setup/student-session.ts'
import { type TestServer, testKeys } from '#tests/setup/test-server.ts'
import { untilWaiting } from '#tests/setup/waiting-statements.ts'

let server: TestServer
let sink: MailSink
let close: () => Promise<void>
let admin: ReturnType<typeof createAdminClient>
let trail: AuditTrail
beforeAll(async () => {
  const mailing = await startMailingServer()
  server = mailing.server
  sink = mailing.sink
  close = mailing.close
  admin = createAdminClient(server, await server.signIn())
  trail = createAuditTrail(server.database)
})
afterAll(() => close())
beforeEach(async () => {
  await emptyStudents(server.database)
  await server.database.db.deleteFrom('terms').execute()
  await server.database.db.deleteFrom('privacyRequests').execute()
  await server.database.db.deleteFrom('mailMessages').execute()
  await trail.clear()
})

async function enter(overrides: Parameters<typeof storeStudent>[1] = {}) {
  const student = await storeStudent(server.database, {
    ...{ lastName: 'Cruz', firstName: 'Ana', email: 'ana@student.example', nstpComponent: 'CWTS' },
    ...{ dateOfBirth: '2000-01-02', religion: 'Roman Catholic', ...overrides },
  })
  const client = await createStudentClient(server, student.id)
  const own = async () => (await (await client.call('GET', '/my/requests')).json()).items
  const ask = async (body: object): Promise<string> => {
    const answer = await client.call('POST', '/my/requests', body)
    expect(answer.status, await answer.clone().text()).toBe(201)
    return (await answer.json()).id
  }
  return { ...client, student, own, ask }
}

const asStaff = (role: Role, components: ('ROTC' | 'CWTS')[] = []) =>
  createStaffClient(server, { role, components })
const correction = { kind: 'correction', changes: { lastName: 'Reyes', email: 'reyes@student.example' } }

async function read(id: string, client = admin): Promise<OfficeRequest> {
  const answer = await client.call('GET', `/requests/${id}`)
  expect(answer.status).toBe(200)
  return await answer.json()
}
async function decide(id: string, decision: object, client = admin) {
  const { version, recordVersion } = await read(id, client)
  return await client.call('POST', `/requests/${id}/decide`, { version, recordVersion, ...decision })
}
async function refused(id: string, decision: object, client = admin) {
  const answer = await decide(id, decision, client)
  return { status: answer.status, ...(await answer.json()) }
}
const recordOf = (id: string) =>
  server.database.db.selectFrom('students').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const privacy = async () => (await (await admin.call('GET', '/privacy')).json()).requests

describe('deciding', () => {
  test('accepts one field as an edit of the record, and refuses another with a sentence', async () => {
    const { student, ask, own } = await enter()
    const id = await ask(correction)
    expect(
      (await decide(id, { accept: ['lastName'], answer: 'Bring a letter for the address.' })).status,
    ).toBe(200)
    expect(await recordOf(student.id)).toMatchObject({
      lastName: 'Reyes',
      email: 'ana@student.example',
      version: 2,
    })
    expect(await own()).toMatchObject([
      {
        state: 'granted',
        isPart: true,
        answer: 'Bring a letter for the address.',
        changes: [
          { field: 'lastName', from: 'Cruz', to: 'Reyes', granted: true },
          { field: 'email', granted: false },
        ],
      },
    ])
    expect(await trail.entries()).toMatchObject([
      { action: 'request-made' },
      { action: 'student-viewed' },
      { action: 'student-edited', fields: ['lastName'], detail: { reason: 'student' } },
      { action: 'request-decided', fields: ['lastName'], detail: { kind: 'correction', outcome: 'granted' } },
    ])
    await expect.poll(() => sink.messages.length).toBeGreaterThan(0)
    const mail = JSON.stringify(sink.messages)
    expect(mail).toContain('Bring a letter')
    expect(mail).not.toContain('Reyes')
  })

  test('tells the old address of a changed one', async () => {
    const { ask } = await enter()
    await decide(await ask(correction), { accept: 'all' })
    const messages = await server.database.db
      .selectFrom('mailMessages')
      .select(['kind', 'recipient', 'content'])
      .orderBy('id')
      .execute()
    expect(messages).toMatchObject([
      { kind: 'single', recipient: 'reyes@student.example', content: { template: 'decision' } },
      { kind: 'single', recipient: 'ana@student.example', content: { template: 'address-changed' } },
    ])
  })

  test('is told in the language in which it was asked for', async () => {
    const { call, own } = await enter()
    await call('POST', '/my/requests', correction, { 'Accept-Language': 'fil' })
    const [{ id }] = await own()
    await decide(id, { accept: 'all' })
    const messages = server.database.db
      .selectFrom('mailMessages')
      .select(['subject', 'content'])
      .orderBy('id')
    expect(await messages.execute()).toMatchObject([
      { subject: 'Sinagot ng NSTP office ang iyong hiling', content: { language: 'fil' } },
      { subject: 'Binago ang iyong e-mail address', content: { language: 'fil' } },
    ])
    await expect.poll(() => JSON.stringify(sink.messages)).toContain('Pinagbigyan ang iyong hiling')
  })

  test('needs a sentence for a refusal, fields of the request, and the record as it was read', async () => {
    const { student, ask } = await enter()
    const id = await ask(correction)
    expect(await refused(id, { accept: [] })).toMatchObject({ errors: [{ path: 'answer' }] })
    expect(await refused(id, { accept: ['religion'], answer: 'No.' })).toMatchObject({
      errors: [{ path: 'accept' }],
    })
    const seen = await read(id)
    await admin.call('PATCH', `/students/${student.id}`, { firstName: 'Anna' }, { 'If-Match': '"1"' })
    const stale = { version: seen.version, recordVersion: seen.recordVersion, accept: 'all' }
    expect(await admin.refusal('POST', `/requests/${id}/decide`, stale)).toMatchObject({
      code: 'conflict',
      detail: expect.stringContaining('record was changed'),
    })
  })

  test('shows the sentence of a rule that the value breaks by now, and changes nothing', async () => {
    const { ask, own } = await enter({ course: 'SOBM' })
    const id = await ask({ kind: 'correction', changes: { course: 'SOICT', lastName: 'Reyes' } })
    const { version } = await (await admin.call('GET', '/settings')).json()
    await admin.call('PATCH', '/settings', { courses: ['SOBM'] }, { 'If-Match': `"${version}"` })
    expect(await refused(id, { accept: 'all' })).toMatchObject({
      errors: [{ path: 'course', message: 'Please choose one of the listed options for course.' }],
    })
    expect(await own()).toMatchObject([{ state: 'open' }])
  })

  test('is done by one of two at once', async () => {
    const { student, ask } = await enter()
    const id = await ask(correction)
    const { version, recordVersion } = await read(id)
    const both = await Promise.all(
      ['all', []].map((accept) =>
        admin.call('POST', `/requests/${id}/decide`, { version, recordVersion, accept, answer: 'As asked.' }),
      ),
    )
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await trail.of('request-decided')).toHaveLength(1)
    const { state } = await read(id)
    expect((await recordOf(student.id)).lastName).toBe(state === 'granted' ? 'Reyes' : 'Cruz')
  })

  test('of a component moves the enrolment of an open term', async () => {
    const { student, ask } = await enter()
    const { id: termId } = await storeTerm(server.database, {})
    await storeEnrolment(server.database, { termId, studentId: student.id, component: 'CWTS' })
    const id = await ask({ kind: 'component', changes: { nstpComponent: 'ROTC' }, reason: 'My brother.' })
    const ofCwts = await asStaff('coordinator', ['CWTS'])
    expect(await refused(id, { accept: 'all' }, ofCwts)).toMatchObject({
      status: 403,
      detail: expect.stringContaining('office-wide'),
    })
    const decided = await decide(id, { accept: 'all' })
    expect((await decided.json()).movedIn).toHaveLength(1)
    expect(await recordOf(student.id)).toMatchObject({ nstpComponent: 'ROTC' })
  })
})

describe('who decides', () => {
  test('sees the requests of the own components alone', async () => {
    const { ask } = await enter()
    const id = await ask(correction)
    const ofRotc = await asStaff('coordinator', ['ROTC'])
    expect((await ofRotc.call('GET', `/requests/${id}`)).status).toBe(404)
    expect(await (await ofRotc.call('GET', '/requests')).json()).toMatchObject({ items: [] })
    expect(await (await ofRotc.call('GET', '/requests/counts')).json()).toMatchObject({ open: 0 })
    const body = { version: 1, recordVersion: 1, accept: 'all' }
    expect(await ofRotc.refusal('POST', `/requests/${id}/decide`, body)).toMatchObject({ status: 404 })
  })

  test('an assistant reads and decides no field of another class', async () => {
    const { ask } = await enter()
    const id = await ask({ kind: 'correction', changes: { lastName: 'Reyes', religion: 'Islam' } })
    const assistant = await asStaff('assistant')
    const seen = await read(id, assistant)
    expect(seen.changes.map(({ field }) => field)).toEqual(['lastName'])
    expect(JSON.stringify(seen)).not.toContain('Islam')
    expect(await refused(id, { accept: ['lastName'], answer: 'No.' }, assistant)).toMatchObject({
      status: 403,
    })
    const other = await enter()
    expect((await decide(await other.ask(correction), { accept: 'all' }, assistant)).status).toBe(200)
    // The session of the other one ended with the address.
    const moved = await (await enter()).ask({
      kind: 'component',
      changes: { nstpComponent: 'ROTC' },
      reason: 'A job.',
    })
    expect(await refused(moved, { accept: 'all' }, assistant)).toMatchObject({ status: 403 })
    expect((await (await asStaff('registrar')).call('GET', '/requests')).status).toBe(403)
  })
})

describe('requests of the screen Privacy', () => {
  test('are closed with the one of the student, and the other way round', async () => {
    const { ask, own } = await enter()
    const coordinator = await asStaff('coordinator')
    const copy = await ask({ kind: 'copy' })
    expect(await refused(copy, { accept: 'all' }, coordinator)).toMatchObject({ status: 403 })
    expect((await decide(copy, { accept: 'all' })).status).toBe(200)
    expect(await privacy()).toMatchObject([{ kind: 'copy', outcome: 'granted' }])
    await ask({ kind: 'erasure', reason: 'I left.' })
    const [{ id }] = (await privacy()).filter(
      ({ closedOn }: { closedOn: string | null }) => closedOn === null,
    )
    const officer = await asStaff('privacy officer')
    const closed = await officer.call('POST', `/privacy/requests/${id}/close`, { outcome: 'refused' })
    expect(closed.status).toBe(204)
    expect(await own()).toMatchObject([
      { kind: 'erasure', state: 'refused', answer: 'Please ask the NSTP office for the reason.' },
      { kind: 'copy', state: 'granted', answer: '' },
    ])
  })

  test('that ask for a block are granted once the record is blocked', async () => {
    const { student, ask } = await enter()
    const id = await ask({ kind: 'blocking', reason: 'My name is wrong.' })
    expect(await refused(id, { accept: 'all' })).toMatchObject({
      status: 409,
      detail: expect.stringContaining('Block the record first'),
    })
    await admin.call('PUT', `/students/${student.id}/restriction`, { restriction: 'blocked' })
    expect((await decide(id, { accept: 'all' })).status).toBe(200)
  })

  test('of a student below 18 are granted once somebody spoke with the guardian', async () => {
    const birth = `${new Date().getFullYear() - 17}-01-01`
    const { student, ask } = await enter({ dateOfBirth: birth, guardianName: 'Maria Cruz' })
    const id = await ask({ kind: 'blocking', reason: 'I left.' })
    await admin.call('PUT', `/students/${student.id}/restriction`, { restriction: 'blocked' })
    expect(await read(id)).toMatchObject({ waitsForGuardian: true, guardian: { name: 'Maria Cruz' } })
    const missing = { errors: [{ path: 'guardianAgreed' }] }
    expect(await refused(id, { accept: 'all' })).toMatchObject(missing)
    const [{ id: privacyId }] = await privacy()
    const path = `/privacy/requests/${privacyId}/close`
    expect(await admin.refusal('POST', path, { outcome: 'granted' })).toMatchObject(missing)
    expect((await admin.call('POST', path, { outcome: 'granted', guardianAgreed: true })).status).toBe(204)
    expect(await trail.of('request-decided')).toMatchObject([{ detail: { guardianAgreed: true } }])
  })

  test('that ask for an erasure below 18 wait for the guardian too', async () => {
    const { ask } = await enter({ dateOfBirth: `${new Date().getFullYear() - 17}-01-01` })
    const id = await ask({ kind: 'erasure', reason: 'I left.' })
    expect(await refused(id, { accept: 'all' })).toMatchObject({ errors: [{ path: 'guardianAgreed' }] })
    expect((await decide(id, { accept: 'all', guardianAgreed: true })).status).toBe(200)
  })

  test('are closed while another erases the record', async () => {
    const { student, ask } = await enter()
    await ask({ kind: 'copy' })
    const [{ id }] = await privacy()
    const { db } = server.database
    const closing = await db.transaction().execute(async (tx) => {
      await tx.deleteFrom('students').where('id', '=', student.id).execute()
      const answer = admin.call('POST', `/privacy/requests/${id}/close`, { outcome: 'granted' })
      await untilWaiting(server.database)
      return { answer }
    })
    expect((await closing.answer).status).toBe(204)
  })

  test('that ask for an erasure are closed by the deletion of the record, which is left to do until then', async () => {
    const { student, ask, own, call } = await enter()
    const id = await ask({ kind: 'erasure', reason: 'I left.' })
    const [{ id: privacyId }] = await privacy()
    const path = `/privacy/requests/${privacyId}/close`
    const early = await admin.refusal('POST', path, { outcome: 'granted' })
    expect(early).toMatchObject({ status: 409, detail: expect.stringContaining('Delete the record') })
    expect((await decide(id, { accept: 'all' })).status).toBe(200)
    expect(await own()).toMatchObject([{ state: 'granted' }])
    expect(await privacy()).toMatchObject([{ outcome: null }])
    const late = await admin.refusal('POST', path, { outcome: 'refused' })
    expect(late).toMatchObject({ status: 409, detail: expect.stringContaining('was granted') })
    expect((await call('POST', '/my/requests', { kind: 'erasure', reason: 'Again.' })).status).toBe(422)

    await admin.call('DELETE', `/students/${student.id}`)
    expect((await admin.call('GET', `/requests/${id}`)).status).toBe(404)
    expect(await privacy()).toMatchObject([{ outcome: 'granted' }])
    const subject = student.reference
    expect(await trail.of('privacy-request-closed')).toMatchObject([
      { subject, detail: { outcome: 'granted' } },
    ])
  })

  test('that ask for an erasure are closed by the clean-up of old records too', async () => {
    const archived = { archived: true, archivedDate: new Date('1990-01-01T00:00:00Z') }
    const { reference } = await storeStudent(server.database, archived)
    const request = { kind: 'erasure' as const, reference, receivedOn: '2026-11-01', dueOn: '2026-12-01' }
    await server.database.db
      .insertInto('privacyRequests')
      .values({ ...request, id: createId() })
      .execute()
    expect((await admin.call('POST', '/retention/deletions', { count: 1 })).status).toBe(200)
    expect(await privacy()).toMatchObject([{ reference, outcome: 'granted' }])
  })

  test('are closed also where the record was merged, and none of another record is', async () => {
    const [{ student }, other] = [await enter(), await enter()]
    const { db } = server.database
    const former = { reference: 'NSTP-AAAA-BBBB', studentId: student.id }
    await db.insertInto('formerReferences').values(former).execute()
    const request = { kind: 'erasure' as const, receivedOn: '2026-11-01', dueOn: '2026-12-01' }
    const references = [former.reference, other.student.reference]
    await db
      .insertInto('privacyRequests')
      .values(references.map((reference) => ({ ...request, id: createId(), reference })))
      .execute()
    await admin.call('DELETE', `/students/${student.id}`)
    const left = (await privacy()).filter(({ closedOn }: { closedOn: string | null }) => closedOn === null)
    expect(left).toMatchObject([{ reference: other.student.reference }])
  })
})

describe('GET /requests', () => {
  test('has the oldest open ones first, and finds by name, reference and kind', async () => {
    const [ana, juan] = [await enter(), await enter({ lastName: 'Santos', firstName: 'Juan' })]
    const first = await ana.ask(correction)
    const second = await juan.ask({ kind: 'copy' })
    const ids = async (query: string) =>
      (await (await admin.call('GET', `/requests${query}`)).json()).items.map(({ id }: { id: string }) => id)
    expect(await ids('')).toEqual([first, second])
    expect(await ids('?search=santos')).toEqual([second])
    expect(await ids(`?search=${ana.student.reference}`)).toEqual([first])
    expect(await ids('?kind=copy')).toEqual([second])
    await decide(first, { accept: 'all' })
    expect(await ids('')).toEqual([second])
    expect(await ids('?state=decided')).toEqual([first])
    const page = await (await admin.call('GET', '/requests')).json()
    const counts = await (await admin.call('GET', '/requests/counts')).json()
    expect([page.nextCursor, counts]).toEqual([null, { open: 1, oldest: page.items[0].askedAt }])
  })

  test('goes on behind the first fifty', async () => {
    const ids: string[] = []
    for (let number = 0; number < 17; number += 1) {
      const { ask } = await enter()
      for (const field of ['lastName', 'firstName', 'middleName'])
        ids.push(await ask({ kind: 'correction', changes: { [field]: 'Reyes' } }))
    }
    const first = await (await admin.call('GET', '/requests')).json()
    expect(first.items).toHaveLength(50)
    const rest = await (await admin.call('GET', `/requests?cursor=${first.nextCursor}`)).json()
    expect(rest.items.map(({ id }: { id: string }) => id)).toEqual(ids.slice(50))
  })
})

describe('the record of a request', () => {
  const referencesOf = () =>
    server.database.db.selectFrom('formerReferences').selectAll().orderBy('reference').execute()

  test('is the remaining one after a merge, which also has the codes; the undo gives both back', async () => {
    const [keep, drop, first] = [await enter(), await enter(), await enter()]
    const id = await drop.ask(correction)
    const merge = async (keepId: string, dropId: string) => {
      const versions = {
        keepVersion: (await recordOf(keepId)).version,
        dropVersion: (await recordOf(dropId)).version,
      }
      const merged = await admin.call('POST', '/students/merge', { keepId, dropId, ...versions, take: {} })
      expect(merged.status).toBe(200)
    }
    await merge(drop.student.id, first.student.id)
    const before = await referencesOf()
    expect(before).toEqual([{ reference: first.student.reference, studentId: drop.student.id }])
    await merge(keep.student.id, drop.student.id)
    const moved = await read(id)
    expect(moved).toMatchObject({ studentId: keep.student.id, state: 'open' })
    expect(moved.formerReferences.sort()).toEqual([drop.student.reference, first.student.reference].sort())
    expect((await admin.call('POST', `/students/${drop.student.id}/restore`)).status).toBe(204)
    expect(await read(id)).toMatchObject({ studentId: drop.student.id })
    expect(await referencesOf()).toEqual(before)
  })

  test('that says something else by now, as after a merge, takes a change by the name of its field alone', async () => {
    const keep = await enter({ lastName: 'Santos', email: 'ana@student.example' })
    const drop = await enter()
    const id = await drop.ask(correction)
    const [keepId, dropId] = [keep.student.id, drop.student.id]
    const merged = { keepId, dropId, keepVersion: 1, dropVersion: 1, take: {} }
    expect((await admin.call('POST', '/students/merge', merged)).status).toBe(200)
    expect(await refused(id, { accept: 'all' })).toMatchObject({
      status: 422,
      errors: [{ path: 'accept', message: expect.stringContaining('one by one') }],
    })
    expect(await recordOf(keepId)).toMatchObject({ lastName: 'Santos' })
    expect((await decide(id, { accept: ['lastName', 'email'] })).status).toBe(200)
    expect(await recordOf(keepId)).toMatchObject({ lastName: 'Reyes', email: 'reyes@student.example' })
  })

  test('that is archived meanwhile keeps its open request, and says so', async () => {
    const { student, ask } = await enter()
    const id = await ask(correction)
    await admin.call('POST', `/students/${student.id}/archive`)
    expect(await read(id)).toMatchObject({ archived: true, changes: [{ from: 'Cruz', now: 'Cruz' }, {}] })
  })

  test('is not rejected as fake, and its file has the request', async () => {
    const { student, ask } = await enter()
    await ask({ ...correction, reason: 'As on my birth certificate.' })
    const preview = await admin.call('POST', '/students/rejections/preview', { ids: [student.id] })
    expect(await preview.json()).toMatchObject({ total: 1, kept: 1 })
    const held = JSON.stringify(await readHeld(server.database.db, student))
    expect(held).toContain('As on my birth certificate.')
    expect(held).toContain('Reyes')
  })

  test('takes requests and codes along when it is erased, also again after a restore', async () => {
    const { student, ask } = await enter()
    await ask(correction)
    const { db } = server.database
    await db
      .insertInto('formerReferences')
      .values({ reference: 'NSTP-AAAA-BBBB', studentId: student.id })
      .execute()
    const recordHash = signatureOf(testKeys.erasures, student.id)
    const known = [{ recordHash, erasedAt: new Date() }]
    await db.transaction().execute((tx) => eraseAgain(tx, known, { keys: testKeys, next: testKeys }))
    expect(await db.selectFrom('studentRequests').selectAll().execute()).toEqual([])
    expect(await referencesOf()).toEqual([])
  })

  test('is in papers and on certificates with the value of then, which the request names', async () => {
    const { student, ask } = await enter()
    await setOffice(admin)
    const { id: termId } = await storeTerm(server.database, {})
    await storeEnrolment(server.database, { termId, studentId: student.id, component: 'CWTS' })
    const paper = await freezePaper(server, admin, await makePaper(admin, { title: 'CHED workbook' }))
    const id = await ask({ kind: 'correction', changes: { lastName: 'Reyes', religion: 'Islam' } })
    const named = { title: 'CHED workbook', state: 'frozen', sentOn: null, labels: ['Last Name'] }
    expect((await read(id)).papers).toEqual([{ id: paper.id, ...named }])
    const other = await ask({ kind: 'correction', changes: { citizenship: 'Palauan' } })
    expect((await read(other)).papers).toEqual([])
    const all = await ask({ kind: 'erasure', reason: 'I left.' })
    expect((await read(all)).papers).toEqual([{ id: paper.id, ...named, labels: [] }])
  })
})
