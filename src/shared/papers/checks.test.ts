import { expect, test } from 'vitest'
import { everyField } from '#shared/students/student-fields.ts'
import type { CheckContext } from './check-rules.ts'
import { checkPeople } from './checks.ts'
import { type PaperField, type PaperPerson, paperFields } from './papers.ts'
import { createPlaces } from './places.ts'

const places = createPlaces([
  { municipality: 'Baliuag', province: 'Bulacan' },
  { municipality: 'Pulilan', province: 'Bulacan' },
  { municipality: 'City of San Fernando', province: 'Pampanga' },
  { municipality: 'San Fernando', province: 'La Union' },
  { municipality: 'Santa Rosa', province: 'Laguna' },
  { municipality: 'Santa Rosa', province: 'Nueva Ecija' },
])

const context: CheckContext = {
  purpose: 'graduates',
  startsOn: '2025-08-11',
  places,
  texts: paperFields,
  showsParts: false,
  unset: [],
  isUnnamed: (course) => course === 'SOHM',
  registrarOn: new Map([['2026-01-12', '2025-09-01']]),
  inPaper: new Map(),
  since: null,
}

const lastNames =
  'Abad Bautista Castillo Dimaculangan Evangelista Fernandez Gonzales Hernandez Ignacio Jimenez'.split(' ')
const moreNames =
  'Kalaw Lumbera Magsaysay Natividad Ocampo Pangilinan Quizon Rosales Salonga Tolentino'.split(' ')
const firstNames =
  'Althea Bernardo Cristina Dominador Esperanza Florencio Guillermo Honorata Isidro Josefina'.split(' ')

/** Nobody like another: names by position, no two alike born on one day. */
function person(index: number, changes: Partial<Record<PaperField, string>> = {}): PaperPerson {
  const digit = (place: number) => Math.floor(index / 10 ** place) % 10
  const born = new Date(Date.UTC(2003, 0, 1 + (index % 1_009)))
  return {
    studentId: `id-${String(index).padStart(5, '0')}`,
    version: 3,
    list: 'graduates',
    fields: {
      ...everyField(() => ''),
      lastName: `${lastNames[digit(0)]} ${moreNames[digit(1)]}`,
      firstName: `${firstNames[digit(2)]} ${firstNames[(digit(3) + digit(0) + 3) % 10]}`,
      middleName: moreNames[digit(3)] ?? '',
      dateOfBirth: born.toISOString().slice(0, 10),
      sex: index % 2 ? 'Male' : 'Female',
      address: `${index + 1} Rizal Street`,
      municipalCity: 'Baliuag, Bulacan',
      province: 'Bulacan',
      citizenship: 'Filipino',
      email: `student${index}@gmail.com`,
      contactNumber: `09${String(171_000_000 + index)}`,
      studentId: `2025-${String(index).padStart(5, '0')}`,
      course: index % 3 ? 'SOICT' : 'SOBM',
      ...changes,
    },
    isListed: true,
    component: 'CWTS',
    level: 2,
    semester: 2,
    startsOn: '2026-01-12',
    termId: null,
    sectionId: null,
    unit: '',
    section: 'Alpha',
    school: '',
    mark: '1.50',
    percent: '',
    cog: {},
    outcome: 'passed',
    isTransferee: false,
    hasNstp1: true,
    nstp1Component: 'CWTS',
    isOfficial: true,
    restriction: null,
    isExempt: false,
    entry: 'new',
  }
}

const noPause = () => Promise.resolve()

async function found(people: readonly PaperPerson[], changed: Partial<CheckContext> = {}) {
  const findings = await checkPeople(people, { ...context, ...changed }, noPause)
  return findings.flatMap(({ code, severity, people: meant }) =>
    meant.map(({ subject, sentence, fixes }) => ({
      code: `${code} ${severity}`,
      subject,
      sentence,
      fixes: fixes.map(({ field, after }) => `${field}: ${after}`),
    })),
  )
}

const clean = Array.from({ length: 5_000 }, (_, index) => person(index))

test('a school of 5,000 without a defect has no finding', async () => {
  expect(await found(clean)).toEqual([])
})

test('a school with the defects of two real workbooks has these findings', async () => {
  const people = clean.map((one, index) => ({
    ...one,
    fields: {
      ...one.fields,
      ...(index % 100 < 97 && { contactNumber: one.fields.contactNumber.slice(1) }),
      ...(index % 80 === 0 && { middleName: '0' }),
    },
  }))
  const findings = await checkPeople(people, context, noPause)
  expect(findings.map((finding) => [finding.code, finding.people.length])).toEqual([
    ['K07', 4_850],
    ['K12', 63],
  ])
})

test.each<[string, Partial<Record<PaperField, string>>, string, string, string[]]>([
  ['no first name', { firstName: '' }, 'K01 stop', 'First Name is missing.', []],
  ['no birth date', { dateOfBirth: '' }, 'K01 stop', 'Date of Birth is missing.', []],
  ['another sex', { sex: 'X' }, 'K01 stop', 'Sex is missing.', []],
  ['no course', { course: '' }, 'K01 stop', 'Course is missing.', []],
  ['no e-mail', { email: '' }, 'K01 ask', 'Email is missing.', []],
  ['no phone', { contactNumber: '' }, 'K01 ask', 'Contact Number is missing.', []],
  ['born this year', { dateOfBirth: '2025-01-01' }, 'K02 stop', 'would be 1 year old.', []],
  ['born long ago', { dateOfBirth: '1960-01-01' }, 'K02 ask', 'would be 66 years old.', []],
  [
    'a mail domain with an error',
    { email: 'ana@gmial.com' },
    'K06 ask',
    'ana@gmial.com: did they mean ana@gmail.com?',
    ['email: ana@gmail.com'],
  ],
  [
    'a phone that lost its zero',
    { contactNumber: '9171234567' },
    'K07 ask',
    '9171234567 is no mobile number.',
    ['contactNumber: 09171234567'],
  ],
  ['a telephone', { contactNumber: '(044) 766 1234' }, 'K07 ask', '(044) 766 1234 is no mobile number.', []],
  ['a middle name of 0', { middleName: '0' }, 'K12 ask', '“0” as Middle Name?', ['middleName: ']],
  ['a middle name of N/A', { middleName: 'N/A' }, 'K12 ask', '“N/A” as Middle Name?', ['middleName: ']],
  ['a question mark', { lastName: 'Pe?aflor' }, 'K12 ask', '“Pe?aflor” as Last Name?', []],
  ['one letter', { firstName: 'J' }, 'K12 ask', '“J” as First Name?', []],
  [
    'two blanks',
    { firstName: 'Ana  Maria' },
    'K12 ask',
    '“Ana  Maria” as First Name?',
    ['firstName: Ana Maria'],
  ],
  [
    'an extension in the last name',
    { lastName: 'Reyes Jr.' },
    'K13 ask',
    'Move “Jr.” from Last Name to Extension Name?',
    ['lastName: Reyes', 'extensionName: Jr.'],
  ],
  [
    'an extension in the first name',
    { firstName: 'Pedro III' },
    'K13 ask',
    'Move “III” from First Name to Extension Name?',
    ['firstName: Pedro', 'extensionName: III'],
  ],
  [
    'an extension that stands twice',
    { firstName: 'Pedro III', extensionName: 'III' },
    'K13 ask',
    'Move “III” from First Name to Extension Name?',
    ['firstName: Pedro'],
  ],
  [
    'no province behind a town of one',
    { municipalCity: 'Pulilan', province: '' },
    'K14 ask',
    'Pulilan is in Bulacan.',
    ['province: Bulacan'],
  ],
  [
    'the province in the town',
    { municipalCity: 'San Fernando, Pampanga', province: '' },
    'K14 ask',
    'San Fernando is in Pampanga.',
    ['province: Pampanga'],
  ],
  [
    'a town of two provinces',
    { municipalCity: 'San Fernando', province: '' },
    'K14 ask',
    'Province is missing.',
    [],
  ],
  [
    'another province',
    { municipalCity: 'Pulilan', province: 'Pampanga' },
    'K14 ask',
    'Pulilan is in Bulacan, not in Pampanga.',
    ['province: Bulacan'],
  ],
  ['an unknown town', { municipalCity: 'Pulilann' }, 'K14 ask', 'Pulilann isn’t a town that we know.', []],
  ['a foreigner', { citizenship: 'Non-Filipino' }, 'K16 ask', 'Citizenship is Non-Filipino.', []],
])('%s is the only finding', async (_name, changes, code, sentence, fixes) => {
  const result = await found([person(1), person(2, changes), person(3)])
  expect(result).toEqual([
    {
      code,
      subject: expect.stringMatching(/^id-00002 \w+$/),
      sentence: sentence.startsWith('would') ? expect.stringContaining(sentence) : sentence,
      fixes,
    },
  ])
})

test('who is Filipino too is no foreigner', async () => {
  expect(await found([person(1, { citizenship: 'Dual (Filipino and American)' }), person(2)])).toEqual([])
})

test.each(['0917 123 4567', '+63 917-123-4567', '639171234567', '09171234567'])(
  '%s is a mobile number',
  async (contactNumber) => {
    expect(await found([person(1, { contactNumber })])).toEqual([])
  },
)

test.each<[string, Partial<PaperPerson>, Partial<CheckContext>, string, string]>([
  ['without NSTP 1', { hasNstp1: false }, {}, 'K08 ask', 'NSTP 1 is missing.'],
  ['without a mark', { outcome: 'none' }, {}, 'K09 ask', 'No mark yet.'],
  [
    'in another paper',
    {},
    { inPaper: new Map([['id-00002', 'CHED workbook 2024-2025']]) },
    'K10 stop',
    'Already in CHED workbook 2024-2025.',
  ],
  ['in two components', { nstp1Component: 'LTS' }, {}, 'K11 ask', 'NSTP 1 in LTS, NSTP 2 in CWTS.'],
  ['blocked', { restriction: 'blocked' }, {}, 'K16 stop', 'Blocked: not to be passed on.'],
  ['exempt', { isExempt: true }, {}, 'K16 stop', 'Exempt from NSTP.'],
  ['from another school', { entry: 'cross-enrolled' }, {}, 'K16 ask', 'Cross-enrolled from another school.'],
  ['not official', { isOfficial: false }, {}, 'K18 ask', 'Not on the registrar’s list of 2025-09-01.'],
])('%s is the only finding', async (_name, changes, changed, code, sentence) => {
  const result = await found([person(1), { ...person(2), ...changes }, person(3)], changed)
  expect(result).toEqual([{ code, subject: 'id-00002', sentence, fixes: [] }])
})

test.each<[string, Partial<Record<PaperField, string>>, string, string]>([
  [
    'the same name and birth date',
    { lastName: 'Bautista Kalaw', firstName: 'Althéa Esperanza', dateOfBirth: '2003-01-02' },
    'K03 stop',
    'In the list twice.',
  ],
  [
    'two letters differ',
    { lastName: 'Bautista Kalaw', firstName: 'Alteha Esperanza', dateOfBirth: '2003-01-02' },
    'K04 ask',
    'May be the same person as',
  ],
  [
    'swapped names',
    { lastName: 'Althea Esperanza', firstName: 'Bautista Kalaw', dateOfBirth: '2003-01-02' },
    'K04 ask',
    'May be the same person as',
  ],
  ['one student number', { studentId: '2025 00001' }, 'K05 stop', '2025 00001 belongs to'],
  ['one address', { email: 'Student1@gmail.com' }, 'K06 ask', 'Student1@gmail.com is that of'],
])('%s is found of the pair', async (_name, changes, code, sentence) => {
  const result = await found([person(1), { ...person(20, changes), studentId: 'id-00000' }])
  expect(result).toEqual([
    { code, subject: 'id-00000 id-00001', sentence: expect.stringContaining(sentence), fixes: [] },
  ])
})

test('the same name is somebody else with another middle name', async () => {
  const { lastName, firstName } = person(1).fields
  const namesake = { lastName, firstName, middleName: 'Zamora' }
  expect(await found([person(1), person(20, namesake)])).toEqual([])
  expect(await found([person(1), person(20, { ...namesake, middleName: '' })])).toMatchObject([
    { code: 'K04 ask' },
  ])
})

test('what the office has not set is said once', async () => {
  const people = [person(1, { course: 'SOHM' }), person(2, { course: 'SOHM' })]
  expect(await found(people, { unset: ['Region'] })).toEqual([
    { code: 'K15 stop', subject: 'Region', sentence: 'Region isn’t set.', fixes: [] },
    { code: 'K15 ask', subject: 'SOHM', sentence: 'SOHM has no official name.', fixes: [] },
  ])
})

test('a roster asks for the barangay, and says what changed since the paper before', async () => {
  const people = [
    person(1, { address: '12 Mabini St., Brgy. Sto. Cristo, Purok 2' }),
    person(2, { barangay: 'Tibag' }),
  ]
  expect(await found(people, { purpose: 'roster', since: { came: 12, went: 3, changed: 5 } })).toMatchObject([
    { code: 'K14 ask', subject: 'id-00001 barangay', fixes: ['barangay: Sto. Cristo'] },
    { code: 'K20 note', sentence: '12 came, 3 went, 5 changed.' },
  ])
})

test('who is in two lists of a paper is found once', async () => {
  const one = person(1, { middleName: '0' })
  expect(await found([{ ...one, list: 'enrolment' }, one])).toHaveLength(1)
})

test.each<[Partial<Record<PaperField, string>>, string, string, string[]]>([
  [{ extensionName: 'O+' }, 'K12 ask', '“O+” as Extension Name?', []],
  [{ extensionName: 'Junior' }, 'K12 ask', '“Junior” as Extension Name?', ['extensionName: Jr.']],
  [{ extensionName: '2nd' }, 'K12 ask', '“2nd” as Extension Name?', ['extensionName: II']],
  [{ extensionName: 'N/A' }, 'K12 ask', '“N/A” as Extension Name?', ['extensionName: ']],
  [{ address: '12 Pe?aflor Street' }, 'K12 ask', '“12 Pe?aflor Street” as Address?', []],
  [{ barangay: 'NiÃ±o' }, 'K12 ask', '“NiÃ±o” as Barangay?', []],
  [{ barangay: 'none' }, 'K12 ask', '“none” as Barangay?', ['barangay: ']],
  [{ lastName: 'PeÃ±a' }, 'K12 ask', '“PeÃ±a” as Last Name?', []],
  [{ studentId: '1.07235E+11' }, 'K12 ask', '“1.07235E+11” as Student ID?', []],
  [{ program: '#N/A' }, 'K12 ask', '“#N/A” as Degree Program?', []],
  [{ program: '=VLOOKUP(A2)' }, 'K12 ask', '“=VLOOKUP(A2)” as Degree Program?', []],
  [{ course: 'SOICT  A' }, 'K12 ask', '“SOICT  A” as Course?', ['course: SOICT A']],
  [{ email: 'no email' }, 'K12 ask', '“no email” as Email?', []],
  [{ serialNumber: 'abc' }, 'K12 ask', 'abc has an unusual form.', []],
  [
    { municipalCity: 'Sta. Rosa, Laguna', province: 'Nueva Ecija' },
    'K14 ask',
    '“Sta. Rosa, Laguna” says Laguna, but the province is Nueva Ecija.',
    ['province: Laguna'],
  ],
  [
    { address: '4 Mabini St., Sta. Rosa, Laguna', municipalCity: 'Sta. Rosa', province: 'Nueva Ecija' },
    'K14 ask',
    'Address says Laguna, but the province is Nueva Ecija.',
    [],
  ],
])('what goes into a cell is read: %j', async (changes, code, sentence, fixes) => {
  expect(await found([person(1, changes)])).toMatchObject([{ code, sentence, fixes }])
})

test.each<Partial<Record<PaperField, string>>>([
  { extensionName: 'Jr.' },
  { extensionName: 'JR' },
  { extensionName: 'III' },
  { municipalCity: 'Sta. Rosa, Laguna', province: 'Laguna' },
  { municipalCity: 'Sta. Rosa', province: 'Nueva Ecija' },
  { address: '12 Laguna Street, Rizal' },
])('what is usual is no finding: %j', async (changes) => {
  expect(await found([person(1, changes)])).toEqual([])
})

test('a text that the paper does not write is not asked about', async () => {
  expect(
    await found([person(1, { extensionName: 'O+', barangay: 'none' })], { texts: ['lastName'] }),
  ).toEqual([])
})
