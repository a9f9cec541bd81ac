import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { defaultSettings } from '#shared/settings/settings.ts'
import { type StudentField, studentFieldNames } from '#shared/students/student-fields.ts'
import type { StudentRecord } from '#shared/students/student-response.ts'
import { naughtyStrings } from '#tests/factories/naughty-strings.ts'
import { buildStudentRecord } from '#tests/factories/student-record.ts'
import { SettingsProvider } from '#web/lib/settings.tsx'
import { ProgramTimeZone } from '#web/lib/site.ts'
import { StudentSheet } from './sheets.tsx'

function textOf(sheet: ReactElement): string {
  return renderToStaticMarkup(sheet)
    .replace(/<[^>]*>/g, ' ')
    .replace(/&#x27;/g, "'")
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ')
}

function escaped(text: string): string {
  return renderToStaticMarkup(text)
}

function distinctRecord(nstpComponent: string): StudentRecord {
  const texts = studentFieldNames.map((field) => [field, `${field}-value`])
  return buildStudentRecord({
    ...Object.fromEntries(texts),
    dateOfBirth: '2007-03-15',
    yearLevel: 3,
    height: `5'6"`,
    weight: '130 lbs',
    civilStatus: 'Single',
    nstpComponent,
  })
}

const printed: Partial<Record<StudentField, string>> = {
  dateOfBirth: 'March 15, 2007',
  yearLevel: '3rd Year',
  height: '168',
  weight: '59',
  civilStatus: 'Single',
}

describe.each([
  { component: 'ROTC', title: 'Reservist Information Data Sheet' },
  { component: 'CWTS', title: 'Student Information Data Sheet' },
] as const)('the $component sheet', ({ component, title }) => {
  const record = distinctRecord(component)
  const text = textOf(<StudentSheet component={component} student={record} />)

  test('has a message when there is no student', () => {
    expect(textOf(<StudentSheet component={component} student={null} />)).toContain(
      `No student data available for ${component} form.`,
    )
  })

  test('is titled, names the law with a link, and asks for signature and date', () => {
    expect(text).toContain(title)
    expect(text).toContain('Republic Act No. 9163')
    expect(renderToStaticMarkup(<StudentSheet component={component} student={record} />)).toMatch(
      /<a href="https:[^"]*9163[^"]*"/,
    )
    expect(text).toContain('Certification')
    expect(text).toContain('Signature over printed name')
    expect(text).toContain('Date (month / day / year)')
  })

  test('prints any text as text', () => {
    const tags = (skills: string) =>
      renderToStaticMarkup(
        <StudentSheet component={component} student={{ ...record, lastName: skills, skills }} />,
      )
    const elements = tags('x').split('<').length
    for (const naughty of naughtyStrings) {
      const html = tags(naughty)
      expect(html).toContain(escaped(naughty))
      expect(html.split('<')).toHaveLength(elements)
    }
  })

  test.each(studentFieldNames)('prints %s', (field) => {
    expect(text).toContain(printed[field] ?? (field === 'nstpComponent' ? component : `${field}-value`))
  })

  test('prints the reference and the day of registration by the Philippine calendar', () => {
    const late = buildStudentRecord({ ...record, registrationDate: '2026-08-02T17:30:00.000Z' })
    const lateText = textOf(<StudentSheet component={component} student={late} />)
    expect(lateText).toContain(record.reference)
    expect(lateText).toContain('August 3, 2026')
  })

  test("counts days by the program's calendar where that is another one", () => {
    const late = buildStudentRecord({ ...record, registrationDate: '2026-08-02T17:30:00.000Z' })
    const lateText = textOf(
      <ProgramTimeZone value="Asia/Dubai">
        <StudentSheet component={component} student={late} />
      </ProgramTimeZone>,
    )
    expect(lateText).toContain('August 2, 2026')
  })

  test('prints an ambiguous measure as stated, with a remark', () => {
    const stated = textOf(
      <StudentSheet component={component} student={buildStudentRecord({ height: '5.6', weight: '130' })} />,
    )
    expect(stated).toContain('Height (cm) 5.6 (as stated)')
    expect(stated).toContain('Weight (kg) 130 (as stated)')
  })

  test('leaves an unknown measure empty', () => {
    const empty = textOf(
      <StudentSheet component={component} student={buildStudentRecord({ height: '', weight: '' })} />,
    )
    expect(empty).not.toContain('as stated')
  })

  test('prints a list typed with one word per line as one paragraph', () => {
    const listed = buildStudentRecord({ skills: 'First aid\n\n Driving.\r\nCooking' })
    expect(textOf(<StudentSheet component={component} student={listed} />)).toContain(
      'First aid; Driving. Cooking',
    )
  })

  test('prints barangay, province and extension of the name once', () => {
    const placed = {
      address: '27 Sampaguita Street, brgy. san isidro',
      barangay: 'San Isidro',
      province: 'Rizal',
    }
    const sheet = textOf(
      <StudentSheet
        component={component}
        student={buildStudentRecord({
          ...placed,
          municipalCity: 'Cainta',
          firstName: 'Jose',
          extensionName: 'Jr.',
        })}
      />,
    )
    expect(sheet).toContain('27 Sampaguita Street, brgy. san isidro')
    expect(sheet).not.toContain('san isidro, San Isidro')
    expect(sheet).toContain('Cainta, Rizal')
    expect(sheet).toContain('Jose Jr.')
    const numbered = textOf(
      <StudentSheet
        component={component}
        student={buildStudentRecord({
          address: '15 Mabini Street',
          barangay: '5',
          municipalCity: 'Cebu City',
          province: 'Cebu',
        })}
      />,
    )
    expect(numbered).toContain('15 Mabini Street, 5')
    expect(numbered).toContain('Cebu City, Cebu')
  })

  test('prints the whole name under the signature', () => {
    const named = buildStudentRecord({ firstName: 'Niña', middleName: '', lastName: "D'Souza-Peña" })
    expect(textOf(<StudentSheet component={component} student={named} />)).toContain("Niña D'Souza-Peña")
  })
})

describe('the ROTC sheet', () => {
  test('has the office address of the settings, and no line for it without one', () => {
    const student = buildStudentRecord()
    const address = 'Camp Aguinaldo, Quezon City'
    expect(renderToStaticMarkup(<StudentSheet component="ROTC" student={student} />)).not.toContain(
      'sheet-address',
    )
    expect(
      textOf(
        <SettingsProvider initial={{ ...defaultSettings, rotcOfficeAddress: address, version: 1 }}>
          <StudentSheet component="ROTC" student={student} />
        </SettingsProvider>,
      ),
    ).toContain(address)
  })

  test('counts the age on the day it is printed', () => {
    const student = buildStudentRecord({ dateOfBirth: '2007-03-15' })
    expect(textOf(<StudentSheet component="ROTC" student={student} today="2026-03-14" />)).toContain('Age 18')
    expect(textOf(<StudentSheet component="ROTC" student={student} today="2026-03-15" />)).toContain('Age 19')
  })

  test.each([
    ['Single', '☒ Single ☐ Married ☐ Widow ☐ Separated'],
    ['Married', '☐ Single ☒ Married ☐ Widow ☐ Separated'],
    ['Widowed', '☐ Single ☐ Married ☒ Widow ☐ Separated'],
    ['Divorced', '☐ Single ☐ Married ☐ Widow ☒ Separated (Divorced)'],
  ])('ticks the marital status of a student who is %s', (civilStatus, boxes) => {
    expect(textOf(<StudentSheet component="ROTC" student={buildStudentRecord({ civilStatus })} />)).toContain(
      boxes,
    )
  })

  test.each([
    'Rank',
    'AFPSN',
    'Branch of service',
    'AFPOS / MOS',
    'Source of commission / enlistment',
    'Reserve classification',
    'Mobilization center',
    'Size of combat shoes',
    'TIN',
    'PhilHealth number',
    'Language / dialect',
    'Promotion / demotion',
    'Military training, seminars and schooling',
    'Awards and decorations',
    'Dependents',
    'Highest educational attainment',
    'CAD / OJT / ADT',
    'Unit assignment',
    'Designation',
  ])('leaves room for %s', (label) => {
    expect(textOf(<StudentSheet component="ROTC" student={buildStudentRecord()} />)).toContain(label)
  })
})
