import { v7 as createId } from 'uuid'
import { beforeEach, describe, expect, test } from 'vitest'
import { certificateMessages } from '#shared/certificates/certificates.ts'
import type {
  CertificatePage,
  IssuedCertificates,
  ListedCertificate,
  PrintedCertificates,
} from '#shared/certificates/certificates-response.ts'
import { storeEarlierGraduate } from '#tests/factories/stored-credits.ts'
import { storeGraduate } from '#tests/factories/stored-graduate.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { storeTerm } from '#tests/factories/stored-term.ts'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { officeSettings } from '#tests/setup/office-settings.ts'
import { createStaffClient } from '#tests/setup/people.ts'
import { createStudentVisitor } from '#tests/setup/student-visitor.ts'
import { startStudentsServer } from '#tests/setup/students-server.ts'
import { startTestServer } from '#tests/setup/test-server.ts'

const own = startStudentsServer({ now: new Date('2027-05-20T02:00:00Z') })

let termId: string

beforeEach(async () => {
  const { db } = own.database
  for (const table of ['certificates', 'certificateNumbers', 'enrolments', 'terms'] as const) {
    await db.deleteFrom(table).execute()
  }
  termId = (await storeTerm(own.database)).id
})

type Client = Pick<typeof own.admin, 'call' | 'refusal'>

const graduate = (record: Parameters<typeof storeGraduate>[2]) =>
  storeGraduate(own.database, termId, { serialNumber: `C-03-${record?.lastName}-27`, ...record })

const wanted = (students: readonly { id: string }[], change: object = {}) => ({
  kind: 'completion',
  students: students.map(({ id }) => id),
  academicYear: '2026-2027',
  issuedOn: '2027-05-30',
  signatories: [{ name: 'Maria Reyes', title: 'NSTP Director' }],
  ...change,
})

async function issue(
  students: readonly { id: string }[],
  { by = own.admin, key, ...change }: { by?: Client; key?: string; [name: string]: unknown } = {},
): Promise<IssuedCertificates> {
  const headers = key === undefined ? {} : { 'Idempotency-Key': key }
  const answer = await by.call('POST', '/certificates', wanted(students, change), headers)
  expect([answer.status, await answer.clone().text()]).toEqual([200, expect.anything()])
  return await answer.json()
}

async function list(query = '', by: Client = own.admin): Promise<ListedCertificate[]> {
  const page: CertificatePage = await (await by.call('GET', `/certificates${query}`)).json()
  expect(page.total).toBe(page.items.length)
  return page.items
}

async function print(body: object): Promise<PrintedCertificates> {
  const answer = await own.admin.call('POST', '/certificates/prints', body)
  expect(answer.status).toBe(200)
  return await answer.json()
}

const numbered = (...numbers: number[]) =>
  numbers.map((number) => `NSTP-2027-${String(number).padStart(6, '0')}`)

describe('certificates of completion', () => {
  test('are of graduates, numbered in the order of component and name', async () => {
    const [cruz, abad, reyes] = [
      await graduate({ lastName: 'Cruz' }),
      await graduate({ lastName: 'Abad' }),
      await graduate({ lastName: 'Aquino', component: 'ROTC' }),
    ]
    const enlisted = await storeStudent(own.database, { nstpComponent: 'CWTS', serialNumber: 'C-03-9-27' })
    const { items, total } = await (
      await own.admin.call('GET', '/certificates/graduates?academicYear=2026-2027')
    ).json()
    expect([total, items.map(({ lastName }: { lastName: string }) => lastName)]).toEqual([
      3,
      ['Abad', 'Cruz', 'Aquino'],
    ])
    const { count, batchId } = await issue([cruz, enlisted, reyes, abad])
    expect(count).toBe(3)
    expect((await list()).map(({ number, lastName }) => [number, lastName]).reverse()).toEqual([
      [numbered(1)[0], 'Abad'],
      [numbered(2)[0], 'Cruz'],
      [numbered(3)[0], 'Aquino'],
    ])
    const printed = await print({ batchId })
    expect(printed.items).toMatchObject([
      {
        lastName: 'Abad',
        component: 'CWTS',
        academicYear: '2026-2027',
        serialNumber: 'C-03-Abad-27',
        issuedOn: '2027-05-30',
        signatories: [{ name: 'Maria Reyes', title: 'NSTP Director' }],
        code: expect.stringMatching(/^[2-9A-HJ-NP-TW-Z]{12}$/),
      },
      { lastName: 'Cruz' },
      { lastName: 'Aquino', component: 'ROTC' },
    ])
    expect(printed.verifyAt).toBe(`${officeSettings.publicAddress}/verify/`)
    expect((await print({ batchId, after: numbered(2)[0] })).items).toMatchObject([{ lastName: 'Aquino' }])
    expect(await own.trail.of('certificates-issued')).toMatchObject([
      { subject: 'NSTP-2027-000001 to NSTP-2027-000003', detail: { kind: 'completion' } },
    ])
    expect(await own.trail.of('certificates-printed')).toHaveLength(2)
  })

  test('leave out who has one, who is blocked, and who has no serial number unless it is to follow', async () => {
    const has = await graduate({ lastName: 'Abad' })
    const blocked = await graduate({ lastName: 'Blas', restriction: 'blocked' })
    const without = await graduate({ lastName: 'Cruz', serialNumber: '' })
    await issue([has])
    expect(await own.admin.refusal('POST', '/certificates', wanted([has, blocked, without]))).toMatchObject({
      status: 409,
      detail: 'Left out: 1 blocked, 1 without a serial number.',
    })
    const path = '/certificates/graduates?academicYear=2026-2027'
    expect(await (await own.admin.call('GET', path)).json()).toEqual({
      items: [],
      total: 0,
      withoutSerial: 1,
      shared: 0,
      blocked: 1,
    })
    const { items } = await (await own.admin.call('GET', `${path}&withoutSerial=true`)).json()
    expect(items).toMatchObject([{ id: without.id, serialNumber: '' }])
    expect((await issue([without], { withoutSerial: true })).count).toBe(1)
    await own.database.db
      .updateTable('students')
      .set({ serialNumber: 'C-03-1-27' })
      .where('id', '=', without.id)
      .execute()
    expect(await list('?state=differs')).toMatchObject([{ lastName: 'Cruz', serialNumber: '' }])
  })

  test('are issued once for a key', async () => {
    const students = [await graduate({ lastName: 'Abad' })]
    const answers = await Promise.all([1, 2].map(() => issue(students, { key: 'same-key' })))
    expect(answers[0]).toEqual(answers[1])
    expect(await list()).toHaveLength(1)
  })

  test('of two issuers at once have numbers without a gap or double, and nobody has two', async () => {
    const students: { id: string }[] = []
    for (let index = 0; index < 40; index++) {
      students.push(await graduate({ lastName: `Name${index}`, component: index % 2 ? 'LTS' : 'CWTS' }))
    }
    const other = await createStaffClient(own.server, { role: 'coordinator', components: [] })
    const half = students.slice(0, 25)
    const rest = students.slice(15)
    // A third one's issue fails in the middle.
    const broken = issue(students, { issuedOn: 'never' }).catch(() => undefined)
    const [one, two] = await Promise.all([issue(half), issue(rest, { by: other }), broken])
    expect(one.count + two.count).toBe(40)
    const all = (await list()).map(({ number }) => number).sort()
    expect(all).toEqual(numbered(...students.map((_, index) => index + 1)))
  })

  test('wait for the numbers that another issue is giving', async () => {
    const [abad, cruz] = [await graduate({ lastName: 'Abad' }), await graduate({ lastName: 'Cruz' })]
    await issue([abad])
    const { db } = own.database
    const { content, ...first } = await db.selectFrom('certificates').selectAll().executeTakeFirstOrThrow()
    // Another issuer, in the middle of its work, and for other students: nothing but the numbers holds this one up.
    const theirs = { id: createId(), number: numbered(2).join(), code: 'ABCDEFGHJKLM', studentId: createId() }
    const { waiting } = await db.transaction().execute(async (tx) => {
      await tx.selectFrom('certificateNumbers').select('last').forUpdate().execute()
      await tx
        .insertInto('certificates')
        .values({ ...first, ...theirs, content: JSON.stringify(content) })
        .execute()
      const waiting = own.admin.call('POST', '/certificates', wanted([cruz]))
      await new Promise((resolve) => setTimeout(resolve, 300))
      await tx.updateTable('certificateNumbers').set({ last: 2 }).execute()
      return { waiting }
    })
    expect((await waiting).status).toBe(200)
    expect((await list()).map(({ number }) => number)).toEqual(numbered(3, 2, 1))
    expect(await db.selectFrom('certificateNumbers').selectAll().execute()).toEqual([{ year: 2027, last: 3 }])
  })

  test('are numbered by the year of their day of issue, whatever the year of today', async () => {
    const students = [
      await graduate({ lastName: 'Abad' }),
      await graduate({ lastName: 'Cruz' }),
      await graduate({ lastName: 'Reyes' }),
    ]
    const [abad, cruz, reyes] = students.map((student) => [student])
    await issue(abad ?? [], { issuedOn: '2026-12-31' })
    await issue(cruz ?? [], { issuedOn: '2028-01-01' })
    await issue(reyes ?? [])
    expect((await list()).map(({ number }) => number).sort()).toEqual([
      'NSTP-2026-000001',
      'NSTP-2027-000001',
      'NSTP-2028-000001',
    ])
    const [latest] = await list()
    const anew = await own.admin.call('POST', `/certificates/${latest?.id}/reissue`, {
      issuedOn: '2026-12-31',
    })
    expect(await anew.json()).toMatchObject({ number: 'NSTP-2026-000002' })
  })

  test('that failed leave no gap', async () => {
    const students = [await graduate({ lastName: 'Abad' }), await graduate({ lastName: 'Cruz' })]
    const { db } = own.database
    // The second number of the year is taken, so that storing fails after the numbers were locked.
    const [first] = students
    if (!first) throw new Error('there is one')
    await issue([first])
    await db.updateTable('certificateNumbers').set({ last: 0 }).execute()
    expect((await own.admin.call('POST', '/certificates', wanted(students.slice(1)))).status).toBe(500)
    expect(await db.selectFrom('certificateNumbers').select('last').execute()).toEqual([{ last: 0 }])
    await db.updateTable('certificateNumbers').set({ last: 1 }).execute()
    expect((await issue(students.slice(1))).count).toBe(1)
    expect((await list()).map(({ number }) => number).sort()).toEqual(numbered(1, 2))
  })

  test.each([
    ['without a student', { students: [] }, 'students', certificateMessages.students],
    ['on no day', { issuedOn: '2027-02-30' }, 'issuedOn', certificateMessages.issuedOn],
    ['of completion without a year', { academicYear: '' }, 'academicYear', certificateMessages.academicYear],
    ['of no year', { academicYear: '2026' }, 'academicYear', certificateMessages.academicYear],
    [
      'with four who sign',
      { signatories: Array(4).fill({ name: 'A', title: '' }) },
      'signatories',
      certificateMessages.signatories,
    ],
  ])('are refused %s', async (_what, change, path, message) => {
    const body = { ...wanted([{ id: createId() }]), ...change }
    const answer = await own.admin.call('POST', '/certificates', body)
    expect([answer.status, (await answer.json()).errors]).toEqual([422, [{ path, message }]])
  })
})

test('a print is counted, and a certificate that is gone is not printed', async () => {
  await issue([await graduate({ lastName: 'Abad' }), await graduate({ lastName: 'Cruz' })])
  const [cruz, abad] = await list()
  if (!cruz || !abad) throw new Error('two were issued')
  await print({ ids: [cruz.id] })
  await print({ ids: [cruz.id, abad.id] })
  expect((await list()).map(({ prints }) => prints)).toEqual([2, 1])
  await own.admin.call('POST', `/certificates/${cruz.id}/revoke`, { reason: 'A mistake' })
  const ids = [cruz.id, abad.id]
  expect(await own.admin.refusal('POST', '/certificates/prints', { ids })).toMatchObject({
    status: 409,
    detail: certificateMessages.gone,
  })
  expect((await list()).map(({ prints }) => prints)).toEqual([2, 1])
})

test('one is revoked with a reason, once, and another can be issued', async () => {
  const abad = await graduate({ lastName: 'Abad' })
  await issue([abad])
  const [first] = await list()
  const path = `/certificates/${first?.id}/revoke`
  expect((await own.admin.call('POST', path, { reason: ' ' })).status).toBe(422)
  expect((await own.admin.call('POST', path, { reason: 'Wrong person' })).status).toBe(204)
  expect(await own.admin.refusal('POST', path, { reason: 'Again' })).toMatchObject({
    status: 409,
    detail: certificateMessages.revoked,
  })
  expect(await list('?state=revoked')).toMatchObject([{ revokeReason: 'Wrong person' }])
  expect((await issue([abad])).count).toBe(1)
  expect(await own.trail.of('certificate-revoked')).toMatchObject([{ subject: first?.number }])
})

test('one that is revoked is no certificate at the first step of /my, and none that a request concerns', async () => {
  const { id: studentId, reference, dateOfBirth } = await graduate({ lastName: 'Abad' })
  await issue([{ id: studentId }])
  const requestId = createId()
  const asked = { id: requestId, studentId, kind: 'erasure', askedAt: new Date() } as const
  await own.database.db.insertInto('studentRequests').values(asked).execute()
  const visitor = createStudentVisitor(own.server)
  await visitor.enter({ reference, dateOfBirth })
  const read = async () => {
    const { hasCertificate } = await (await visitor.call('GET', '/my/state')).json()
    const { certificates } = await (await own.admin.call('GET', `/requests/${requestId}`)).json()
    return { hasCertificate, certificates }
  }
  expect(await read()).toEqual({ hasCertificate: true, certificates: numbered(1) })
  const [issued] = await list()
  const revoked = await own.admin.call('POST', `/certificates/${issued?.id}/revoke`, { reason: 'A mistake' })
  expect(revoked.ok).toBe(true)
  expect(await read()).toEqual({ hasCertificate: false, certificates: [] })
})

test('one that differs from the record is issued anew', async () => {
  const abad = await graduate({ lastName: 'Abad' })
  await issue([abad])
  const [first] = await list()
  expect(first?.state).toBe('issued')
  await own.admin.call('PATCH', `/students/${abad.id}`, { lastName: 'Abád' }, { 'If-Match': '"1"' })
  expect(await list('?state=differs')).toMatchObject([{ id: first?.id, lastName: 'Abad' }])
  const path = `/certificates/${first?.id}/reissue`
  const answer = await own.admin.call('POST', path, { issuedOn: '2027-06-01' })
  expect(answer.status).toBe(201)
  const { number } = await answer.json()
  expect(await list()).toMatchObject([
    { number, state: 'issued', lastName: 'Abád', issuedOn: '2027-06-01' },
    { number: first?.number, state: 'revoked', revokeReason: 'Issued anew' },
  ])
  expect(await own.admin.refusal('POST', path, { issuedOn: '2027-06-01' })).toMatchObject({ status: 409 })
})

test('a certification is of a graduate with a serial number, also of years before terms', async () => {
  const alumna = await storeEarlierGraduate(own.database, {
    serialNumber: 'L-03-000017-15',
    archived: true,
    archivedDate: new Date('2016-01-01T00:00:00Z'),
  })
  const without = await storeEarlierGraduate(own.database)
  const certification = { kind: 'certification', academicYear: '' }
  expect(await issue([alumna, without], certification)).toMatchObject({
    count: 1,
    leftOut: [{ why: 'noSerial', count: 1 }],
  })
  const { items } = await (await own.admin.call('GET', `/students/${alumna.id}/certificates`)).json()
  expect(items).toMatchObject([
    { kind: 'certification', academicYear: '2014-2015', component: 'LTS', state: 'issued' },
  ])
})

test('a certification of a graduate has the year and component of the graduation', async () => {
  const shifted = await graduate({ lastName: 'Abad', component: 'LTS', academicYear: '2024-2025' })
  await own.database.db
    .updateTable('students')
    .set({ nstpComponent: 'CWTS' })
    .where('id', '=', shifted.id)
    .execute()
  await issue([shifted], { kind: 'certification', academicYear: '' })
  expect(await list()).toMatchObject([{ component: 'LTS', academicYear: '2026-2027' }])
})

test('a blocked record is not printed, and says so', async () => {
  const [abad, cruz] = [await graduate({ lastName: 'Abad' }), await graduate({ lastName: 'Cruz' })]
  const { batchId } = await issue([abad, cruz])
  await own.admin.call(
    'PUT',
    `/students/${abad.id}/restriction`,
    { restriction: 'blocked' },
    { 'If-Match': '"1"' },
  )
  const printed = await print({ batchId })
  expect([printed.leftOut, printed.rest, printed.items.map(({ lastName }) => lastName)]).toEqual([
    1,
    0,
    ['Cruz'],
  ])
  const [, first] = await list()
  expect(
    await own.admin.refusal('POST', `/certificates/${first?.id}/reissue`, { issuedOn: '2027-06-01' }),
  ).toMatchObject({ status: 409, detail: certificateMessages.blocked })
})

test('what is revoked while a print waits is not on it', async () => {
  const { batchId } = await issue([
    await graduate({ lastName: 'Abad' }),
    await graduate({ lastName: 'Cruz' }),
  ])
  const [cruz] = await list()
  const { db } = own.database
  const printing = await db.transaction().execute(async (tx) => {
    await tx
      .updateTable('certificates')
      .set({ revokedAt: new Date() })
      .where('id', '=', cruz?.id ?? '')
      .execute()
    const waiting = print({ batchId })
    await new Promise((resolve) => setTimeout(resolve, 300))
    return { waiting }
  })
  expect((await printing.waiting).items).toMatchObject([{ lastName: 'Abad' }])
})

test('who is no graduate any more gets none of completion anew', async () => {
  const abad = await graduate({ lastName: 'Abad' })
  await issue([abad])
  const [first] = await list()
  await own.database.db.updateTable('enrolments').set({ outcome: 'failed' }).where('level', '=', 2).execute()
  expect(
    await own.admin.refusal('POST', `/certificates/${first?.id}/reissue`, { issuedOn: '2027-06-01' }),
  ).toMatchObject({ status: 409, detail: certificateMessages.notGraduate })
  expect(await list('?state=unconfirmed')).toHaveLength(1)
})

test('everything is of the own components', async () => {
  const [cwts, rotc] = [
    await graduate({ lastName: 'Abad' }),
    await graduate({ lastName: 'Cruz', component: 'ROTC' }),
  ]
  const client = await createStaffClient(own.server, { role: 'coordinator', components: ['CWTS'] })
  const { items } = await (await client.call('GET', '/certificates/graduates?academicYear=2026-2027')).json()
  expect(items).toMatchObject([{ id: cwts.id }])
  expect((await issue([cwts, rotc], { by: client })).count).toBe(1)
  await issue([rotc])
  expect(await list('', client)).toMatchObject([{ lastName: 'Abad' }])
  expect(await list('?component=ROTC', client)).toEqual([])
  const [other] = await list('?component=ROTC')
  for (const [path, body] of [
    [`/certificates/${other?.id}/revoke`, { reason: 'No' }],
    [`/certificates/${other?.id}/reissue`, { issuedOn: '2027-06-01' }],
  ] as const) {
    expect(await client.refusal('POST', path, body)).toMatchObject({ status: 404 })
  }
  expect(await client.refusal('POST', '/certificates/prints', { ids: [other?.id] })).toMatchObject({
    status: 409,
  })
  expect(await client.refusal('GET', `/students/${rotc.id}/certificates`)).toMatchObject({ status: 404 })
})

test('a search finds a number, a name and a serial number', async () => {
  await issue([
    await graduate({ lastName: 'Abad', firstName: 'Ma. Zenaída' }),
    await graduate({ lastName: 'Cruz' }),
  ])
  for (const search of ['zenaida abad', 'Abad, Maria', '000001', 'c-03-abad']) {
    expect(await list(`?search=${encodeURIComponent(search)}`)).toMatchObject([{ lastName: 'Abad' }])
  }
})

describe('a record', () => {
  test('that is merged hands its certificates on, and gets them back', async () => {
    const [keep, drop] = [
      await storeStudent(own.database, { lastName: 'Abad', nstpComponent: 'CWTS' }),
      await graduate({ lastName: 'Abad' }),
    ]
    await issue([drop], { kind: 'certification', academicYear: '' })
    const merge = { keepId: keep.id, keepVersion: 1, dropId: drop.id, dropVersion: 1, take: {} }
    expect((await own.admin.call('POST', '/students/merge', merge)).status).toBe(200)
    expect(await list()).toMatchObject([{ studentId: keep.id }])
    expect((await own.admin.call('POST', `/students/${drop.id}/restore`)).status).toBe(204)
    expect(await list()).toMatchObject([{ studentId: drop.id }])
    // As of a release that certified by the serial number alone.
    const [{ id: issuedId } = { id: '' }] = await list()
    const { db } = own.database
    const issued = await db
      .selectFrom('certificates')
      .selectAll()
      .where('id', '=', issuedId)
      .executeTakeFirstOrThrow()
    const { content, ...others } = issued
    const older = { id: createId(), number: 'NSTP-2027-000002', code: 'ABCDEFGHJKLM', studentId: keep.id }
    await db
      .insertInto('certificates')
      .values({ ...others, ...older, content: JSON.stringify(content) })
      .execute()
    expect(
      await own.admin.refusal('POST', '/students/merge', { ...merge, keepVersion: 3, dropVersion: 1 }),
    ).toMatchObject({
      status: 409,
      detail: certificateMessages.ofBoth,
    })
  })

  test('with a certificate is not rejected, and its deletion leaves the number alone', async () => {
    const alumna = await storeEarlierGraduate(own.database, {
      lastName: 'Zulueta',
      serialNumber: 'L-03-7-15',
      archived: true,
      archivedDate: new Date('2016-01-01T00:00:00Z'),
    })
    await issue([alumna], { kind: 'certification', academicYear: '' })
    const preview = await own.admin.call('POST', '/students/rejections/preview', { ids: [alumna.id] })
    expect(await preview.json()).toMatchObject({ kept: 1 })
    const deletion = await own.admin.call('DELETE', `/students/${alumna.id}`, undefined, {
      'If-Match': '"1"',
    })
    expect(deletion.status).toBe(204)
    const [stored] = await own.database.db.selectFrom('certificates').selectAll().execute()
    expect(stored).toMatchObject({ number: numbered(1)[0], studentId: null, content: {} })
    expect(await list()).toMatchObject([{ state: 'erased', lastName: '', serialNumber: '' }])
  })
})

describe('verifying', () => {
  const visitor = createVisitor()
  async function codeOf(student: { id: string }): Promise<string> {
    const { batchId } = await issue([student])
    return (await print({ batchId })).items[0]?.code ?? ''
  }
  const verify = async (code: string) => {
    const answer = await visitor.call('GET', `/verify/${code}`)
    expect(answer.headers.get('Cache-Control')).toBe('no-store')
    return await answer.json()
  }

  function createVisitor(): Client {
    return {
      call: (...request) => createAdminClient(own.server, '').call(...request),
      refusal: (...request) => createAdminClient(own.server, '').refusal(...request),
    }
  }

  const nothing = { number: '', name: '', component: '', academicYear: '', school: '', issuedOn: '' }

  test('tells of a genuine one no more than initials', async () => {
    const code = await codeOf(
      await graduate({ lastName: 'Cruz', firstName: 'Juan Pablo', middleName: 'Dizon' }),
    )
    const genuine = {
      state: 'genuine',
      number: numbered(1)[0],
      name: 'J*** D. C***',
      component: 'CWTS',
      academicYear: '2026-2027',
      school: 'NSTP Portal',
      issuedOn: '2027-05-30',
    }
    expect(await verify(code)).toEqual(genuine)
    expect(await verify(`${code.slice(0, 4)}-${code.slice(4).toLowerCase()}`)).toEqual(genuine)
  })

  test('tells of a revoked, an erased and an unknown one what it is', async () => {
    const abad = await graduate({ lastName: 'Abad' })
    const code = await codeOf(abad)
    const [first] = await list()
    const other = await codeOf(await graduate({ lastName: 'Cruz' }))
    await own.admin.call('POST', `/certificates/${first?.id}/revoke`, { reason: 'A mistake' })
    expect(await verify(code)).toEqual({ state: 'revoked', ...nothing })
    await own.database.db.deleteFrom('students').execute()
    expect(await verify(other)).toEqual({
      ...{ state: 'erased', ...nothing },
      ...{ school: 'NSTP Portal', issuedOn: '2027-05-30' },
    })
    for (const unknown of ['ABCDABCDABCD', 'x', '%00', "'--"]) {
      expect(await verify(unknown)).toEqual({ state: 'unknown', ...nothing })
    }
  })

  test('is limited to 30 codes in ten minutes', { timeout: 60_000 }, async () => {
    const limited = await startTestServer({ env: { RATE_LIMITS: 'on' } })
    const client = createAdminClient(limited, '')
    const statuses: number[] = []
    for (let index = 0; index < 31; index++) {
      statuses.push((await client.call('GET', '/verify/ABCDABCDABCD')).status)
    }
    expect(statuses).toEqual([...Array(30).fill(200), 429])
    await limited.close()
  })
})
