import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { storeEnrolment } from '#tests/factories/stored-enrolment.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { storeSection, storeTerm } from '#tests/factories/stored-term.ts'
import { type MailFixture, openMailFixture } from '#tests/setup/mail-fixture.ts'

let fixture: MailFixture
beforeAll(async () => {
  fixture = await openMailFixture()
  await fixture.configure()
})
afterAll(() => fixture.close())
beforeEach(() => fixture.clear())

const student = {
  ...{ email: 'Juan@x.example', firstName: 'Juan', lastName: 'Reyes', reference: 'NSTP-7K3D-M9QX' },
  ...{ nstpComponent: 'CWTS', course: 'SOICT', academicYear: '2026-2027' },
}
const store = (
  changes: Partial<typeof student> & {
    archived?: boolean
    registrationDate?: Date
    serialNumber?: string
  } = {},
) =>
  storeStudent(fixture.server.database, {
    ...student,
    ...(changes.archived ? { archivedDate: new Date('2026-11-20T00:00:00Z') } : {}),
    ...changes,
  })

const words = '({firstName} {lastName}, {component}, {course}, {academicYear}, {reference})'
const filled = (firstName: string) => `(${firstName} Reyes, CWTS, SOICT, 2026-2027, NSTP-7K3D-M9QX)`

async function sentTo(address: string): Promise<{ studentId: string | null; raw: string }> {
  await fixture.allEnded()
  const messages = fixture.db.selectFrom('mailMessages').select('studentId').where('recipient', '=', address)
  const { studentId } = await messages.executeTakeFirstOrThrow()
  const raw = fixture.sink.messages.find(({ to }) => to[0] === address.toLowerCase())?.raw ?? ''
  // Quoted-printable breaks long lines.
  return { studentId, raw: raw.replace(/=\r\n/g, '').replace(/\r\n/g, ' ') }
}

describe('a list of recipients', () => {
  const start = (recipients: unknown) =>
    fixture.done('POST', '/mail/batches', {
      ...{ subject: 'For {lastName}', useCustomTemplate: true, body: words, recipients },
    })

  test('is matched to student records in any case: the mail is linked to them and filled from them', async () => {
    const { id } = await store()
    await start([{ email: 'juan@X.Example', firstName: 'Johnny' }, { email: 'ana@x.example' }])
    const juan = await sentTo('juan@X.Example')
    expect(juan.studentId).toBe(id)
    expect(juan.raw).toContain('Subject: For Reyes ')
    // The first name of the list takes precedence over the record’s.
    expect(juan.raw).toContain(filled('Johnny'))
    const ana = await sentTo('ana@x.example')
    expect(ana.studentId).toBeNull()
    expect(ana.raw).toContain('(Student , , , , )')
    expect(await fixture.done('GET', `/students/${id}/mail`)).toMatchObject({
      messages: [{ recipient: 'juan@X.Example', state: 'sent' }],
    })
  })

  test('is filled with the section of the open term and the serial number', async () => {
    const { database } = fixture.server
    const { id } = await store({ serialNumber: 'C-03-000001-27' })
    const { id: termId } = await storeTerm(database)
    const place = { unit: 'Alpha', name: '1', adviser: 'Maria Reyes', meets: 'Saturday 8:00' }
    const { id: sectionId } = await storeSection(database, { termId, ...place })
    await storeEnrolment(database, { termId, studentId: id, sectionId })
    await fixture.done('POST', '/mail/batches', {
      ...{ subject: 'Your section', useCustomTemplate: true, recipients: ['juan@x.example'] },
      body: '{section}: {adviser}, {meets}. {serialNumber}',
    })
    expect((await sentTo('juan@x.example')).raw).toContain(
      'Alpha, 1: Maria Reyes, Saturday 8:00. C-03-000001-27',
    )
    await database.db.deleteFrom('enrolments').execute()
    await database.db.deleteFrom('sections').execute()
    await database.db.deleteFrom('terms').execute()
  })

  test('typed as text is matched too; of several records with an address the newest active one counts', async () => {
    const at = (day: number) => new Date(Date.UTC(2026, 10, day))
    await store({ reference: 'NSTP-AAAA-AAAA', lastName: 'Older', registrationDate: at(1) })
    const { id } = await store({ registrationDate: at(10) })
    await store({
      ...{ reference: 'NSTP-BBBB-BBBB', lastName: 'Archived', archived: true },
      registrationDate: at(20),
    })
    await start('Juan <juan@x.example>')
    const { studentId, raw } = await sentTo('juan@x.example')
    expect(studentId).toBe(id)
    expect(raw).toContain(filled('Juan'))
  })

  test('does not match archived records or similar addresses', async () => {
    await store({ archived: true })
    await store({ email: 'ana+nstp@x.example', reference: 'NSTP-CCCC-CCCC' })
    await start(['juan@x.example', 'ana@x.example'])
    for (const address of ['juan@x.example', 'ana@x.example']) {
      expect((await sentTo(address)).studentId).toBeNull()
    }
  })
})

describe('a program with a token', () => {
  const mail = { subject: 'For {lastName}', useCustomTemplate: true, template: words }

  async function send(recipients: readonly string[]) {
    const { token } = await fixture.done('POST', '/tokens', { name: 'Student portal' })
    const headers = { Authorization: `Bearer ${token}` }
    const response = await fixture.anonymous.call(
      'POST',
      '/send-bulk-emails',
      { ...mail, recipients },
      headers,
    )
    return await response.json()
  }

  test('has its mail linked to the record, but not filled from it', async () => {
    const { id } = await store()
    const { results } = await send(['juan@x.example', 'ana@x.example'])
    const { studentId, raw } = await sentTo('juan@x.example')
    expect(studentId).toBe(id)
    expect(raw).toContain('(Student , , , , )')
    expect(raw).not.toMatch(/Reyes|NSTP-7K3D|SOICT/)
    const sent = { success: true, error: null, state: 'sent' }
    expect(results).toEqual([
      { email: 'juan@x.example', ...sent },
      { email: 'ana@x.example', ...sent },
    ])
  })

  test('fills the placeholders when an administrator calls the same route', async () => {
    await store()
    await fixture.done('POST', '/send-bulk-emails', { ...mail, recipients: ['juan@x.example'] })
    expect((await sentTo('juan@x.example')).raw).toContain(filled('Student'))
  })
})

describe('POST /api/mail/recipients/record', () => {
  test('returns the values of the record with an address, or null', async () => {
    await store()
    expect(await fixture.done('POST', '/mail/recipients/record', { email: 'JUAN@x.example' })).toEqual({
      values: {
        ...{ firstName: 'Juan', lastName: 'Reyes', component: 'CWTS', course: 'SOICT' },
        ...{ academicYear: '2026-2027', reference: 'NSTP-7K3D-M9QX' },
        ...{ section: '', adviser: '', meets: '', serialNumber: '' },
      },
    })
    expect(await fixture.done('POST', '/mail/recipients/record', { email: 'ana@x.example' })).toEqual({
      values: null,
    })
  })

  test('refuses an invalid address, and a request without a session', async () => {
    const message = 'Please enter a valid email address.'
    expect(await fixture.admin.refusal('POST', '/mail/recipients/record', { email: 'ana' })).toMatchObject({
      ...{ status: 422, detail: message },
      errors: [{ path: 'email', message }],
    })
    expect(
      await fixture.anonymous.refusal('POST', '/mail/recipients/record', { email: 'ana@x.example' }),
    ).toMatchObject({ status: 401, detail: 'Authentication required. Please login as admin.' })
  })
})
