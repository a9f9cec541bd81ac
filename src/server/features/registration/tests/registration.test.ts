import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Problem } from '#shared/problem.ts'
import { consentVersion } from '#shared/registration/consent.ts'
import type { RegistrationReceipt } from '#shared/registration/registration.ts'
import { defaultSettings } from '#shared/settings/settings.ts'
import { academicYears, courses } from '#shared/students/student-choices.ts'
import { studentFieldNames } from '#shared/students/student-fields.ts'
import type { Topic } from '#shared/topics.ts'
import { buildRegistration } from '#tests/factories/registration.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'
import { createRegistrationService } from '../service.ts'

const now = new Date('2026-11-20T03:00:00.000Z')
let server: TestServer

beforeAll(async () => {
  server = await startTestServer({ now })
})

afterAll(() => server.close())

function register(body: unknown, headers: Record<string, string> = {}) {
  return fetch(`${server.url}/api/registrations`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

async function receiptOf(response: Response): Promise<RegistrationReceipt> {
  expect(response.status).toBe(201)
  return await response.json()
}

async function problemOf(response: Response): Promise<Problem> {
  expect(response.headers.get('Content-Type')).toBe('application/problem+json')
  return await response.json()
}

async function countStudents(): Promise<number> {
  const { rows } = await server.database.pool.query('select count(*)::int as count from students')
  return rows[0].count
}

describe('a registration', () => {
  test('is answered with the reference', async () => {
    const receipt = await receiptOf(await register(buildRegistration()))
    expect(receipt).toEqual({
      id: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/),
      reference: expect.stringMatching(/^NSTP-[2-9A-Z]{4}-[2-9A-Z]{4}$/),
      registrationDate: '2026-11-20T03:00:00.000Z',
      emailSent: false,
      emailError: 'Email service is not configured.',
    })
  })

  test('is stored as it was typed, with the consent that was given', async () => {
    const body = buildRegistration({ lastName: "O'Peña-Cruz", yearLevel: '2nd Year', hobbies: 'one\ntwo' })
    const receipt = await receiptOf(await register(body))
    const student = await server.database.db
      .selectFrom('students')
      .selectAll()
      .where('id', '=', receipt.id)
      .executeTakeFirstOrThrow()
    const { consent: _consent, ...typed } = body
    expect(student).toMatchObject({
      ...typed,
      yearLevel: 2,
      reference: receipt.reference,
      registrationDate: now,
      status: 'Registered',
      archived: false,
      archivedDate: null,
      version: 1,
      consentVersion,
      consentedAt: now,
      guardianConsentedAt: null,
    })
  })

  test('of a minor is stored with the consent of the guardian, and refused without', async () => {
    const body = buildRegistration({ dateOfBirth: '2008-11-21' })
    const refused = await register(body)
    expect(refused.status).toBe(422)
    expect((await refused.json()).errors).toEqual([
      {
        path: 'guardianConsent',
        message: 'You are under 18: your parent or guardian must tick this box too.',
      },
    ])
    const alone = { ...body, guardianConsent: true, guardianRelationship: '', guardianContactNumber: ' ' }
    expect((await (await register(alone)).json()).errors).toEqual([
      {
        path: 'guardianRelationship',
        message: 'You are under 18: please fill in how your parent or guardian is related to you.',
      },
      {
        path: 'guardianContactNumber',
        message: 'You are under 18: please fill in the contact number of your parent or guardian.',
      },
    ])
    const receipt = await receiptOf(await register({ ...body, guardianConsent: true }))
    const students = server.database.db.selectFrom('students').select('guardianConsentedAt')
    expect(await students.where('id', '=', receipt.id).execute()).toEqual([{ guardianConsentedAt: now }])
  })

  test('notifies the open students screens', async () => {
    const response = await fetch(`${server.url}/api/events`, { headers: { Cookie: await server.signIn() } })
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    await receiptOf(await register(buildRegistration()))
    let events = ''
    while (!events.includes('data: students')) events += (await reader?.read())?.value ?? ''
    await reader?.cancel()
  })

  test('without a key creates a record each time', async () => {
    const before = await countStudents()
    await receiptOf(await register(buildRegistration()))
    await receiptOf(await register(buildRegistration()))
    expect(await countStudents()).toBe(before + 2)
  })
})

test('the offer has the choices and the day for ages', async () => {
  const response = await fetch(`${server.url}/api/registrations/offer`)
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({
    today: '2026-11-20',
    courses,
    programs: [],
    academicYears,
    currentAcademicYear: '2026-2027',
    closed: null,
    asksCode: false,
    changesAt: null,
    isOfficeNamed: false,
    full: [],
  })
})

describe('bad input', () => {
  test('is answered with every broken rule in form order, the first as the sentence', async () => {
    const before = await countStudents()
    const body = {
      ...buildRegistration({ email: 'juan', dateOfBirth: '2010-11-21' }),
      lastName: ' ',
      consent: false,
      ...{ sex: 'x', civilStatus: 'x', bloodType: 'x', course: 'Alchemy', yearLevel: '9th Year' },
      ...{ academicYear: '1999-2000', nstpComponent: 'LTS' },
      ...{ contactNumber: 'none', emergencyContactNumber: 'none', zipCode: '9'.repeat(11) },
    }
    const response = await register(body)
    expect(response.status).toBe(422)
    expect(await problemOf(response)).toMatchObject({
      code: 'invalid',
      detail: 'Please fill in the last name field.',
      errors: [
        { path: 'lastName', message: 'Please fill in the last name field.' },
        { path: 'zipCode', message: 'Please shorten the zip code to 10 characters or fewer.' },
        { path: 'dateOfBirth', message: 'You must be at least 16 years old to register.' },
        { path: 'sex', message: 'Please choose one of the listed options for sex.' },
        { path: 'civilStatus', message: 'Please choose one of the listed options for civil status.' },
        { path: 'contactNumber', message: 'Please enter a valid contact number.' },
        { path: 'email', message: 'Please enter a valid email address.' },
        { path: 'bloodType', message: 'Please choose one of the listed options for blood type.' },
        { path: 'course', message: 'Please choose one of the listed options for course.' },
        { path: 'yearLevel', message: 'Please choose one of the listed options for year level.' },
        { path: 'academicYear', message: 'Please choose one of the listed options for academic year.' },
        {
          path: 'emergencyContactNumber',
          message: 'Please enter a valid emergency contact number.',
        },
        { path: 'nstpComponent', message: 'Please choose one of the listed options for nstp component.' },
        { path: 'consent', message: 'Please tick the box to agree to the privacy notice.' },
      ],
    })
    expect(await countStudents()).toBe(before)
  })

  test('includes a date that does not exist, which is not called missing', async () => {
    expect(await problemOf(await register(buildRegistration({ dateOfBirth: '2007-02-30' })))).toMatchObject({
      detail: 'Please enter a valid date of birth.',
      errors: [{ path: 'dateOfBirth' }],
    })
  })

  test('does not include words as the contact number of a guardian', async () => {
    expect((await register(buildRegistration({ guardianContactNumber: 'N/A' }))).status).toBe(201)
  })

  test('counts ages by the calendar in Manila', async () => {
    // 03:00 UTC is 11:00 of the same day there; at 17:00 UTC the next day has begun.
    expect(
      (await register({ ...buildRegistration({ dateOfBirth: '2010-11-20' }), guardianConsent: true })).status,
    ).toBe(201)
    const late = await startTestServer({ now: new Date('2026-11-20T17:00:00Z'), database: server.database })
    try {
      const response = await fetch(`${late.url}/api/registrations`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ ...buildRegistration({ dateOfBirth: '2010-11-21' }), guardianConsent: true }),
      })
      expect(response.status).toBe(201)
    } finally {
      await late.close()
    }
  })

  test('takes birthdate and gender for the date of birth and the sex', async () => {
    const { dateOfBirth: _date, sex: _sex, ...body } = buildRegistration()
    const receipt = await receiptOf(await register({ ...body, birthdate: '2006-02-03', gender: 'Female' }))
    const query = server.database.db.selectFrom('students').select(['dateOfBirth', 'sex'])
    const stored = await query.where('id', '=', receipt.id).executeTakeFirst()
    expect(stored).toEqual({ dateOfBirth: '2006-02-03', sex: 'Female' })
    const same = { ...body, dateOfBirth: '2006-02-03', birthdate: ' 2006-02-03', sex: '', gender: 'Male' }
    expect((await register(same)).status).toBe(201)
    const late = await register({ ...body, birthdate: '2025-01-01', gender: 'X' })
    expect((await problemOf(late)).errors).toEqual([
      { path: 'dateOfBirth', message: 'You must be at least 16 years old to register.' },
      { path: 'sex', message: 'Please choose one of the listed options for sex.' },
    ])
  })

  test('is refused when a field and its alias differ, with all other problems', async () => {
    const body = { ...buildRegistration(), birthdate: '2001-01-01', gender: 'Male', email: 'nobody' }
    const response = await register(body)
    expect(response.status).toBe(422)
    expect(await problemOf(response)).toMatchObject({
      errors: [
        {
          path: 'birthdate',
          message: 'Please send the date of birth only once: dateOfBirth and birthdate differ.',
        },
        { path: 'email', message: 'Please enter a valid email address.' },
      ],
    })
  })

  test('with unknown members is refused by their names', async () => {
    const response = await register({ ...buildRegistration(), archived: true })
    expect(response.status).toBe(422)
    expect((await problemOf(response)).detail).toBe('These fields are not part of the form: archived.')
  })

  test.each(['', '{', 'null', '[]', '"text"', '12', '{"lastName":{}}'])(
    '%j is refused, not crashed on',
    async (body) => {
      const response = await register(body)
      expect(response.status).toBe(422)
      expect((await problemOf(response)).detail).not.toBe('')
    },
  )

  test('of another kind than JSON is refused', async () => {
    const response = await register('lastName=Cruz', { 'Content-Type': 'application/x-www-form-urlencoded' })
    expect(response.status).toBe(415)
    expect((await problemOf(response)).code).toBe('unsupported_media_type')
  })

  test.each(['short', 'fifteen-letters', 'x'.repeat(129), 'with space', "quote'12345"])(
    'refuses the key %j',
    async (key) => {
      const response = await register(buildRegistration(), { 'Idempotency-Key': key })
      expect(response.status).toBe(422)
      expect((await problemOf(response)).detail).toBe(
        'The Idempotency-Key must be 16 to 128 letters, digits, hyphens or underscores.',
      )
    },
  )

  test('sent by another site is refused', async () => {
    const response = await register(buildRegistration(), { Origin: 'https://elsewhere.example' })
    expect(response.status).toBe(403)
  })
})

describe('a retry', () => {
  test('with the same key gives the same response and creates no second record', async () => {
    const headers = { 'Idempotency-Key': 'retry-0000001-of-a-form' }
    const first = await receiptOf(await register(buildRegistration(), headers))
    const before = await countStudents()
    const second = await register(buildRegistration(), headers)
    expect(second.headers.getSetCookie()).toHaveLength(1)
    expect(await receiptOf(second)).toEqual(first)
    expect(await countStudents()).toBe(before)
  })

  test('after an upgrade, of a form without the newer fields, gives the first response', async () => {
    const headers = { 'Idempotency-Key': 'retry-0000002-of-a-form' }
    const { extensionName: _e, barangay: _b, province: _p, ...older } = buildRegistration()
    const first = await receiptOf(await register(older, headers))
    const newer = { ...older, extensionName: '', barangay: '', province: '' }
    expect(await receiptOf(await register(newer, headers))).toEqual(first)
    const stored = await server.database.db
      .selectFrom('students')
      .select('submissionHash')
      .where('reference', '=', first.reference)
      .executeTakeFirst()
    // As the release before it stored for these answers.
    expect(stored?.submissionHash).toBe('8jO6-M7rq7N5K7TRlX5in2pLDDZ2vr-PTyN4HVjEU3k')
  })

  test('with other answers is a conflict with the received reference', async () => {
    const headers = { 'Idempotency-Key': 'conflict-00001-of-a-form' }
    const { reference } = await receiptOf(await register(buildRegistration(), headers))
    const response = await register(buildRegistration({ firstName: 'Pedro' }), headers)
    expect(response.status).toBe(409)
    expect(await problemOf(response)).toMatchObject({
      code: 'conflict',
      detail:
        `Your first submission was received under the reference ${reference}. ` +
        'To correct it, open My NSTP (/my) with this reference and your birth date.',
    })
    expect(response.headers.getSetCookie()).toEqual([])
  })

  test('with other answers of somebody else names no reference, but does in the browser of the first', async () => {
    const headers = { 'Idempotency-Key': 'a-key-that-got-known' }
    const first = await register(buildRegistration(), headers)
    const cookie = first.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const { reference } = await receiptOf(first)
    const other = buildRegistration({ lastName: 'Macaraeg', email: 'another@student.example' })
    const refusalOf = async (sent: Record<string, string>) => {
      const response = await register(other, { ...headers, ...sent })
      expect(response.status).toBe(409)
      return (await problemOf(response)).detail
    }
    expect(await refusalOf({})).toBe(
      'An enlistment was already received from this form. To correct it, open My NSTP (/my). ' +
        'To enlist someone else, start a new form.',
    )
    expect(await refusalOf({ Cookie: cookie })).toContain(reference)
    const another = await register(buildRegistration(), { 'Idempotency-Key': 'another-key-of-a-form' })
    const itsCookie = another.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    expect(await refusalOf({ Cookie: itsCookie })).not.toMatch(/NSTP-/)
  })

  test('after a refusal may correct its answers under the same key', async () => {
    const headers = { 'Idempotency-Key': 'mended-0000001-of-a-form' }
    expect((await register(buildRegistration({ email: 'juan' }), headers)).status).toBe(422)
    await receiptOf(await register(buildRegistration(), headers))
  })

  test('fifty times concurrently creates one record', async () => {
    const before = await countStudents()
    const headers = { 'Idempotency-Key': 'fifty-at-once-1-of-a-form' }
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => register(buildRegistration(), headers)),
    )
    const receipts = await Promise.all(responses.map(receiptOf))
    expect(new Set(receipts.map(({ id }) => id)).size).toBe(1)
    expect(await countStudents()).toBe(before + 1)
  })

  test('after the record was erased creates a new one', async () => {
    const headers = { 'Idempotency-Key': 'erased-0000001-of-a-form' }
    const first = await receiptOf(await register(buildRegistration(), headers))
    await server.database.db.deleteFrom('students').where('id', '=', first.id).execute()
    const second = await receiptOf(await register(buildRegistration(), headers))
    expect(second.id).not.toBe(first.id)
  })
})

describe('concurrent registrations', () => {
  const atOnce = <T>(count: number, send: (index: number) => Promise<T>) =>
    Promise.all(Array.from({ length: count }, (_, index) => send(index)))

  test('without keys are a record each, also with the same student number', async () => {
    const before = await countStudents()
    const receipts = await atOnce(20, async () =>
      receiptOf(await register(buildRegistration({ studentId: '2026-0007' }))),
    )
    expect(new Set(receipts.map(({ reference }) => reference)).size).toBe(20)
    expect(await countStudents()).toBe(before + 20)
  })

  test('with few keys are a record each key, whatever their order and process', async () => {
    const other = await startTestServer({ now, database: server.database })
    const before = await countStudents()
    const keys = ['several-keys-are-a', 'several-keys-are-b', 'several-keys-are-c', 'several-keys-are-d']
    const receipts = await atOnce(80, async (index) => {
      const at = index % 8 < 4 ? index % 4 : 3 - (index % 4)
      const response = await fetch(`${index % 2 ? other.url : server.url}/api/registrations`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Idempotency-Key': keys[at] ?? '' },
        body: JSON.stringify(buildRegistration({ firstName: `Juan ${at}` })),
      })
      return { at, ...(await receiptOf(response)) }
    })
    expect(new Set(receipts.map(({ at, id }) => `${at} ${id}`)).size).toBe(4)
    expect(await countStudents()).toBe(before + 4)
    await other.close()
  })

  test('are stored when one of them is aborted', async () => {
    const leaving = new AbortController()
    const others = atOnce(10, () => register(buildRegistration()))
    const left = fetch(`${server.url}/api/registrations`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(buildRegistration()),
      signal: leaving.signal,
    }).catch(() => undefined)
    leaving.abort()
    await left
    expect((await others).map(({ status }) => status)).toEqual(Array(10).fill(201))
  })
})

describe('the receipt in the browser', () => {
  async function readReceipt(cookie: string | undefined) {
    return fetch(`${server.url}/api/registrations/receipt`, cookie ? { headers: { Cookie: cookie } } : {})
  }

  test('shows the reference again, and nothing of the person', async () => {
    const response = await register(buildRegistration({ nstpComponent: 'ROTC' }))
    const { reference, registrationDate } = await receiptOf(response)
    const cookie = response.headers.getSetCookie()[0]
    expect(cookie).toMatch(/; HttpOnly/)
    const again = await readReceipt(cookie?.split(';')[0])
    expect(again.status).toBe(200)
    expect(again.headers.get('Cache-Control')).toBe('no-store')
    expect(await again.json()).toEqual({
      reference,
      registrationDate,
      nstpComponent: 'ROTC',
      emailSent: false,
      emailError: 'Email service is not configured.',
      expires: '2026-11-20T04:00:00.000Z',
    })
  })

  test('is absent in another browser', async () => {
    for (const cookie of [undefined, 'nstp-receipt=forged.signature']) {
      const response = await readReceipt(cookie)
      expect(response.status).toBe(404)
      expect((await problemOf(response)).detail).toBe('This browser has no registration from the last hour.')
    }
  })
})

test('the API describes the form field by field', async () => {
  const { components } = await (await fetch(`${server.url}/api/openapi.json`)).json()
  const { required, properties, additionalProperties } = components.schemas.Registration
  expect(required).toHaveLength(17)
  expect(additionalProperties).toBe(false)
  expect(Object.keys(properties)).toEqual([
    ...studentFieldNames,
    'birthdate',
    'gender',
    'consent',
    'dayCode',
    'guardianConsent',
  ])
  expect(properties).toMatchObject({
    lastName: { type: 'string', description: 'Last Name', maxLength: 100 },
    dateOfBirth: { type: 'string', format: 'date' },
    nstpComponent: { enum: ['ROTC', 'CWTS'] },
    consent: { const: true },
  })
})

describe('the registration service', () => {
  const withoutMail = {
    prepare: () => null,
    handOver: () => undefined,
    answer: async () => ({ emailSent: false, emailError: null }),
  }

  function createService(options: { references?: string[] } = {}) {
    const published: Topic[] = []
    const references = [...(options.references ?? [])]
    const service = createRegistrationService({
      database: server.database,
      log: pino({ level: 'silent' }),
      closed: () => null,
      quotas: () => defaultSettings.quotas,
      welcomes: withoutMail,
      clock: () => now,
      publish: (topic) => published.push(topic),
      ...(options.references ? { createReference: () => references.shift() ?? 'NSTP-ZZZZ-ZZZZ' } : {}),
    })
    return { service, published }
  }

  const registration = { ...buildRegistration(), yearLevel: 1 }

  test('uses another reference when one is in use, with or without a key', async () => {
    const { service, published } = createService({
      references: ['NSTP-TAKE-NAAA', 'NSTP-TAKE-NAAA', 'NSTP-FREE-AAAA', 'NSTP-TAKE-NAAA', 'NSTP-FREE-BBBB'],
    })
    expect((await service.register(registration)).reference).toBe('NSTP-TAKE-NAAA')
    expect((await service.register(registration)).reference).toBe('NSTP-FREE-AAAA')
    expect((await service.register(registration, 'key-of-reference')).reference).toBe('NSTP-FREE-BBBB')
    expect(published).toEqual(['students', 'students', 'students'])
  })

  test('stores the neighbours of a record that the database refuses', async () => {
    const { service, published } = createService()
    const yearLevels = [1, 1, 1, 9, 1, 1]
    const results = await Promise.allSettled(
      yearLevels.map((yearLevel) => service.register({ ...registration, yearLevel })),
    )
    const isRefused = results.map(({ status }) => status === 'rejected')
    expect(isRefused).toEqual([false, false, false, true, false, false])
    expect(published).toHaveLength(5)
  })

  test('gives a neighbour of a reference in use its own', async () => {
    const taken = 'NSTP-TAKE-NCCC'
    const { service } = createService({ references: [taken, 'A', 'B', 'C', taken, 'D', 'E'] })
    await service.register(registration)
    const receipts = await Promise.all(Array.from({ length: 5 }, () => service.register(registration)))
    expect(receipts.map(({ reference }) => reference)).toEqual(['A', 'B', 'C', 'E', 'D'])
  })

  test('fails with a message when every reference is in use', async () => {
    const { service } = createService({ references: ['NSTP-TAKE-NBBB', ...Array(5).fill('NSTP-TAKE-NBBB')] })
    await service.register(registration)
    await expect(service.register(registration)).rejects.toMatchObject({ code: 'unavailable' })
  })

  test('notifies nothing for a retry', async () => {
    const { service, published } = createService()
    await service.register(registration, 'told-only-once')
    await service.register(registration, 'told-only-once')
    expect(published).toEqual(['students'])
  })
})
