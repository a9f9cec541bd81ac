import type { ReactNode } from 'react'
import { type CalendarDate, calendarDateOf } from '#shared/program-calendar.ts'
import { nstpLawAddress } from '#shared/site/public-pages.ts'
import { heightInCentimetres, weightInKilograms } from '#shared/students/measures.ts'
import { yearLevelLabel } from '#shared/students/student-choices.ts'
import type { StudentRecord } from '#shared/students/student-response.ts'
import { useSettings } from '#web/lib/settings.tsx'

interface SheetHeaderProps {
  headerLines: readonly string[]
  address?: string
  title: string
}

export function SheetHeader({ headerLines, address, title }: SheetHeaderProps) {
  const { schoolName, logo } = useSettings()
  return (
    <header className="sheet-header">
      {logo && <img className="sheet-logo" src={logo.url} alt="" />}
      <div className="sheet-heading">
        {schoolName && <p className="sheet-school">{schoolName}</p>}
        {headerLines.map((line) => (
          <p key={line}>{line}</p>
        ))}
        {address ? <p className="sheet-address">{address}</p> : null}
        <h2>{title}</h2>
      </div>
      <p className="sheet-photo">1 × 1 photo</p>
    </header>
  )
}

export function SheetNote({ children }: { children: ReactNode }) {
  return (
    <p className="sheet-note">
      {children} Republic Act No. 9163, the NSTP Act of 2001:{' '}
      <a href={nstpLawAddress} target="_blank" rel="noreferrer">
        {nstpLawAddress}
      </a>
    </p>
  )
}

interface BlockProps {
  title: string
  children: ReactNode
}

export function SheetSection({ title, children }: BlockProps) {
  return (
    <section className="sheet-section">
      <h3>{title}</h3>
      {children}
    </section>
  )
}

export function SheetSubsection({ title, children }: BlockProps) {
  return (
    <div className="sheet-subsection">
      <h4>{title}</h4>
      {children}
    </div>
  )
}

// Columns of the grid; the widths of a row add up to it.
const fieldColumns = 12

export interface SheetField {
  label: string
  width: number
  value?: ReactNode
}

export function FieldTable({ rows }: { rows: readonly (readonly SheetField[])[] }) {
  return (
    <table className="sheet-fields">
      <colgroup span={fieldColumns} />
      <tbody>
        {rows.map((fields) => (
          <tr key={fields.map(({ label }) => label).join()}>
            {fields.map(({ label, width, value }) => (
              <td key={label} colSpan={width}>
                <span className="sheet-label">{label}</span> <span className="sheet-value">{value}</span>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface RowTableProps {
  columns: readonly string[]
  rows?: readonly (readonly string[])[]
  blankRows?: number
}

export function RowTable({ columns, rows = [], blankRows = 0 }: RowTableProps) {
  return (
    <table className="sheet-rows">
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([head, ...cells]) => (
          <tr key={head}>
            <th scope="row">{head}</th>
            {cells.map((cell, index) => (
              <td key={columns[index + 1]}>{cell}</td>
            ))}
          </tr>
        ))}
        {Array.from({ length: blankRows }, (_, row) => (
          // The rows are alike and never move.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <tr key={row} className={row === 0 ? 'sheet-blank' : 'sheet-blank sheet-spare'}>
            {columns.map((column) => (
              <td key={column} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface CertificationProps {
  children: ReactNode
  name: string
}

export function Certification({ children, name }: CertificationProps) {
  return (
    <section className="sheet-section sheet-certification">
      <h3>Certification</h3>
      <p>{children}</p>
      <div className="sheet-signatures">
        <div className="sheet-signature">
          <p className="sheet-line">{name}</p>
          <p className="sheet-caption">Signature over printed name</p>
        </div>
        <div className="sheet-signature sheet-date">
          <p className="sheet-line" />
          <p className="sheet-caption">Date (month / day / year)</p>
        </div>
      </div>
    </section>
  )
}

// Rows that both sheets print from the record.

export function nameFields({ lastName, firstName, middleName }: StudentRecord): SheetField[] {
  return [
    { label: 'Last name', width: 4, value: lastName },
    { label: 'First name', width: 4, value: firstName },
    { label: 'Middle name', width: 4, value: middleName },
  ]
}

export function addressFields({ address, municipalCity, zipCode }: StudentRecord): SheetField[] {
  return [
    { label: 'Home address', width: 6, value: address },
    { label: 'Municipality / city', width: 4, value: municipalCity },
    { label: 'ZIP code', width: 2, value: zipCode },
  ]
}

// The labels name the unit, so a value that couldn't be converted is marked '(as stated)'.
function measure(label: string, { text, asStated }: WrittenMeasure): SheetField {
  const value = asStated ? (
    <>
      {text} <small>(as stated)</small>
    </>
  ) : (
    text
  )
  return { label, width: 2, value }
}

export function heightField({ height }: StudentRecord): SheetField {
  return measure('Height (cm)', writtenHeight(height))
}

export function weightField({ weight }: StudentRecord): SheetField {
  return measure('Weight (kg)', writtenWeight(weight))
}

export function enlistmentFields(student: StudentRecord, timeZone: string): SheetField[][] {
  return [
    [
      { label: 'Student ID', width: 4, value: student.studentId },
      { label: 'Course', width: 4, value: student.course },
      { label: 'Year level', width: 4, value: yearLevelLabel(student.yearLevel) },
    ],
    [
      { label: 'NSTP component', width: 3, value: student.nstpComponent },
      { label: 'Academic year', width: 3, value: student.academicYear },
      { label: 'NSTP serial number', width: 3, value: student.serialNumber },
      { label: 'Date of registration', width: 3, value: writtenDay(student.registrationDate, timeZone) },
    ],
  ]
}

export const familyColumns = ['Relation', 'Name', 'Occupation'] as const

export function parentRows(student: StudentRecord): string[][] {
  return [
    ['Father', student.fatherName, student.fatherOccupation],
    ['Mother', student.motherName, student.motherOccupation],
  ]
}

export function guardianFields(student: StudentRecord): SheetField[][] {
  return [
    [
      { label: 'Guardian', width: 6, value: student.guardianName },
      { label: 'Relationship', width: 3, value: student.guardianRelationship },
      { label: 'Contact number of the guardian', width: 3, value: student.guardianContactNumber },
    ],
    [{ label: 'Address of the guardian', width: 12, value: student.guardianAddress }],
  ]
}

export function emergencyFields(student: StudentRecord): SheetField[][] {
  return [
    [
      { label: 'Name', width: 4, value: student.emergencyContactName },
      { label: 'Contact number', width: 3, value: student.emergencyContactNumber },
      { label: 'Address', width: 5, value: student.emergencyContactAddress },
    ],
  ]
}

export const schoolColumns = ['Level', 'School', 'Year graduated'] as const

export function schoolRows(student: StudentRecord): string[][] {
  return [
    ['Elementary', student.elementarySchool, student.elementaryYearGraduated],
    ['High school', student.highSchool, student.highSchoolYearGraduated],
    ['College', student.college, student.collegeYearGraduated],
  ]
}

export function textField(label: string, width: number, text: string): SheetField {
  return { label, width, value: paragraph(text) }
}

const longDate = new Intl.DateTimeFormat('en-US', {
  timeZone: 'UTC',
  year: 'numeric',
  month: 'long',
  day: 'numeric',
})

/** '2006-03-15' → 'March 15, 2006'; other texts are returned unchanged. */
export function writtenDate(date: CalendarDate): string {
  const instant = new Date(`${date}T00:00:00Z`)
  return Number.isNaN(instant.getTime()) ? date : longDate.format(instant)
}

/** The calendar day in the program's time zone, wherever the sheet is printed. */
function writtenDay(instant: string, timeZone: string): string {
  return writtenDate(calendarDateOf(new Date(instant), timeZone))
}

interface WrittenMeasure {
  text: string
  /** As the student typed it, so the unit of the label may not apply. */
  asStated: boolean
}

function writtenHeight(text: string): WrittenMeasure {
  return writtenMeasure(text, heightInCentimetres(text))
}

function writtenWeight(text: string): WrittenMeasure {
  return writtenMeasure(text, weightInKilograms(text))
}

function writtenMeasure(text: string, value: number | undefined): WrittenMeasure {
  if (value !== undefined) return { text: String(value), asStated: false }
  return { text, asStated: text !== '' }
}

// A list typed with one word per line would fill the sheet.
function paragraph(text: string): string {
  const lines = text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return lines.map((line, index) => (index < lines.length - 1 ? closeLine(line) : line)).join(' ')
}

function closeLine(line: string): string {
  return /[.,;:!?]$/.test(line) ? line : `${line};`
}

/** 'Juan Santos dela Cruz', for the line under the signature. */
export function signatureName({
  firstName,
  middleName,
  lastName,
}: Pick<StudentRecord, 'firstName' | 'middleName' | 'lastName'>): string {
  return [firstName, middleName, lastName].filter((part) => part !== '').join(' ')
}
