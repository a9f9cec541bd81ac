import { v7 as createId } from 'uuid'
import { beforeEach, describe, expect, test } from 'vitest'
import { certificateMessages, type Hindrance } from '#shared/certificates/certificates.ts'
import type { IssuedCertificates } from '#shared/certificates/certificates-response.ts'
import { storeEarlierGraduate } from '#tests/factories/stored-credits.ts'
import { storeGraduate } from '#tests/factories/stored-graduate.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { storeTerm } from '#tests/factories/stored-term.ts'
import { startStudentsServer } from '#tests/setup/students-server.ts'

const own = startStudentsServer({ now: new Date('2027-05-20T02:00:00Z') })
let termId: string

beforeEach(async () => {
  for (const table of ['certificates', 'certificateNumbers', 'enrolments', 'terms'] as const)
    await own.database.db.deleteFrom(table).execute()
  termId = (await storeTerm(own.database)).id
})

interface Someone {
  id: string
}

const cwts = { nstpComponent: 'CWTS', academicYear: '2026-2027' } as const

/** Who asks for a certificate, and why they get none. */
const people: Record<string, { why: Hindrance; store: () => Promise<Someone> }> = {
  'a student of the first day': {
    why: 'notGraduate',
    store: () => storeStudent(own.database, { ...cwts, serialNumber: 'C-03-100001-27' }),
  },
  'a student who passed NSTP 2 alone': {
    why: 'notGraduate',
    async store() {
      const student = await storeGraduate(own.database, termId, { serialNumber: 'C-03-100001-27' })
      const first = own.database.db.updateTable('enrolments').where('studentId', '=', student.id)
      await first.set({ outcome: 'failed' }).where('level', '=', 1).execute()
      return student
    },
  },
  'one of two with a serial number': {
    why: 'shared',
    async store() {
      await storeStudent(own.database, { nstpComponent: 'LTS', serialNumber: 'c03100001-27' })
      return await storeGraduate(own.database, termId, { serialNumber: 'C-03-100001-27' })
    },
  },
  'a blocked one': {
    why: 'blocked',
    store: () =>
      storeGraduate(own.database, termId, { serialNumber: 'C-03-100001-27', restriction: 'blocked' }),
  },
  'one whose consent was withdrawn': {
    why: 'blocked',
    store: () =>
      storeGraduate(own.database, termId, { serialNumber: 'C-03-100001-27', restriction: 'withdrawn' }),
  },
  'one of an earlier year without credits': {
    why: 'notGraduate',
    store: () =>
      storeStudent(own.database, {
        nstpComponent: 'LTS',
        academicYear: '2014-2015',
        serialNumber: 'L-03-100001-15',
        archived: true,
        archivedDate: new Date('2016-01-01T00:00:00Z'),
      }),
  },
}

const wanted = (students: readonly Someone[], change: object = {}) => ({
  kind: 'completion',
  students: students.map(({ id }) => id),
  academicYear: '2026-2027',
  issuedOn: '2027-05-30',
  ...change,
})

const kinds = {
  'of completion': {},
  'of completion, without a serial number': { withoutSerial: true },
  certification: { kind: 'certification', academicYear: '' },
}

const issued = async () =>
  (await own.database.db.selectFrom('certificates').select('id').execute()).map(({ id }) => id)

/** As an older release issued it, or as it was issued before the record changed. */
async function storeIssued(student: Someone, kind: 'completion' | 'certification') {
  const certificate = {
    id: createId(),
    number: 'NSTP-2027-000001',
    code: 'ABCDEFGHJKLM',
    kind,
    component: 'CWTS',
    academicYear: '2026-2027',
    studentId: student.id,
    content: JSON.stringify({ lastName: 'Abad', serialNumber: 'C-03-100001-27', signatories: [] }),
    issuedOn: '2027-05-30',
    issuedAt: new Date(),
    batchId: createId(),
  } as const
  await own.database.db.insertInto('certificates').values(certificate).execute()
  await own.database.db.insertInto('certificateNumbers').values({ year: 2027, last: 1 }).execute()
  return certificate
}

describe.each(Object.entries(people))('%s', (_who, { why, store }) => {
  test.each(Object.entries(kinds))('is issued none alone: %s', async (_what, change) => {
    const student = await store()
    expect(await own.admin.refusal('POST', '/certificates', wanted([student], change))).toMatchObject({
      status: 409,
      detail: certificateMessages[why],
    })
    expect(await issued()).toEqual([])
  })

  test.each(Object.entries(kinds))('is left out among many: %s', async (_what, change) => {
    const student = await store()
    const other = await storeGraduate(own.database, termId, { serialNumber: 'C-03-100099-27' })
    const answer = await own.admin.call('POST', '/certificates', wanted([student, other], change))
    expect(answer.status).toBe(200)
    const { count, leftOut }: IssuedCertificates = await answer.json()
    expect({ count, leftOut }).toEqual({ count: 1, leftOut: [{ why, count: 1 }] })
  })

  test('is in no list of those whose certificates can be issued', async () => {
    const { id } = await store()
    for (const query of ['', '&withoutSerial=true']) {
      const path = `/certificates/graduates?academicYear=2026-2027${query}`
      const { items } = await (await own.admin.call('GET', path)).json()
      expect(items.map((item: Someone) => item.id)).not.toContain(id)
    }
  })

  test.each(['completion', 'certification'] as const)(
    'gets no %s anew, and none is printed',
    async (kind) => {
      const student = await store()
      const { id, batchId } = await storeIssued(student, kind)
      const reissue = `/certificates/${id}/reissue`
      expect(await own.admin.refusal('POST', reissue, { issuedOn: '2027-06-01' })).toMatchObject({
        status: 409,
        detail: certificateMessages[why],
      })
      for (const body of [{ ids: [id] }, { batchId }]) {
        const printed = await (await own.admin.call('POST', '/certificates/prints', body)).json()
        expect(printed).toMatchObject({ items: [], leftOut: 1, rest: 0 })
      }
      expect(await issued()).toEqual([id])
    },
  )

  test('has nothing confirmed that the records do not hold', async () => {
    const student = await store()
    const { code } = await storeIssued(student, 'certification')
    const { state, ...told } = await (await own.admin.call('GET', `/verify/${code}`)).json()
    expect(state).toBe(why === 'notGraduate' ? 'unconfirmed' : 'genuine')
    if (why === 'notGraduate') expect(new Set(Object.values(told))).toEqual(new Set(['']))
  })
})

describe('a graduate without a serial number', () => {
  test.each([
    ['of completion', {}, 409],
    ['of completion, with the number to follow', { withoutSerial: true }, 200],
    ['certification', { kind: 'certification', academicYear: '' }, 409],
    [
      'certification, with the number to follow',
      { kind: 'certification', academicYear: '', withoutSerial: true },
      409,
    ],
  ])('asks for a certificate: %s', async (_what, change, status) => {
    const student = await storeGraduate(own.database, termId, { serialNumber: '' })
    expect((await own.admin.call('POST', '/certificates', wanted([student], change))).status).toBe(status)
  })

  test.each([
    ['completion', 201, ''],
    ['certification', 409, 'The record has no serial number.'],
  ] as const)('asks for a %s anew, whose number was taken away since', async (kind, status, detail) => {
    const student = await storeGraduate(own.database, termId, { serialNumber: '' })
    const { id } = await storeIssued(student, kind)
    const answer = await own.admin.call('POST', `/certificates/${id}/reissue`, { issuedOn: '2027-06-01' })
    expect(answer.status).toBe(status)
    expect((await answer.json()).detail ?? '').toBe(detail)
    expect(await issued()).toHaveLength(status === 201 ? 2 : 1)
  })
})

test('one of an earlier year with credits gets a certification of that year', async () => {
  const alumna = await storeEarlierGraduate(own.database, { serialNumber: 'L-03-100001-15' })
  const body = wanted([alumna], { kind: 'certification', academicYear: '' })
  expect((await own.admin.call('POST', '/certificates', body)).status).toBe(200)
  const before = await (await own.admin.call('GET', `/students/${alumna.id}/certificates`)).json()
  expect(before.items).toMatchObject([{ academicYear: '2014-2015', component: 'LTS', state: 'issued' }])
  expect(before.isGraduate).toBe(true)
  await own.database.db
    .updateTable('credits')
    .set({ revokedAt: new Date(), revokeReason: 'A mistake' })
    .execute()
  const after = await (await own.admin.call('GET', `/students/${alumna.id}/certificates`)).json()
  expect(after.items).toMatchObject([{ state: 'unconfirmed' }])
  expect(after.isGraduate).toBe(false)
})

test('a credit without its year is no graduation that a certificate could say', async () => {
  const student = await storeEarlierGraduate(own.database, { serialNumber: 'L-03-100001-15' })
  await own.database.db.updateTable('credits').set({ academicYear: '', ground: 'other' }).execute()
  const body = wanted([student], { kind: 'certification', academicYear: '' })
  expect(await own.admin.refusal('POST', '/certificates', body)).toMatchObject({
    status: 409,
    detail: certificateMessages.notGraduate,
  })
})
