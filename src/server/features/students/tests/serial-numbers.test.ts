import { sql } from 'kysely'
import { v7 as createId } from 'uuid'
import { beforeEach, describe, expect, test } from 'vitest'
import { buildRegistration } from '#tests/factories/registration.ts'
import { buildSheetRow, toCsv } from '#tests/factories/spreadsheet.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { importsOf } from '#tests/setup/imports.ts'
import { setOffice } from '#tests/setup/papers.ts'
import { createStaffClient } from '#tests/setup/people.ts'
import { startStudentsServer } from '#tests/setup/students-server.ts'

const own = startStudentsServer()
let imports: ReturnType<typeof importsOf>

beforeEach(async () => {
  for (const table of ['importRows', 'imports', 'rejectedStudents', 'undoableChanges'] as const)
    await own.database.db.deleteFrom(table).execute()
  await setOffice(own.admin)
  imports = importsOf(own.server, await own.server.signIn())
})

type Client = Pick<typeof own.admin, 'call' | 'refusal'>
const taken = 'C-03-100001-26'
const free = 'C-03-100002-26'

const store = (lastName: string, overrides: Parameters<typeof storeStudent>[1] = {}) =>
  storeStudent(own.database, {
    lastName,
    firstName: 'Rosa',
    middleName: '',
    extensionName: '',
    nstpComponent: 'CWTS',
    serialNumber: '',
    ...overrides,
  })

const edit = (
  { id }: { id: string },
  serialNumber: string,
  { by = own.admin, version = 1, query = '' }: { by?: Client; version?: number; query?: string } = {},
) => by.call('PATCH', `/students/${id}${query}`, { serialNumber }, { 'If-Match': `"${version}"` })

async function serialOf({ id }: { id: string }): Promise<string> {
  const query = own.database.db.selectFrom('students').select('serialNumber').where('id', '=', id)
  return (await query.executeTakeFirstOrThrow()).serialNumber
}

async function errorsOf(answer: Response) {
  return [answer.status, (await answer.json()).errors]
}

describe('a typed serial number', () => {
  test('of another student is refused with the name, however it is written, and confirming changes nothing', async () => {
    await store('Holder', { serialNumber: taken })
    const student = await store('Abad')
    for (const typed of [taken, 'c-03-100001-26', 'C03 100001-26'])
      for (const query of ['', '?serialMeant=true'])
        expect(await errorsOf(await edit(student, typed, { query }))).toEqual([
          422,
          [{ path: 'serialNumber', message: 'Holder, Rosa already has this number.' }],
        ])
    expect(await serialOf(student)).toBe('')
  })

  test('of a student in another component names nobody', async () => {
    await store('Holder', { serialNumber: taken, nstpComponent: 'LTS' })
    const student = await store('Abad')
    const by = await createStaffClient(own.server, { role: 'coordinator', components: ['CWTS'] })
    expect(await errorsOf(await edit(student, taken, { by }))).toEqual([
      422,
      [{ path: 'serialNumber', message: 'A student of LTS already has this number.' }],
    ])
  })

  test.each([
    ['abc', 'abc has an unusual form.'],
    ['L-03-100001-26', 'Letter L, but Abad, Rosa is in CWTS.'],
    ['C-07-100001-26', 'Region 07, but ours is 03.'],
  ])('%s is a question, and taken once it is confirmed', async (typed, message) => {
    const student = await store('Abad')
    expect(await errorsOf(await edit(student, typed))).toEqual([422, [{ path: 'serialMeant', message }]])
    expect(await serialOf(student)).toBe('')
    expect((await edit(student, typed, { query: '?serialMeant=true' })).status).toBe(200)
    expect(await serialOf(student)).toBe(typed)
  })

  test('is stored as the pattern writes it', async () => {
    const student = await store('Abad')
    expect((await edit(student, ' c03100001-26 ')).status).toBe(200)
    expect(await serialOf(student)).toBe(taken)
  })

  test('is given to one of two students at once', async () => {
    const students = [await store('Abad'), await store('Cruz'), await store('Reyes'), await store('Santos')]
    const answers = await Promise.all(students.map((student) => edit(student, taken)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422])
  })

  test('that two students have already stays when something else is edited, and is listed', async () => {
    const one = await store('Abad', { serialNumber: taken })
    await store('Cruz', { serialNumber: 'c03100001-26', nstpComponent: 'LTS' })
    await store('Reyes', { serialNumber: free })
    await store('Santos', { serialNumber: 'to follow' })
    await store('Torres', { serialNumber: 'to follow' })
    const version = { 'If-Match': '"1"' }
    const answer = await own.admin.call('PATCH', `/students/${one.id}`, { lastName: 'Abád' }, version)
    expect(answer.status).toBe(200)
    const names = async (by: Client) => {
      const { items } = await (await by.call('GET', '/students?missing=ownSerial&sort=name')).json()
      return items.map(({ lastName }: { lastName: string }) => lastName)
    }
    expect(await names(own.admin)).toEqual(['Abád', 'Cruz'])
    const lts = await createStaffClient(own.server, { role: 'coordinator', components: ['LTS'] })
    expect(await names(lts)).toEqual(['Cruz'])
  })
})

function postEnlistment(serialNumber: string): Promise<Response> {
  return fetch(`${own.server.url}/api/registrations`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': createId() },
    body: JSON.stringify({ ...buildRegistration(), nstpComponent: 'CWTS', serialNumber }),
  })
}

describe('an enlistment', () => {
  const enlist = async (serialNumber: string) => {
    const answer = await postEnlistment(serialNumber)
    expect(answer.status).toBe(201)
    const received = await answer.json()
    return { received, stored: await serialOf(received) }
  }

  test('keeps a typed number that nobody has', async () => {
    expect((await enlist('c-03-100002-26')).stored).toBe(free)
  })

  test.each([taken, 'c03100001-26', 'abc', 'L-03-100009-26'])(
    'with %s is stored without a number, and says nothing of it',
    async (typed) => {
      await store('Holder', { serialNumber: taken })
      const { received, stored } = await enlist(typed)
      expect(stored).toBe('')
      expect(JSON.stringify(received)).not.toMatch(/Holder|serial/i)
    },
  )

  test('of many at once gives a number to one', async () => {
    const enlisted = await Promise.all(Array.from({ length: 6 }, () => enlist(free)))
    expect(enlisted.map(({ received }) => received.id)).toHaveLength(6)
    const rows = await own.database.db.selectFrom('students').select('serialNumber').execute()
    expect(rows.filter(({ serialNumber }) => serialNumber === free)).toHaveLength(1)
  })
})

test('enlistments with a number never wait for a list that is applied, and keep nobody else waiting', async () => {
  await own.database.transact(
    async (tx) => {
      // The lock of the lists of numbers, as `serial-number-repository.ts` has it.
      await sql`select pg_advisory_xact_lock(903026)`.execute(tx)
      // More than the connections of requests.
      const all = Array.from(
        { length: 24 },
        async (_, n) => (await postEnlistment(`C-03-2000${10 + n}-26`)).status,
      )
      expect((await own.admin.call('GET', '/students')).status).toBe(200)
      expect(new Set(await Promise.all(all))).toEqual(new Set([201]))
    },
    { long: true },
  )
})

describe('an import', () => {
  const line = (lastName: string, serialNumber: string) =>
    buildSheetRow({
      ...{ lastName, serialNumber, studentId: lastName, nstpComponent: 'CWTS' },
      email: `${lastName}@school.edu.ph`,
    })
  const states = async ({ id }: { id: string }) =>
    (await imports.rows(id)).items.map(({ state, problems }) => [
      state,
      problems.map(({ message }) => message).join(' '),
    ])

  test('gives no number twice, and asks about unusual ones', async () => {
    await store('Holder', { serialNumber: taken })
    const lines = [
      line('Abad', taken),
      line('Blas', free),
      line('Cruz', 'C 03 100002 26'),
      line('Diaz', 'abc'),
      line('Elas', 'c-03-100005-26'),
    ]
    const checked = await imports.check(await imports.upload(toCsv(lines)))
    expect(checked.failure).toBe(null)
    expect(await states(checked)).toEqual([
      ['problem', 'Holder, Rosa already has this number.'],
      ['problem', 'This number stands in rows 3, 4.'],
      ['problem', 'This number stands in rows 3, 4.'],
      ['differs', 'abc has an unusual form.'],
      ['ready', ''],
    ])
    await imports.changeRow(checked.id, 4, { skip: true })
    await imports.changeRow(checked.id, 5, { take: true })
    expect((await states(checked)).map(([state]) => state)).toEqual([
      'problem',
      'ready',
      'skipped',
      'ready',
      'ready',
    ])
    // Somebody gets the second one's number before the import is run.
    await store('Later', { serialNumber: free })
    await imports.run(checked.id)
    const rows = await own.database.db
      .selectFrom('students')
      .select(['lastName', 'serialNumber'])
      .where('importId', 'is not', null)
      .orderBy('lastName')
      .execute()
    expect(rows).toEqual([
      { lastName: 'Diaz', serialNumber: 'abc' },
      { lastName: 'Elas', serialNumber: 'C-03-100005-26' },
    ])
  })

  test('asks again about another unusual number, though one was meant so', async () => {
    const checked = await imports.check(await imports.upload(toCsv([line('Diaz', 'abc')])))
    await imports.changeRow(checked.id, 2, { take: true })
    expect((await states(checked)).map(([state]) => state)).toEqual(['ready'])
    await imports.changeRow(checked.id, 2, { values: { firstName: 'Luz' } })
    expect((await states(checked)).map(([state]) => state)).toEqual(['ready'])
    await imports.changeRow(checked.id, 2, { values: { serialNumber: 'L 99' } })
    expect(await states(checked)).toEqual([['differs', 'L 99 has an unusual form.']])
  })

  test('that updates records gives no number twice, and its undo gives none back that is taken', async () => {
    const one = await store('Abad', { serialNumber: free })
    await store('Holder', { serialNumber: taken })
    const update = async (serialNumber: string) =>
      await imports.check(await imports.upload(toCsv([{ reference: one.reference, serialNumber }])), {
        updateBy: 'reference',
      })
    expect(await states(await update(taken))).toEqual([['problem', 'Holder, Rosa already has this number.']])
    const unusual = await update('abc')
    expect(await states(unusual)).toEqual([['differs', 'abc has an unusual form.']])
    await imports.changeRow(unusual.id, 2, { take: true })
    await imports.run(unusual.id)
    expect(await serialOf(one)).toBe('abc')
    await store('Later', { serialNumber: free })
    const refusal = await imports.problem('POST', `/${unusual.id}/undo`, { evenChanged: false })
    expect(refusal).toMatchObject({
      status: 409,
      detail: `This would give ${free} back. Later, Rosa already has this number. So nothing was undone.`,
    })
    expect(await serialOf(one)).toBe('abc')
  })

  test('checked before somebody typed its number updates nothing', async () => {
    const one = await store('Abad')
    const checked = await imports.check(
      await imports.upload(toCsv([{ reference: one.reference, serialNumber: taken }])),
      { updateBy: 'reference' },
    )
    expect(await states(checked)).toEqual([['ready', '']])
    await store('Holder', { serialNumber: taken })
    expect(await imports.run(checked.id)).toMatchObject({ state: 'checked', counts: { problem: 1 } })
    expect(await serialOf(one)).toBe('')
  })
})

describe('an undo', () => {
  test('of a merge gives no number back that another student has by now', async () => {
    const kept = await store('Abad', { serialNumber: free })
    const dropped = await store('Abad', { serialNumber: taken })
    const body = { keepId: kept.id, keepVersion: 1, dropId: dropped.id, dropVersion: 1, take: {} }
    expect((await own.admin.call('POST', '/students/merge', body)).status).toBe(200)
    const later = await store('Later')
    expect((await edit(later, taken)).status).toBe(200)
    expect(await own.admin.refusal('POST', `/students/${dropped.id}/restore`)).toMatchObject({
      status: 409,
      detail: `This would give ${taken} back. Later, Rosa already has this number. So nothing was undone.`,
    })
    expect((await edit(later, '', { version: 2 })).status).toBe(200)
    expect((await own.admin.call('POST', `/students/${dropped.id}/restore`)).status).toBe(204)
    expect([await serialOf(kept), await serialOf(dropped)]).toEqual([free, taken])
  })

  test('of a merge of two records with one number is done', async () => {
    const kept = await store('Abad', { serialNumber: taken })
    const dropped = await store('Abad', { serialNumber: taken })
    const body = { keepId: kept.id, keepVersion: 1, dropId: dropped.id, dropVersion: 1, take: {} }
    expect((await own.admin.call('POST', '/students/merge', body)).status).toBe(200)
    expect((await own.admin.call('POST', `/students/${dropped.id}/restore`)).status).toBe(204)
  })

  test('of a rejection leaves a number empty that another student has by now', async () => {
    const [fake, other] = [
      await store('Fake', { serialNumber: taken }),
      await store('Real', { serialNumber: free }),
    ]
    const rejected = await own.admin.call('POST', '/students/rejections', { ids: [fake.id, other.id] })
    const { id } = await rejected.json()
    const later = await store('Later')
    expect((await edit(later, taken)).status).toBe(200)
    expect((await own.admin.call('POST', `/students/rejections/${id}/undo`)).status).toBe(200)
    expect([await serialOf(fake), await serialOf(other)]).toEqual(['', free])
  })
})
