import { describe, expect, test } from 'vitest'
import { siteOf } from '#shared/site/site.ts'
import { academicYearAfter, academicYearOf } from '#shared/students/academic-year.ts'
import { currentAcademicYear, defaultSettings } from './settings.ts'
import { problemsOfChange, settingsChangeSchema } from './settings-schema.ts'

function problems(change: Record<string, unknown>) {
  return problemsOfChange(defaultSettings, change)
}

test('the default settings are valid', () => {
  const { logo, ...all } = defaultSettings
  expect(logo).toBeNull()
  expect(problems(all)).toEqual([])
})

describe('a change is refused with a message at its path:', () => {
  test.each([
    ['a blank name', { systemName: '  ' }, 'systemName', 'Please fill in the system name.'],
    [
      'a name beyond its length',
      { schoolName: 'x'.repeat(121) },
      'schoolName',
      'Please shorten the school name to 120 characters or fewer.',
    ],
    [
      'a line break in a line',
      { rotcOfficeAddress: 'Camp\nTanza' },
      'rotcOfficeAddress',
      'Please remove the unusual characters from the office address.',
    ],
    [
      'years that do not follow each other',
      { academicYears: ['2023-2024', '2024-2026'] },
      'academicYears.1',
      'Please enter the academic year as two consecutive years, such as 2026-2027.',
    ],
    ['no course at all', { courses: [] }, 'courses', 'Please list 1 to 100 courses.'],
    [
      'a course listed twice, in whatever case',
      { courses: ['SOICT', 'SOBM', 'soict'] },
      'courses.2',
      'soict is listed twice. Please remove one.',
    ],
    ['a blank course', { courses: ['SOICT', ' '] }, 'courses.1', 'Please fill in the name of the course.'],
    [
      'a current year that is not on offer',
      { currentAcademicYear: '2030-2031' },
      'currentAcademicYear',
      'Please choose one of the available academic years, or Automatic.',
    ],
    [
      'a month that is none',
      { semesters: [{ name: 'First', firstMonth: 8, lastMonth: 13 }] },
      'semesters.0.lastMonth',
      'Please choose a month.',
    ],
    [
      'semesters that overlap over the end of the year',
      {
        semesters: [
          { name: 'First', firstMonth: 8, lastMonth: 1 },
          { name: 'Second', firstMonth: 1, lastMonth: 5 },
        ],
      },
      'semesters.1.firstMonth',
      'The months of First and Second overlap. Each month can belong to one semester only.',
    ],
    [
      'a scale of marks where nothing fails',
      { marking: { best: '1.00', passing: '5.00', worst: '5.00' } },
      'marking.passing',
      'Please enter a passing mark from the best to the worst one, which itself fails.',
    ],
    [
      'a mark that is no number',
      { marking: { best: 'A', passing: '3.00', worst: '5.00' } },
      'marking.best',
      'Please enter the number as the school writes it, such as 3.00.',
    ],
    [
      'more mail than the product counts',
      { mailPerDay: 1_000_001 },
      'mailPerDay',
      'Please enter the e-mails per day as a whole number from 1 to 1,000,000.',
    ],
    [
      'half a year of retention',
      { recordRetentionYears: 0.5 },
      'recordRetentionYears',
      'Please enter the years to keep records as a whole number from 1 to 100.',
    ],
    [
      'enlistment that is closed without a message',
      { enlistment: { ...defaultSettings.enlistment, message: '' } },
      'enlistment.message',
      'Please fill in the message to students.',
    ],
    [
      'a public address with a path',
      { publicAddress: 'https://nstp.school.edu.ph/register' },
      'publicAddress',
      'Please enter an address such as https://nstp.school.edu.ph, without a path.',
    ],
    [
      'dates of enlistment without a date',
      { enlistment: { ...defaultSettings.enlistment, state: 'dates' } },
      'enlistment.opensAt',
      'Please enter when enlistment opens, when it closes, or both.',
    ],
    ['an unknown setting', { logo: null }, '', 'Unknown settings: logo.'],
  ])('%s', (_name, change, path, message) => {
    expect(problems(change)).toEqual([{ path, message }])
  })
})

const text = (length: number) => 'x'.repeat(length)
const several = <Value>(count: number, value: (index: number) => Value) =>
  Array.from({ length: count }, (_, index) => value(index))
const years = (count: number) => several(count, (index) => `${2000 + index}-${2001 + index}`)
const quotas = { ROTC: null, CWTS: null, LTS: null }
const names = { first: 'One', second: 'Two' }
const levels = { ROTC: names, CWTS: names, LTS: names }

// The limits themselves are written here: a changed one is noticed.
test.each<[what: string, greatest: Record<string, unknown>, beyond: Record<string, unknown>]>([
  ['80 characters of a system name', { systemName: text(80) }, { systemName: text(81) }],
  ['120 characters of a school name', { schoolName: text(120) }, { schoolName: text(121) }],
  ['200 characters of an office address', { rotcOfficeAddress: text(200) }, { rotcOfficeAddress: text(201) }],
  ['40 academic years', { academicYears: years(40) }, { academicYears: years(41) }],
  ['100 courses', { courses: several(100, (n) => `C${n}`) }, { courses: several(101, (n) => `C${n}`) }],
  [
    '300 degree programs',
    { programs: several(300, (n) => ({ course: 'SOICT', name: `BS ${n}` })) },
    { programs: several(301, (n) => ({ course: 'SOICT', name: `BS ${n}` })) },
  ],
  ['100 years of records', { recordRetentionYears: 100 }, { recordRetentionYears: 101 }],
  ['240 months of the trail', { auditRetentionMonths: 240 }, { auditRetentionMonths: 241 }],
  ['1,000,000 e-mails per day', { mailPerDay: 1_000_000 }, { mailPerDay: 1_000_001 }],
  ['10,000 e-mails per minute', { mailPerMinute: 10_000 }, { mailPerMinute: 10_001 }],
  ['1,000,000 slots', { quotas: { ...quotas, ROTC: 1_000_000 } }, { quotas: { ...quotas, ROTC: 1_000_001 } }],
  [
    '30 characters of a level',
    { levelNames: { ...levels, LTS: { first: text(30), second: 'Two' } } },
    { levelNames: { ...levels, LTS: { first: text(31), second: 'Two' } } },
  ],
  [
    '300 characters of the message to students',
    { enlistment: { ...defaultSettings.enlistment, message: text(300) } },
    { enlistment: { ...defaultSettings.enlistment, message: text(301) } },
  ],
])('%s are taken, and one more is refused', (_what, greatest, beyond) => {
  expect(problems(greatest)).toEqual([])
  expect(problems(beyond)).toHaveLength(1)
})

test.each(['https://[', 'https://x:99999', 'https://a>b', 'https://a@b', 'https:a', 'ftp://a'])(
  'the public address %s is refused',
  (publicAddress) => {
    expect(problems({ publicAddress })).toMatchObject([{ path: 'publicAddress' }])
  },
)

test('a year is accepted with any dash, and an invisible text as empty', () => {
  const academicYears = ['2026-2027', '2027–2028', ' 2028 — 2029 ', '2029−2030']
  expect(settingsChangeSchema.parse({ academicYears, schoolName: ' \u200b' })).toEqual({
    academicYears: ['2026-2027', '2027-2028', '2028-2029', '2029-2030'],
    schoolName: '',
  })
  expect(problems({ academicYears: ['2027-2028', '2027–2028'] })).toMatchObject([{ path: 'academicYears.1' }])
})

test("the current year can't be removed from the list", () => {
  const settings = { ...defaultSettings, currentAcademicYear: '2026-2027' }
  expect(problemsOfChange(settings, { academicYears: ['2027-2028'] })).toMatchObject([
    { path: 'currentAcademicYear' },
  ])
  expect(
    problemsOfChange(settings, { academicYears: ['2027-2028'], currentAcademicYear: '2027-2028' }),
  ).toEqual([])
})

test('the calendar decides the current academic year until one is chosen', () => {
  const { semesters } = defaultSettings
  expect(semesters[0]?.firstMonth).toBe(6)
  expect(currentAcademicYear(defaultSettings, '2026-05-31')).toBe('2025-2026')
  expect(currentAcademicYear(defaultSettings, '2026-06-01')).toBe('2026-2027')
  const chosen = { ...defaultSettings, currentAcademicYear: '2024-2025' }
  expect(currentAcademicYear(chosen, '2026-08-01')).toBe('2024-2025')
  expect(currentAcademicYear(defaultSettings, '2031-08-01')).toBe('')
  expect(academicYearOf('2027-01-01', 1)).toBe('2027-2028')
  expect(academicYearAfter(['2025-2026', '2027-2028', '2026-2027'])).toBe('2028-2029')
  expect(academicYearAfter([])).toBeNull()
})

const now = new Date('2026-11-23T00:00:00Z')

test('the public settings have only what the public pages show', () => {
  expect(siteOf(defaultSettings, now, 'Asia/Manila')).toEqual({
    systemName: 'NSTP Portal',
    schoolName: '',
    logoUrl: null,
    enlistment: null,
    recordRetentionYears: 10,
  })
  const enlistment = { ...defaultSettings.enlistment, state: 'closed' as const }
  expect(siteOf({ ...defaultSettings, enlistment }, now, 'Asia/Manila').enlistment).toBe(enlistment.message)
})
