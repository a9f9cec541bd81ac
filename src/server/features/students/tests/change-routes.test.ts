import { describe, expect, test } from 'vitest'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { startStudentsServer } from '#tests/setup/students-server.ts'

const now = new Date('2026-11-20T02:00:00Z')
const unknownId = '0198f4b2-0000-7000-8000-000000000000'

const app = startStudentsServer({ now })

const edit = (id: string, body: unknown, version = 1) =>
  app.admin.call('PATCH', `/students/${id}`, body, { 'If-Match': `"${version}"` })
const stored = (id: string) =>
  app.database.db.selectFrom('students').selectAll().where('id', '=', id).executeTakeFirst()

describe('without a session', () => {
  test.each([
    ['PATCH', `/students/${unknownId}`],
    ['DELETE', `/students/${unknownId}`],
    ['POST', `/students/${unknownId}/archive`],
    ['POST', `/students/${unknownId}/unarchive`],
  ])('%s %s is refused', async (method, path) => {
    expect(await createAdminClient(app.server, '').refusal(method, path)).toEqual({
      status: 401,
      code: 'unauthenticated',
      detail: 'Authentication required. Please login as admin.',
    })
  })
})

describe('a deleted record', () => {
  test.each([
    ['PATCH', `/students/${unknownId}`],
    ['PATCH', '/students/nobody'],
    ['DELETE', `/students/${unknownId}`],
    ['POST', `/students/${unknownId}/archive`],
    ['POST', `/students/${unknownId}/unarchive`],
  ])('%s %s is not found', async (method, path) => {
    const body = method === 'PATCH' ? {} : undefined
    expect(await app.admin.refusal(method, path, body, { 'If-Match': '"1"' })).toEqual({
      status: 404,
      code: 'not_found',
      detail: 'Student not found',
    })
  })
})

describe('PATCH /students/:id', () => {
  const changes = {
    firstName: 'Maria Niña',
    middleName: '',
    lastName: "D'Souza",
    sex: 'Female',
    course: 'SOTE',
    contactNumber: '(02) 8555-0144',
    email: 'maria@school.example.ph',
    nstpComponent: 'ROTC',
    emergencyContactName: 'Ana D’Souza',
    emergencyContactNumber: '0918 000 1111',
    address: '14 Mabini Street, Pasig',
  }

  test('changes the fields that are sent, trimmed, and nothing else', async () => {
    const student = await storeStudent(app.database)
    const response = await edit(student.id, { ...changes, firstName: '  Maria Niña ' })
    expect(response.status).toBe(200)
    expect(response.headers.get('ETag')).toBe('"2"')
    expect(await response.json()).toEqual({
      ...student,
      ...changes,
      version: 2,
      status: 'Registered',
      archived: false,
      archivedDate: null,
      guardianConsentedAt: null,
      restriction: null,
      registrationDate: '2026-11-20T02:15:30.000Z',
      consentedAt: '2026-11-20T02:15:30.000Z',
    })
    expect(await stored(student.id)).toMatchObject({ ...changes, version: 2 })
  })

  test('notes who changed which fields; the values lie apart', async () => {
    const { id, reference } = await storeStudent(app.database, { lastName: 'Cruz' })
    await edit(id, { lastName: 'Reyes', firstName: 'Juan Miguel' })
    expect(await app.trail.entries()).toMatchObject([
      { action: 'student-edited', studentId: id, subject: reference, fields: ['lastName'], affected: 1 },
    ])
    expect(await app.trail.values()).toMatchObject([
      { studentId: id, before: { lastName: 'Cruz' }, after: { lastName: 'Reyes' } },
    ])
  })

  test('the stored values change nothing: it is a reading', async () => {
    const { id } = await storeStudent(app.database, { lastName: 'Cruz' })
    for (const body of [{}, { lastName: 'Cruz' }, { lastName: ' Cruz ' }]) {
      const response = await edit(id, body)
      expect(response.status).toBe(200)
      expect((await response.json()).version).toBe(1)
    }
    expect(await app.trail.actions()).toEqual(['student-viewed'])
  })

  test('stored values that are no longer offered are accepted, invented ones are not', async () => {
    const { id } = await storeStudent(app.database, { course: 'SOLD', nstpComponent: 'LTS' })
    const edited = await edit(id, { course: 'SOLD', nstpComponent: 'LTS', lastName: 'Reyes' })
    expect(await edited.json()).toMatchObject({ course: 'SOLD', nstpComponent: 'LTS', version: 2 })
    const courseMessage = 'Please choose one of the listed options for course.'
    const componentMessage = 'Please choose one of the listed options for nstp component.'
    expect(
      await app.admin.refusal(
        'PATCH',
        `/students/${id}`,
        { course: 'SOLD2', nstpComponent: 'NSTP' },
        { 'If-Match': '"2"' },
      ),
    ).toEqual({
      status: 422,
      code: 'invalid',
      detail: courseMessage,
      errors: [
        { path: 'course', message: courseMessage },
        { path: 'nstpComponent', message: componentMessage },
      ],
    })
    expect((await edit(id, { nstpComponent: 'CWTS' }, 2)).status).toBe(200)
  })

  test.each([
    [{ lastName: ' ' }, 'lastName', 'Please fill in the last name field.'],
    [{ sex: 'male' }, 'sex', 'Please choose one of the listed options for sex.'],
    [{ email: 'maria@' }, 'email', 'Please enter a valid email address.'],
    [{ contactNumber: 'none' }, 'contactNumber', 'Please enter a valid contact number.'],
    [
      { emergencyContactNumber: 'x' },
      'emergencyContactNumber',
      'Please enter a valid emergency contact number.',
    ],
    [{ address: 'x'.repeat(301) }, 'address', 'Please shorten the address to 300 characters or fewer.'],
    [{ lastName: 'a\nb' }, 'lastName', 'Please remove the unusual characters from the last name field.'],
    [{ lastName: 7 }, 'lastName', 'Please send the last name as text.'],
    [{ lastName: 'X', archived: true, id: unknownId }, '', "These fields can't be edited: archived, id."],
    [['lastName'], '', "An edit is one object with fields of a student's record."],
  ])('refuses %j', async (body, path, message) => {
    const { id } = await storeStudent(app.database)
    expect(await app.admin.refusal('PATCH', `/students/${id}`, body, { 'If-Match': '"1"' })).toEqual({
      status: 422,
      code: 'invalid',
      detail: message,
      errors: [{ path, message }],
    })
    expect(await stored(id)).toMatchObject({ version: 1 })
  })

  test.each([undefined, '*', '1', 'W/"1"', '"one"'])('refuses If-Match %s', async (tag) => {
    const { id } = await storeStudent(app.database)
    const message = 'Please send the version that you saw as If-Match: "version".'
    expect(
      await app.admin.refusal('PATCH', `/students/${id}`, { lastName: 'X' }, tag ? { 'If-Match': tag } : {}),
    ).toMatchObject({ status: 422, detail: message, errors: [{ path: 'if-match', message }] })
  })

  test('refuses an edit of a version that is no longer', async () => {
    const { id } = await storeStudent(app.database)
    await edit(id, { lastName: 'First' })
    expect(
      await app.admin.refusal('PATCH', `/students/${id}`, { lastName: 'Second' }, { 'If-Match': '"1"' }),
    ).toEqual({
      status: 409,
      code: 'conflict',
      detail: 'Someone else changed this in the meantime. Please review the change and try again.',
    })
    expect(await stored(id)).toMatchObject({ lastName: 'First', version: 2 })
  })

  test('of 50 concurrent edits of one version, one succeeds and 49 are conflicts', async () => {
    const { id } = await storeStudent(app.database)
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => edit(id, { lastName: `Winner ${index}` })),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status === 409)).toHaveLength(49)
    expect(await stored(id)).toMatchObject({
      version: 2,
      lastName: `Winner ${statuses.indexOf(200)}`,
    })
    expect(await app.trail.entries()).toHaveLength(1)
  })
})

describe('archiving', () => {
  test('notes the time, and unarchiving clears it', async () => {
    const { id, reference } = await storeStudent(app.database)
    const archived = await app.admin.call('POST', `/students/${id}/archive`)
    expect(archived.status).toBe(200)
    expect(await archived.json()).toMatchObject({
      archived: true,
      archivedDate: now.toISOString(),
      version: 2,
    })
    const active = await app.admin.call('POST', `/students/${id}/unarchive`)
    expect(active.headers.get('ETag')).toBe('"3"')
    expect(await active.json()).toMatchObject({ archived: false, archivedDate: null, version: 3 })
    expect(await app.trail.entries()).toMatchObject([
      { action: 'student-archived', studentId: id, subject: reference },
      { action: 'student-unarchived', studentId: id, subject: reference },
    ])
  })

  test('archiving an archived record, or restoring an active one, changes nothing', async () => {
    const archivedDate = new Date('2026-01-01T00:00:00Z')
    const old = await storeStudent(app.database, { archived: true, archivedDate })
    const archived = await app.admin.call('POST', `/students/${old.id}/archive`)
    expect(archived.status).toBe(200)
    expect(await archived.json()).toMatchObject({ archivedDate: archivedDate.toISOString(), version: 1 })
    const active = await storeStudent(app.database)
    expect(await (await app.admin.call('POST', `/students/${active.id}/unarchive`)).json()).toMatchObject({
      archived: false,
      version: 1,
    })
    expect(await app.trail.entries()).toEqual([])
  })
})

describe('DELETE /students/:id', () => {
  test.each([true, false])('deletes for good, archived: %s', async (archived) => {
    const { id, reference } = await storeStudent(app.database, {
      archived,
      archivedDate: archived ? now : null,
    })
    expect((await app.admin.call('DELETE', `/students/${id}`)).status).toBe(204)
    expect(await stored(id)).toBeUndefined()
    expect((await app.admin.call('DELETE', `/students/${id}`)).status).toBe(404)
    expect(await app.trail.entries()).toMatchObject([
      { action: 'student-deleted', studentId: id, subject: reference },
    ])
  })

  test('erases the old values of the audit trail, not the entries', async () => {
    const { id } = await storeStudent(app.database)
    await edit(id, { lastName: 'Reyes' })
    await app.admin.call('DELETE', `/students/${id}`)
    expect(await app.trail.values()).toEqual([])
    expect(await app.trail.actions()).toEqual(['student-edited', 'student-deleted'])
  })
})

describe('GET /students/:id', () => {
  test('several views within ten minutes are one entry', async () => {
    const { id, reference } = await storeStudent(app.database)
    await app.admin.call('GET', `/students/${id}`)
    await app.admin.call('GET', `/students/${id}`)
    expect(await app.trail.entries()).toMatchObject([
      { action: 'student-viewed', studentId: id, subject: reference },
    ])
  })
})
