import { describe, expect, test } from 'vitest'
import { type StudentField, studentFieldNames } from '#shared/students/student-fields.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { startStudentsServer } from '#tests/setup/students-server.ts'

const app = startStudentsServer({ now: new Date('2026-11-20T02:00:00Z') })

const match = (version: number) => ({ 'If-Match': `"${version}"` })
// An unusual serial number is asked about in serial-numbers.test.ts.
const edit = (id: string, body: unknown, version = 1) =>
  app.admin.call('PATCH', `/students/${id}?serialMeant=true`, body, match(version))
const read = async (id: string) => (await app.admin.call('GET', `/students/${id}`)).json()

const chooseFrom = (words: string) => `Please choose one of the listed options for ${words}.`
const shorten = (words: string, max: number) => `Please shorten the ${words} to ${max} characters or fewer.`
const unusual = (words: string) => `Please remove the unusual characters from the ${words} field.`

const answers: Record<StudentField, [value: string, wrong: string, sentence: string]> = {
  lastName: ["D'Souza", '', 'Please fill in the last name field.'],
  firstName: ['Maria Niña', ' ', 'Please fill in the first name field.'],
  middleName: ['Santos', 'x'.repeat(101), shorten('middle name', 100)],
  extensionName: ['III', 'x'.repeat(11), shorten('extension name', 10)],
  address: ['14 Mabini Street', '', 'Please fill in the address field.'],
  barangay: ['Poblacion', 'x'.repeat(101), shorten('barangay', 100)],
  municipalCity: ['Pasig', 'a\nb', unusual('municipal city')],
  province: ['Metro Manila', 'x'.repeat(101), shorten('province', 100)],
  zipCode: ['1600', 'x'.repeat(11), shorten('zip code', 10)],
  socialSecurityNumber: ['34-7654321-0', 'x'.repeat(31), shorten('social security number', 30)],
  dateOfBirth: ['2006-02-28', '2007-02-30', 'Please enter a valid date of birth.'],
  placeOfBirth: ['Antipolo, Rizal', '', 'Please fill in the place of birth field.'],
  sex: ['Female', 'Other', chooseFrom('sex')],
  civilStatus: ['Married', 'Engaged', chooseFrom('civil status')],
  contactNumber: ['(02) 8555-0144', 'none', 'Please enter a valid contact number.'],
  email: ['maria@school.example.ph', 'maria@', 'Please enter a valid email address.'],
  citizenship: ['Spanish', '', 'Please fill in the citizenship field.'],
  religion: ['Aglipayan', 'x'.repeat(101), shorten('religion', 100)],
  height: ['170 cm', 'x'.repeat(31), shorten('height', 30)],
  weight: ['60 kg', 'x'.repeat(31), shorten('weight', 30)],
  bloodType: ['AB-', 'C+', chooseFrom('blood type')],
  studentId: ['2026-00321', 'x'.repeat(41), shorten('student id', 40)],
  course: ['SOTE', 'SONONE', chooseFrom('course')],
  program: ['BS Information Technology', 'x'.repeat(121), shorten('program', 120)],
  yearLevel: ['3rd Year', '6th Year', chooseFrom('year level')],
  academicYear: ['2025-2026', '1999-2000', chooseFrom('academic year')],
  serialNumber: ['C-13-113719-26', 'x'.repeat(41), shorten('serial number', 40)],
  fatherName: ['Jose Reyes Jr.', 'x'.repeat(201), shorten('father name', 200)],
  fatherOccupation: ['Farmer', 'x'.repeat(101), shorten('father occupation', 100)],
  motherName: ['Luz Reyes', 'x'.repeat(201), shorten('mother name', 200)],
  motherOccupation: ['Nurse', 'x'.repeat(101), shorten('mother occupation', 100)],
  guardianName: ["Ma. Corazon D'Souza", 'x'.repeat(201), shorten('guardian name', 200)],
  guardianRelationship: ['Grandmother', 'x'.repeat(61), shorten('guardian relationship', 60)],
  guardianAddress: ['Cainta, Rizal', 'x'.repeat(301), shorten('guardian address', 300)],
  guardianContactNumber: ['0919 000 2222', '0'.repeat(41), shorten('guardian contact number', 40)],
  elementarySchool: ['Cainta Elementary', 'x'.repeat(201), shorten('elementary school', 200)],
  elementaryYearGraduated: ['2018', 'x'.repeat(21), shorten('elementary year graduated', 20)],
  highSchool: ['Cainta High School', 'x'.repeat(201), shorten('high school', 200)],
  highSchoolYearGraduated: ['2024', 'x'.repeat(21), shorten('high school year graduated', 20)],
  college: ['Rizal College', 'x'.repeat(201), shorten('college', 200)],
  collegeYearGraduated: ['2029', 'x'.repeat(21), shorten('college year graduated', 20)],
  workExperience: ['Service crew\nTutor, 2026', 'x'.repeat(2001), shorten('work experience', 2000)],
  skills: ['Driving\nFirst aid', 'a\u202eb', unusual('skills')],
  hobbies: ['Chess', 'x'.repeat(1001), shorten('hobbies', 1000)],
  emergencyContactName: ['Ana D’Souza', '', 'Please fill in the emergency contact name field.'],
  emergencyContactNumber: ['0918 000 1111', 'x', 'Please enter a valid emergency contact number.'],
  emergencyContactAddress: ['Quezon City', 'x'.repeat(301), shorten('emergency contact address', 300)],
  nstpComponent: ['ROTC', 'NSTP', chooseFrom('nstp component')],
}
const asRead = (field: StudentField, value: string) => (field === 'yearLevel' ? Number(value[0]) : value)

describe.each(studentFieldNames)('%s', (field) => {
  const [value, wrong, sentence] = answers[field]

  test('is corrected, read back, and recorded with both values', async () => {
    const { id, reference, ...before } = await storeStudent(app.database)
    const response = await edit(id, { [field]: ` ${value} ` })
    expect(response.status).toBe(200)
    const after = asRead(field, value)
    expect(await response.json()).toMatchObject({ [field]: after, version: 2 })
    expect(await read(id)).toMatchObject({
      ...before,
      registrationDate: expect.any(String),
      consentedAt: expect.any(String),
      [field]: after,
    })
    expect(await app.trail.of('student-edited')).toMatchObject([
      { studentId: id, subject: reference, fields: [field], affected: 1 },
    ])
    expect(await app.trail.values()).toMatchObject([
      { studentId: id, before: { [field]: before[field] }, after: { [field]: after } },
    ])
  })

  test('refuses a wrong value with its message', async () => {
    const { id } = await storeStudent(app.database)
    expect(await app.admin.refusal('PATCH', `/students/${id}`, { [field]: wrong }, match(1))).toEqual({
      status: 422,
      code: 'invalid',
      detail: sentence,
      errors: [{ path: field, message: sentence }],
    })
    expect(await read(id)).toMatchObject({ version: 1 })
  })
})

test('all fields at once, as the record returns them', async () => {
  const { id } = await storeStudent(app.database)
  const values = Object.fromEntries(
    studentFieldNames.map((field) => [field, asRead(field, answers[field][0])]),
  )
  expect(await (await edit(id, values)).json()).toMatchObject({ ...values, version: 2 })
  expect(await (await edit(id, values, 2)).json()).toMatchObject({ ...values, version: 2 })
})

test('who has one name keeps a part that is a name', async () => {
  const { id } = await storeStudent(app.database, { lastName: 'Suharto', firstName: '-' })
  const { errors } = await app.admin.refusal('PATCH', `/students/${id}`, { lastName: 'N/A' }, match(1))
  expect(errors).toEqual([{ path: 'lastName', message: 'Please fill in the last name field.' }])
  const edited = await edit(id, { lastName: '-', firstName: 'Suharto' })
  expect(await edited.json()).toMatchObject({ lastName: '-', firstName: 'Suharto' })
})

test('problems come in the order of the edit form: the fields of its head first', async () => {
  const { id } = await storeStudent(app.database)
  const { errors } = await app.admin.refusal(
    'PATCH',
    `/students/${id}`,
    { dateOfBirth: '', yearLevel: 6, address: '', firstName: '' },
    match(1),
  )
  expect(errors).toEqual([
    { path: 'firstName', message: 'Please fill in the first name field.' },
    { path: 'address', message: 'Please fill in the address field.' },
    { path: 'dateOfBirth', message: 'Please fill in the date of birth field.' },
    { path: 'yearLevel', message: chooseFrom('year level') },
  ])
})

test.each([
  [null, 'Please send the year level as text.'],
  ['', 'Please fill in the year level field.'],
  [2.5, chooseFrom('year level')],
  [0, chooseFrom('year level')],
])('the year level %j is refused', async (yearLevel, detail) => {
  const { id } = await storeStudent(app.database)
  expect(await app.admin.refusal('PATCH', `/students/${id}`, { yearLevel }, match(1))).toMatchObject({
    status: 422,
    detail,
  })
})

describe('ages count on the day of the registration, by the calendar of the program', () => {
  // The morning of 1 September 2020 in Manila, where UTC still has August.
  const registrationDate = new Date('2020-08-31T22:00:00Z')

  test.each([
    ['2004-09-01', 200],
    ['2004-09-02', 'You must be at least 16 years old to register.'],
    ['2020-09-02', 'Please enter a valid date of birth.'],
    ['1899-09-01', 'Please enter a valid date of birth.'],
  ])('%s', async (dateOfBirth, expected) => {
    const { id } = await storeStudent(app.database, { registrationDate, dateOfBirth: '2003-01-01' })
    const response = await edit(id, { dateOfBirth })
    if (expected === 200) expect(response.status).toBe(200)
    else expect(await response.json()).toMatchObject({ status: 422, detail: expected })
  })
})

describe('an older record', () => {
  const old = {
    course: 'SOLD',
    academicYear: '2010-2011',
    yearLevel: 5,
    dateOfBirth: '2020-01-01',
    contactNumber: 'none',
    email: '',
    citizenship: '',
    guardianContactNumber: 'N/A',
    religion: ' spaced ',
    nstpComponent: 'LTS',
  }

  test('is corrected field by field, with other invalid values', async () => {
    const { id } = await storeStudent(app.database, old)
    expect(await (await edit(id, { serialNumber: 'C-1' })).json()).toMatchObject({
      ...old,
      serialNumber: 'C-1',
      version: 2,
    })
  })

  test('accepts stored values sent back beside a correction', async () => {
    const { id } = await storeStudent(app.database, old)
    const { religion: _religion, ...same } = old
    await edit(id, { ...same, lastName: 'Reyes' })
    expect(await app.trail.of('student-edited')).toMatchObject([{ fields: ['lastName'] }])
  })

  test('makes its course and academic year valid for other records, as are LTS and the fifth year', async () => {
    await storeStudent(app.database, old)
    const { id } = await storeStudent(app.database)
    const uses = { course: 'SOLD', academicYear: '2010-2011', yearLevel: 5, nstpComponent: 'LTS' }
    expect(await (await edit(id, uses)).json()).toMatchObject({ ...uses, version: 2 })
    expect((await edit(id, { course: 'SOICT', yearLevel: '5th Year' }, 2)).status).toBe(200)
  })
})

describe('what follows from a correction', () => {
  const figures = async () => (await app.admin.call('GET', '/statistics')).json()
  const found = async (query: string) => {
    const { total, items } = await (await app.admin.call('GET', `/students?${query}`)).json()
    return { total, ids: items.map(({ id }: { id: string }) => id) }
  }

  test('the counts and statistics', async () => {
    const { id } = await storeStudent(app.database)
    const before = await figures()
    expect(before.yearLevels[0]).toMatchObject({ yearLevel: 1, count: 1 })
    await edit(id, { yearLevel: '4th Year', academicYear: '2024-2025', course: 'SOTE', nstpComponent: 'LTS' })
    const after = await figures()
    expect(after.yearLevels[0]).toMatchObject({ yearLevel: 1, count: 0 })
    expect(after.yearLevels[3]).toMatchObject({ yearLevel: 4, count: 1 })
    expect(await found('academicYear=2026-2027')).toEqual({ total: 0, ids: [] })
    expect(await found('academicYear=2024-2025')).toEqual({ total: 1, ids: [id] })
    expect(await (await app.admin.call('GET', '/students/academic-years')).json()).toEqual({
      items: ['2024-2025'],
    })
    expect(await (await app.admin.call('GET', '/dashboard')).json()).toMatchObject({ ltsStudents: 1 })
  })

  test('the search and the order of names', async () => {
    const { id } = await storeStudent(app.database, { lastName: 'Aquino' })
    const other = await storeStudent(app.database, { lastName: 'Bautista' })
    await edit(id, { lastName: 'Zamora' })
    expect(await found('search=aquino')).toMatchObject({ total: 0 })
    expect(await found('search=zamora')).toEqual({ total: 1, ids: [id] })
    expect(await found('sort=name')).toEqual({ total: 2, ids: [other.id, id] })
  })

  test('the marks of duplicates', async () => {
    const mine = { dateOfBirth: '2006-01-01', email: 'a@example.ph', studentId: '1' }
    const { id } = await storeStudent(app.database, mine)
    await storeStudent(app.database, { email: 'b@example.ph', studentId: '2' })
    expect(await read(id)).toMatchObject({ isDuplicate: false })
    await edit(id, { dateOfBirth: '2007-05-14' })
    expect(await read(id)).toMatchObject({ isDuplicate: true })
    await edit(id, { academicYear: '2025-2026' }, 2)
    expect(await read(id)).toMatchObject({ isDuplicate: false })
    await edit(id, { academicYear: '2026-2027', dateOfBirth: '2006-01-01', studentId: '2' }, 3)
    expect(await read(id)).toMatchObject({ isDuplicate: true })
  })
})

test('birthdate and gender are read as the date of birth and the sex', async () => {
  const { id } = await storeStudent(app.database)
  expect((await edit(id, { birthdate: '2006-02-03', gender: 'Female' })).status).toBe(200)
  expect((await edit(id, { hobbies: 'Chess', gender: '' }, 2)).status).toBe(200)
  expect(await read(id)).toMatchObject({ dateOfBirth: '2006-02-03', sex: 'Female' })
  const twice = await edit(id, { birthdate: '2006-02-03', dateOfBirth: '2006-02-04' }, 3)
  expect(await twice.json()).toMatchObject({
    status: 422,
    detail: 'Please send the date of birth only once: dateOfBirth and birthdate differ.',
  })
  const unknown = await edit(id, { birthday: '2006-02-03' }, 3)
  expect(await unknown.json()).toMatchObject({ detail: "These fields can't be edited: birthday." })
})
