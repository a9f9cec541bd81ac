import { beforeEach, describe, expect, test } from 'vitest'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { createStudentClient } from '#tests/setup/student-session.ts'
import { startStudentsServer } from '#tests/setup/students-server.ts'

// 20 November 2026 in Manila.
const now = new Date('2026-11-20T02:00:00Z')
const app = startStudentsServer({ now })

beforeEach(async () => {
  await app.database.db.deleteFrom('privacyRequests').execute()
})

async function enter(overrides: Parameters<typeof storeStudent>[1] = {}) {
  const student = await storeStudent(app.database, { lastName: 'Cruz', ...overrides })
  const client = await createStudentClient(app.server, student.id, now)
  const ask = (body: object) => client.call('POST', '/my/requests', body)
  const refusal = (body: object) => client.refusal('POST', '/my/requests', body)
  const list = async () => await (await client.call('GET', '/my/requests')).json()
  return { ...client, student, ask, refused: refusal, list }
}

interface Asked {
  state: string
  kind: string
}

describe('asking', () => {
  test('keeps the value of now beside the wanted one', async () => {
    const { ask, list, student } = await enter({ dateOfBirth: '2006-01-02' })
    const changes = { lastName: ' Dela Cruz ', yearLevel: '2nd Year' }
    const answer = await ask({ kind: 'correction', changes, reason: 'As on my birth certificate.' })
    expect(answer.status).toBe(201)
    expect(await list()).toEqual({
      items: [
        {
          id: expect.any(String),
          kind: 'correction',
          askedAt: now.toISOString(),
          changes: [
            { field: 'lastName', label: 'Last Name', from: 'Cruz', to: 'Dela Cruz', granted: null },
            { field: 'yearLevel', label: 'Year Level', from: '1st Year', to: '2nd Year', granted: null },
          ],
          reason: 'As on my birth certificate.',
          state: 'open',
          isPart: false,
          absence: null,
          answer: '',
          decidedAt: null,
          waitsForGuardian: false,
        },
      ],
      left: { open: 2, today: 9 },
    })
    expect(await app.trail.entries()).toMatchObject([
      {
        action: 'request-made',
        actor: 'student',
        subject: student.reference,
        fields: ['lastName', 'yearLevel'],
        detail: { kind: 'correction' },
      },
    ])
  })

  test('has the rules of an edit, and refuses what would change nothing', async () => {
    const { refused } = await enter()
    expect(await refused({ kind: 'correction', changes: { email: 'juan' } })).toMatchObject({
      status: 422,
      errors: [{ path: 'changes.email', message: 'Please enter a valid email address.' }],
    })
    expect(await refused({ kind: 'correction', changes: { lastName: 'Cruz' } })).toMatchObject({
      errors: [{ path: 'changes.lastName', message: 'This is what the record says already.' }],
    })
    expect(await refused({ kind: 'correction' })).toMatchObject({ errors: [{ path: 'changes' }] })
    for (const changes of [{ serialNumber: '1' }, { academicYear: '2027-2028' }, { nstpComponent: 'ROTC' }]) {
      expect(await refused({ kind: 'correction', changes })).toMatchObject({ errors: [{ path: 'changes' }] })
    }
    expect(
      await refused({ kind: 'component', changes: { nstpComponent: 'LTS' }, reason: 'A job' }),
    ).toMatchObject({
      errors: [{ path: 'changes.nstpComponent' }],
    })
    // Both at once, each at its control, in the order of the form.
    expect((await refused({ kind: 'component' })).errors).toEqual([
      { path: 'changes.nstpComponent', message: 'Please choose one of the offered components.' },
      { path: 'reason', message: expect.stringContaining('Please write why') },
    ])
    expect(await refused({ kind: 'erasure' })).toMatchObject({ errors: [{ path: 'reason' }] })
    expect(await refused({ kind: 'copy', reason: 'x'.repeat(501) })).toMatchObject({
      errors: [{ path: 'reason' }],
    })
  })

  test('is for the own record alone, past the second step', async () => {
    const [one, other] = [await enter(), await enter()]
    await one.ask({ kind: 'copy' })
    const { items } = await one.list()
    expect((await other.list()).items).toEqual([])
    const path = `/my/requests/${items[0].id}/withdraw`
    expect(await other.refusal('POST', path)).toMatchObject({ status: 404, code: 'not_found' })
    expect((await app.admin.call('GET', '/my/requests')).status).toBe(401)
    await app.database.db.updateTable('studentSessions').set({ openedAt: null }).execute()
    expect((await one.call('GET', '/my/requests')).status).toBe(403)
  })

  test('leaves three open, also of four made at once, and ten a day', async () => {
    const { ask, call, list, refused } = await enter()
    const four = await Promise.all(
      ['lastName', 'firstName', 'middleName', 'religion'].map((field) =>
        ask({ kind: 'correction', changes: { [field]: 'Reyes' } }),
      ),
    )
    expect(four.map(({ status }) => status).sort()).toEqual([201, 201, 201, 429])
    // A right of RA 10173 doesn't wait for them.
    expect((await ask({ kind: 'copy' })).status).toBe(201)
    for (let made = 4; made < 10; made += 1) {
      const { items } = await list()
      const open = items.find(({ state, kind }: Asked) => state === 'open' && kind === 'correction')
      expect((await call('POST', `/my/requests/${open.id}/withdraw`)).status).toBe(204)
      const changes = { [open.changes[0].field]: `Reyes ${'I'.repeat(made)}` }
      expect((await ask({ kind: 'correction', changes })).status).toBe(201)
    }
    expect((await list()).left).toEqual({ open: 0, today: 0 })
    expect(await refused({ kind: 'blocking', reason: 'My name is wrong.' })).toMatchObject({
      status: 429,
      detail: expect.stringContaining('10'),
    })
  })

  test('has each field in one open request', async () => {
    const { ask, call, list, refused } = await enter()
    await ask({ kind: 'correction', changes: { middleName: 'Reyes' } })
    const again = { kind: 'correction', changes: { firstName: 'Anna', middleName: 'Reyez' } }
    expect(await refused(again)).toMatchObject({
      errors: [{ path: 'changes.middleName', message: expect.stringContaining('asked for this already') }],
    })
    const [{ id }] = (await list()).items
    await call('POST', `/my/requests/${id}/withdraw`)
    expect((await ask(again)).status).toBe(201)
  })

  test('of an archived record is for a copy, blocking and erasure', async () => {
    const { ask, refused } = await enter({ archived: true, archivedDate: now })
    expect(await refused({ kind: 'correction', changes: { lastName: 'Reyes' } })).toMatchObject({
      errors: [{ path: 'kind', message: expect.stringContaining('archived') }],
    })
    expect((await ask({ kind: 'copy' })).status).toBe(201)
  })

  test('is for another component until the program is completed', async () => {
    const component = { kind: 'component', changes: { nstpComponent: 'ROTC' }, reason: 'A job.' }
    const { refused } = await enter({ serialNumber: 'C-04-123456-26' })
    expect(await refused(component)).toMatchObject({
      errors: [{ path: 'kind', message: expect.stringContaining('completed the program') }],
    })
  })

  test('of a blocked record is possible', async () => {
    const { ask } = await enter({ restriction: 'blocked' })
    expect((await ask({ kind: 'correction', changes: { lastName: 'Reyes' } })).status).toBe(201)
  })

  test('below 18 waits for the guardian', async () => {
    const { ask, list } = await enter({ dateOfBirth: '2008-11-21' })
    await ask({ kind: 'erasure', reason: 'I left the school.' })
    await ask({ kind: 'copy' })
    expect((await list()).items).toMatchObject([
      { kind: 'copy', waitsForGuardian: false },
      { kind: 'erasure', waitsForGuardian: true },
    ])
    const grown = await enter({ dateOfBirth: '2008-11-20' })
    await grown.ask({ kind: 'erasure', reason: 'I left the school.' })
    expect((await grown.list()).items).toMatchObject([{ waitsForGuardian: false }])
  })
})

describe('a copy, blocking and erasure', () => {
  const privacy = async () => (await (await app.admin.call('GET', '/privacy')).json()).requests

  test('are requests of the screen Privacy, and once each', async () => {
    const { ask, refused, student } = await enter()
    await ask({ kind: 'blocking', reason: 'My name is wrong.' })
    expect(await privacy()).toMatchObject([
      {
        kind: 'objection',
        reference: student.reference,
        receivedOn: '2026-11-20',
        dueOn: '2026-12-20',
        closedOn: null,
      },
    ])
    expect(await refused({ kind: 'blocking', reason: 'Again.' })).toMatchObject({
      errors: [{ path: 'kind' }],
    })
  })

  test('are closed there when they are withdrawn, once', async () => {
    const { ask, call, list } = await enter()
    await ask({ kind: 'copy' })
    const [{ id }] = (await list()).items
    expect((await call('POST', `/my/requests/${id}/withdraw`)).status).toBe(204)
    expect(await privacy()).toMatchObject([{ closedOn: '2026-11-20', outcome: 'withdrawn' }])
    expect((await call('POST', `/my/requests/${id}/withdraw`)).status).toBe(204)
    expect(await app.trail.of('request-withdrawn')).toHaveLength(1)
    expect((await list()).items).toMatchObject([{ state: 'withdrawn', decidedAt: now.toISOString() }])
  })
})
