import { afterAll, beforeAll, expect, test } from 'vitest'
import { classesOf, grants, type Role } from '#shared/people/permissions.ts'
import {
  fieldClasses,
  fieldDefinition,
  type StudentField,
  studentFieldNames,
} from '#shared/students/student-fields.ts'
import { missingFilters, studentSortKeys } from '#shared/students/students.ts'
import { storeEnrolment } from '#tests/factories/stored-enrolment.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { storeSection, storeTerm } from '#tests/factories/stored-term.ts'
import { baseOf, operationsOf, readDescription } from '#tests/setup/api-description.ts'
import { createStaffClient, officeRoles } from '#tests/setup/people.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

let server: TestServer
let id: string
const clients = new Map<Role, Awaited<ReturnType<typeof createStaffClient>>>()

// Those whose values aren't free keep one.
const fixed: Partial<Record<StudentField, string>> = {
  sex: 'Female',
  dateOfBirth: '2007-03-04',
  bloodType: 'AB-',
  nstpComponent: 'CWTS',
  academicYear: '2026-2027',
  contactNumber: '0917 555 1001',
  emergencyContactNumber: '0917 555 2002',
  guardianContactNumber: '0917 555 3003',
  email: 'zqemail@canary.example',
}
const canaryOf = (field: StudentField) =>
  fixed[field] ?? `zq${field.toLowerCase()}`.slice(0, fieldDefinition(field).max)

// Written by hand, so that no change of the product's own table is one of this: what everybody of the office sees, and what
// encoders see beside it. Who sees more sees all.
const basic: readonly StudentField[] = [
  ...(['lastName', 'firstName', 'middleName', 'extensionName', 'dateOfBirth', 'sex', 'studentId'] as const),
  ...(['course', 'program', 'yearLevel', 'academicYear', 'serialNumber', 'nstpComponent'] as const),
]
const contact: readonly StudentField[] = [
  ...(['address', 'barangay', 'municipalCity', 'province', 'zipCode', 'contactNumber', 'email'] as const),
  ...(['emergencyContactName', 'emergencyContactNumber', 'emergencyContactAddress'] as const),
]
const seenBy: Record<Exclude<Role, 'facilitator'>, readonly StudentField[]> = {
  administrator: studentFieldNames,
  coordinator: studentFieldNames,
  assistant: [...basic, ...contact],
  registrar: basic,
  'privacy officer': studentFieldNames,
}
const hiddenFrom = (role: keyof typeof seenBy) =>
  studentFieldNames.filter((field) => !seenBy[role].includes(field))

beforeAll(async () => {
  server = await startTestServer()
  const { yearLevel: _number, ...texts } = Object.fromEntries(
    studentFieldNames.map((field) => [field, canaryOf(field)]),
  )
  // The reference is searched by everybody: a drawn one may have the blood type in it.
  const stored = await storeStudent(server.database, { ...texts, reference: 'NSTP-2345-6789' })
  id = stored.id
  // Alike by the e-mail address alone.
  await storeStudent(server.database, { email: canaryOf('email'), lastName: 'Other' })
  for (const role of officeRoles) clients.set(role, await createStaffClient(server, { role, components: [] }))
})
afterAll(() => server.close())

/** The student is in a section of one term. */
async function storeTerms() {
  const { db } = server.database
  for (const table of ['enrolments', 'sections', 'terms'] as const) await db.deleteFrom(table).execute()
  const { id: termId } = await storeTerm(server.database)
  const { id: sectionId } = await storeSection(server.database, { termId })
  await storeEnrolment(server.database, { termId, studentId: id, sectionId })
  return { termId, sectionId }
}

function clientOf(role: Role) {
  const client = clients.get(role)
  if (!client) throw new Error(`no account of the role ${role}`)
  return client
}

test.each(officeRoles)('no answer to the role %s has a value of another class', async (role) => {
  const values = hiddenFrom(role).map(canaryOf)
  const { termId, sectionId } = await storeTerms()
  const ofClass = 'component=CWTS&level=1'
  const queries: Record<string, string> = {
    '/terms/{id}/marks': `${ofClass}&section=${sectionId}`,
    '/terms/{id}/unplaced': ofClass,
  }
  const named: string[] = []
  for (const { path, method, operation } of operationsOf(await readDescription(server.url))) {
    if (method !== 'get' || path === '/events') continue
    const of = path.startsWith('/terms/') ? termId : id
    const address = server.url + baseOf(operation) + path.replaceAll(/\{\w+\}/g, of)
    const answer = await fetch(`${address}?${queries[path] ?? ''}`, {
      headers: { cookie: clientOf(role).cookie },
    })
    const text = await answer.text()
    if (text.includes(canaryOf('lastName'))) named.push(path)
    expect([path, values.filter((value) => text.includes(value))]).toEqual([path, []])
  }
  // Those that had something to hide.
  expect(named).toEqual(
    expect.arrayContaining([
      ...['/students', '/students/{id}', '/terms/{id}/class-lists', '/terms/{id}/enrolments'],
      ...(grants['marks.read'].some((granted) => granted === role) ? ['/terms/{id}/marks'] : []),
    ]),
  )
  if (grants['students.edit'].some((granted) => granted === role)) {
    const { version } = await (await clientOf(role).call('GET', `/students/${id}`)).json()
    const edit = { middleName: `${canaryOf('middleName')} ${version}` }
    const edited = await clientOf(role).call('PATCH', `/students/${id}`, edit, { 'If-Match': `"${version}"` })
    const text = await edited.text()
    expect([edited.status, values.filter((value) => text.includes(value))]).toEqual([200, []])
  }
  const record = await (await clientOf(role).call('GET', `/students/${id}`)).json()
  const shown = studentFieldNames.filter((field) => field !== 'yearLevel' && record[field] !== '')
  const visible = studentFieldNames.filter(
    (field) => field !== 'yearLevel' && !hiddenFrom(role).includes(field),
  )
  expect(shown).toEqual(visible)
  const seesConsent = hiddenFrom(role).length === 0
  expect([record.consentVersion !== '', record.consentedAt !== null]).toEqual([seesConsent, seesConsent])
})

test.each(officeRoles)('no class list has a value of another class for the role %s', async (role) => {
  const { termId } = await storeTerms()
  const text = await (await clientOf(role).call('GET', `/terms/${termId}/class-lists`)).text()
  expect(text).toContain(canaryOf('lastName'))
  const values = hiddenFrom(role).map(canaryOf)
  expect(values.filter((value) => text.includes(value))).toEqual([])
  expect(text.includes(canaryOf('contactNumber'))).toBe(!hiddenFrom(role).includes('contactNumber'))
})

test.each(officeRoles)('no order and no filter tells the role %s such a value', async (role) => {
  const sees = (field: StudentField) => !hiddenFrom(role).includes(field)
  const status = async (query: string) => (await clientOf(role).call('GET', `/students?${query}`)).status
  const expected = (isSeen: boolean) => (isSeen ? 200 : 403)
  const orders = Object.fromEntries(
    await Promise.all(studentSortKeys.map(async (key) => [key, await status(`sort=-${key}`)])),
  )
  expect(orders).toEqual({
    ...Object.fromEntries(studentSortKeys.map((key) => [key, 200])),
    contactNumber: expected(sees('contactNumber')),
    email: expected(sees('email')),
    emergencyContact: expected(sees('emergencyContactName')),
  })
  const filters = Object.fromEntries(
    await Promise.all(missingFilters.map(async (which) => [which, await status(`missing=${which}`)])),
  )
  expect(filters).toEqual({
    ...Object.fromEntries(missingFilters.map((which) => [which, 200])),
    bloodType: expected(sees('bloodType')),
    zipCode: expected(sees('zipCode')),
    guardian: expected(sees('guardianName')),
  })
  expect(await status('network=203.0.113.0%2F24')).toBe(expected(role === 'administrator'))
})

test.each(officeRoles)('no search finds a record for the role %s by such a value', async (role) => {
  for (const field of studentFieldNames.filter((name) => name !== 'yearLevel')) {
    for (const word of [canaryOf(field), canaryOf(field).split('@')[0] ?? '']) {
      const found = await clientOf(role).call('GET', `/students?search=${encodeURIComponent(word)}`)
      const { items } = await found.json()
      const isFound = items.some((item: { id: string }) => item.id === id)
      if (hiddenFrom(role).includes(field)) expect([field, word, isFound]).toEqual([field, word, false])
    }
  }
  const totalOf = async (text: string) =>
    (await (await clientOf(role).call('GET', `/students?search=${encodeURIComponent(text)}`)).json()).total
  expect(await totalOf('zqlastname')).toBe(1)
  for (const field of [
    'email',
    'contactNumber',
    'emergencyContactNumber',
    'guardianContactNumber',
  ] as const) {
    const isSeen = !hiddenFrom(role).includes(field)
    expect([field, (await totalOf(canaryOf(field))) > 0]).toEqual([field, isSeen])
  }
})

test.each(officeRoles)(
  'a possible duplicate by e-mail address shows who sees addresses: %s',
  async (role) => {
    const seesAddress = !hiddenFrom(role).includes('email')
    const record = await (await clientOf(role).call('GET', `/students/${id}`)).json()
    expect(record.isDuplicate).toBe(seesAddress)
    const { total } = await (await clientOf(role).call('GET', '/students?duplicates=only')).json()
    expect(total).toBe(seesAddress ? 2 : 0)
  },
)

test('a hidden field is refused before its rules, and so are those by which a record leaves the list', async () => {
  const assistant = clientOf('assistant')
  const refused = [...hiddenFrom('assistant'), 'nstpComponent', 'academicYear', 'serialNumber'] as const
  for (const field of studentFieldNames) {
    for (const value of [canaryOf(field), '\u0007 not valid', 'x'.repeat(3_000)]) {
      const answer = await assistant.refusal(
        'PATCH',
        `/students/${id}`,
        { [field]: value },
        { 'If-Match': '"99"' },
      )
      const isRefused = refused.some((name) => name === field)
      const { label } = fieldDefinition(field)
      expect([field, answer]).toEqual([
        field,
        isRefused
          ? { status: 403, code: 'permission_denied', detail: `Your account can't change ${label}.` }
          : expect.objectContaining({ status: 409 }),
      ])
    }
  }
})

test("an encoder who changes a student's opt-out doesn't get the mail", async () => {
  const body = { announcements: true }
  const changed = await clientOf('assistant').call('PUT', `/students/${id}/mail`, body)
  expect([changed.status, await changed.json()]).toEqual([200, { optedOut: false, messages: [] }])
})

test('whole records, files and mail are for roles that see all classes', () => {
  const permissions = [
    'students.change',
    'students.take-out',
    'imports',
    'mail',
    'history',
    'privacy',
  ] as const
  const roles = permissions.flatMap((permission) => [...grants[permission]])
  expect(roles.filter((role) => classesOf[role].length < fieldClasses.length)).toEqual([])
})

test('what knows no components is for roles that have all', () => {
  const permissions = [
    'students.reject',
    'students.delete',
    'privacy',
    'retention',
    'audit',
    'backup',
    'people',
  ] as const
  const roles: Role[] = permissions.flatMap((permission) => [...grants[permission]])
  // See admins_scope.
  expect(roles.filter((role) => role === 'coordinator' || role === 'assistant')).toEqual([])
})
