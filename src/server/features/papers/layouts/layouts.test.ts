import readWorkbook from 'read-excel-file/node'
import { v7 as createId } from 'uuid'
import { beforeEach, expect, test } from 'vitest'
import { defaultOptions, type NewPaper } from '#shared/papers/papers.ts'
import type { PaperCheck } from '#shared/papers/papers-response.ts'
import { storeEnrolment } from '#tests/factories/stored-enrolment.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { storeSection, storeTerm } from '#tests/factories/stored-term.ts'
import { freezePaper, makePaper, setOffice } from '#tests/setup/papers.ts'
import { startStudentsServer } from '#tests/setup/students-server.ts'

const own = startStudentsServer({ now: new Date('2027-05-28T09:00:00+08:00') })
const [first, second, platoon] = [createId(), createId(), createId()]

beforeEach(async () => {
  const { db } = own.database
  for (const table of ['papers', 'enrolments', 'sections', 'terms'] as const) {
    await db.deleteFrom(table).execute()
  }
  await storeTerm(own.database, { id: first, state: 'closed' })
  await storeTerm(own.database, { id: second, semester: 2 })
  const section = { termId: second, component: 'ROTC', level: 2, unit: 'Alpha', name: 'Platoon 1' } as const
  await storeSection(own.database, { ...section, id: platoon })
  await setOffice(own.admin)
})

type Student = NonNullable<Parameters<typeof storeStudent>[1]>
type Enrolment = Partial<Parameters<typeof storeEnrolment>[1]>

async function store(student: Student, ...enrolments: Enrolment[]): Promise<void> {
  const component = student.nstpComponent === 'CWTS' ? 'CWTS' : 'ROTC'
  const { id: studentId } = await storeStudent(own.database, {
    nstpComponent: component,
    middleName: 'Santos',
    extensionName: '',
    course: 'SOBM',
    dateOfBirth: '2006-02-03',
    serialNumber: '',
    studentId: `26-${student.lastName}`,
    ...student,
  })
  for (const enrolment of enrolments) {
    await storeEnrolment(own.database, { termId: second, studentId, component, ...enrolment })
  }
}

async function sheetsOf(change: Partial<NewPaper>) {
  const made = await makePaper(own.admin, { components: ['ROTC'], ...change })
  const { id } = await freezePaper(own.server, own.admin, made)
  const answer = await own.admin.call('GET', `/papers/${id}/file.xlsx`)
  const sheets = await readWorkbook(Buffer.from(await answer.arrayBuffer()))
  const filled = (row: unknown[]) => row.filter((cell) => cell !== null)
  return Object.fromEntries(sheets.map(({ sheet, data }) => [sheet, data.map(filled)]))
}

const passed = { level: 2, outcome: 'passed', mark: '1.25' } as const

test('the grades of ROTC have a part for each level and sex, with numbers of its own', async () => {
  await store({ lastName: 'Peña', firstName: 'Ana', sex: 'Female' }, passed)
  await store({ lastName: 'Cruz', firstName: 'Ben', sex: 'Male', extensionName: 'Jr.' }, passed)
  await store(
    { lastName: 'Reyes', firstName: 'Carlo', sex: 'Male' },
    { level: 2, outcome: 'failed', mark: '5.00' },
  )
  await store({ lastName: 'Abad', firstName: 'Dan', sex: 'Male' }, { outcome: 'incomplete', mark: 'INC' })
  const { COG, ROG } = await sheetsOf({ layout: 'rotc-grades', termId: second })
  const parts = ['ATTENDANCE', '30%', 'ATTITUDE (100)', '30%', 'MIDTERM EXAM', '20%', 'FINAL EXAM', '20%']
  const heads = ['TOTAL (GRADE IN %)', 'Equivalent', 'REMARKS']
  const cog = ['NR', 'NAME', 'COURSE', ...parts, ...heads]
  expect(COG?.slice(5)).toEqual([
    ['Baliuag College', '28-May-27'],
    [],
    ['(Second semester, SY 2026-2027)'],
    [],
    ['NSTP 1 MALE CADETS'],
    cog,
    [1, 'ABAD, DAN S.', 'SOBM', 'INC', 'INC'],
    ['NSTP 2 MALE CADETS'],
    cog,
    [1, 'CRUZ, BEN S. JR.', 'SOBM', '1.25', 'PASSED'],
    [2, 'REYES, CARLO S.', 'SOBM', '5.00', 'FAILED'],
    ['NSTP 2 FEMALE CADETS'],
    cog,
    [1, 'PEÑA, ANA S.', 'SOBM', '1.25', 'PASSED'],
  ])
  expect(ROG?.slice(8, 13)).toEqual([
    ['(Second semester, SY 2026-2027)'],
    [],
    ['NSTP 1 MALE CADETS'],
    ['NR', 'NAME', 'COURSE', ...heads],
    [1, 'ABAD, DAN S.', 'SOBM', 'INC', 'INC'],
  ])
})

test('marks that were entered with parts fill the columns of the parts and the per cent', async () => {
  const part = (
    key: 'attendance' | 'attitude' | 'midterm' | 'final',
    weight: number,
    score: number,
    top = 100,
  ) => ({
    ...{ key, name: key, weight, top, lowest: 0 as const, column: key, score, attendance: null },
  })
  const parts = [
    part('attendance', 30, 14, 15),
    part('attitude', 30, 90),
    part('midterm', 20, 35, 50),
    part('final', 20, 85.5),
  ]
  await store(
    { lastName: 'Cruz', firstName: 'Ben', sex: 'Male' },
    { ...passed, mark: '2.00', percent: '86.10', parts: JSON.stringify(parts) },
  )
  await store({ lastName: 'Reyes', firstName: 'Carlo', sex: 'Male' }, passed)
  const { COG, ROG } = await sheetsOf({ layout: 'rotc-grades', termId: second })
  expect(COG?.slice(-2)).toEqual([
    [1, 'CRUZ, BEN S.', 'SOBM', 93.33, 28, 90, 27, 70, 14, 85.5, 17.1, 86.1, '2.00', 'PASSED'],
    [2, 'REYES, CARLO S.', 'SOBM', '1.25', 'PASSED'],
  ])
  expect(ROG?.at(-2)).toEqual([1, 'CRUZ, BEN S.', 'SOBM', 86.1, '2.00', 'PASSED'])
  const { Grades } = await sheetsOf({ layout: 'registrar-grades', termId: second })
  expect(Grades?.at(-2)?.slice(-3)).toEqual([86.1, '2.00', 'PASSED'])
  const made = await makePaper(own.admin, { layout: 'rotc-grades', components: ['ROTC'], termId: second })
  const { findings }: PaperCheck = await (await own.admin.call('POST', `/papers/${made.id}/check`)).json()
  expect(findings.filter(({ code }) => code === 'K21')).toMatchObject([
    { severity: 'note', people: [{ sentence: '1 of 2 marks lack parts: their columns stay blank.' }] },
  ])
})

test('the roster of ROTC has its graduates with their platoon', async () => {
  const cadet = {
    serialNumber: 'NCR-R03-100001',
    studentId: '26-1',
    address: '12 Rizal St.',
    barangay: 'Tibag',
  }
  const one = { termId: first, outcome: 'passed' } as const
  await store({ ...cadet, lastName: 'Cruz', firstName: 'Ben', sex: 'Male' }, one, {
    ...passed,
    sectionId: platoon,
  })
  const { Roster } = await sheetsOf({ layout: 'rotc-roster' })
  expect(Roster?.slice(3)).toEqual([
    [
      ...[
        'Serial Number',
        'Surname',
        'First Name',
        'Middle Name',
        'Course',
        'Platoon',
        'ID No.',
        'Birthdate',
      ],
      ...['Sex', 'Barangay', 'Present Address'],
    ],
    [
      ...['NCR-R03-100001', 'Cruz', 'Ben', 'Santos', 'SOBM', 'Alpha, Platoon 1', '26-1'],
      ...[new Date('2006-02-03T00:00:00Z'), 'M', 'Tibag', '12 Rizal St.'],
    ],
  ])
})

test('2-B is signed by three, each with the own title', async () => {
  await store(
    { lastName: 'Cruz', sex: 'Male', nstpComponent: 'CWTS' },
    { termId: first, outcome: 'passed' },
    passed,
  )
  const { version } = await (await own.admin.call('GET', '/settings')).json()
  const signatories = [
    { name: 'Ana Abad', title: 'NSTP Coordinator', signs: 'papers' },
    { name: 'Ben Blas', title: 'Signs certificates alone', signs: 'certificates' },
    { name: 'Carla Cruz', title: 'Registrar', signs: 'both' },
    { name: 'Dan Diaz', title: 'President', signs: 'papers' },
  ]
  const saved = await own.admin.call('PATCH', '/settings', { signatories }, { 'If-Match': `"${version}"` })
  expect(saved.status).toBe(200)
  for (const ofGraduates of [false, true]) {
    const options = { ...defaultOptions, ofGraduates }
    const sheets = await sheetsOf({ layout: 'osds-2b', components: ['CWTS'], options })
    expect(sheets['2-B']?.slice(7).filter((row) => row.length > 0)).toEqual([
      ['Prepared by', 'Certified Correct', 'Approved'],
      ['Ana Abad', 'Carla Cruz', 'Dan Diaz'],
      ['NSTP Coordinator', 'Registrar', 'President'],
    ])
  }
})

test('2-B lists a level, or the graduates', async () => {
  const one = { termId: first, outcome: 'passed' } as const
  await store({ lastName: 'Cruz', sex: 'Male', nstpComponent: 'CWTS' }, one, passed)
  await store({ lastName: 'Reyes', sex: 'Male', nstpComponent: 'CWTS' }, { termId: first })
  const paper = { layout: 'osds-2b', components: ['CWTS'] } as const
  const level = await sheetsOf({ ...paper, components: ['CWTS'] })
  expect(level['2-B']?.[1]).toEqual(['NSTP 1 ENROLLMENT LIST'])
  expect(level['2-B']?.slice(4, 7).map((row) => row.slice(0, 3))).toEqual([
    ['No.', 'Student No.', 'Surname'],
    [1, expect.any(String), 'Cruz'],
    [2, expect.any(String), 'Reyes'],
  ])
  expect(level['2-B']?.[8]).toEqual(['Prepared by', 'Certified Correct', 'Approved'])
  const options = { ...defaultOptions, ofGraduates: true }
  const graduates = await sheetsOf({ ...paper, components: ['CWTS'], options })
  expect(graduates['2-B']?.[1]).toEqual(['List of NSTP Graduates for Final Funding'])
  expect(graduates['2-B']?.[4]?.at(-1)).toBe('Is Transferee')
  expect(graduates['2-B']?.[5]?.at(-1)).toBe('NO')
})

test('the registrar gets the marks of a term', async () => {
  await store({ lastName: 'Cruz', firstName: 'Ben', studentId: '26-1' }, { ...passed, sectionId: platoon })
  const { Grades } = await sheetsOf({ layout: 'registrar-grades', termId: second })
  expect(Grades).toEqual([
    ['NSTP grades, Second semester 2026-2027'],
    [],
    ['Student No.', 'Name', 'Component', 'Section', 'Percent', 'Mark', 'Remarks'],
    ['26-1', 'CRUZ, BEN S.', 'ROTC', 'Alpha, Platoon 1', '1.25', 'PASSED'],
  ])
})
