import { expect, test } from 'vitest'
import { studentFieldNames } from '#shared/students/student-fields.ts'
import { buildStudentRecord } from '#tests/factories/student-record.ts'
import { instantTexts } from '#web/lib/date-texts.ts'
import { detailOf, studentSections } from './record-modals.tsx'

const texts = instantTexts('Asia/Manila')
const members = studentSections.flatMap((section) => section.members)

test('the sections are nine', () => {
  expect(studentSections.map(({ title }) => title)).toEqual([
    'Basic Information',
    'Contact Information',
    'Physical Information',
    'Educational Information',
    'NSTP Information',
    'Emergency Contact',
    'Parent/Guardian Information',
    'Educational Background',
    'Additional Information',
  ])
})

test('every visible member of a record is shown exactly once', () => {
  const record = Object.keys(buildStudentRecord()).filter((key) => key !== 'id' && key !== 'version')
  expect([...members].sort()).toEqual(record.sort())
  expect(members).toEqual(expect.arrayContaining([...studentFieldNames]))
})

test('every label is unique', () => {
  const labels = members.map((member) => detailOf(buildStudentRecord(), member, texts).label)
  expect(new Set(labels).size).toBe(labels.length)
})

test('values are shown as text', () => {
  const student = buildStudentRecord({ yearLevel: 5, religion: '', archivedDate: null })
  expect(detailOf(student, 'yearLevel', texts).value).toBe('5th Year')
  expect(detailOf(student, 'dateOfBirth', texts).value).toBe('Mar 15, 2007')
  expect(detailOf(student, 'registrationDate', texts).value.replace('\u202f', ' ')).toBe(
    'Aug 3, 2026, 10:15 AM',
  )
  expect(detailOf(student, 'religion', texts).value).toBe('N/A')
  expect(detailOf(student, 'archivedDate', texts).value).toBe('N/A')
  expect(detailOf(student, 'archived', texts).value).toBe('No')
})
