import type { ReactNode } from 'react'
import { type CalendarDate, calendarDateOf } from '#shared/program-calendar.ts'
import { nstpLawAddress } from '#shared/site/public-pages.ts'
import { heightInCentimetres, weightInKilograms } from '#shared/students/measures.ts'
import type { StudentRecord } from '#shared/students/student.ts'
import { yearLevelLabel } from '#shared/students/student-choices.ts'
import { useSettings } from '#web/lib/settings.tsx'

/** The parts that both sheets are made of. Looks are in sheet.css. */

interface SheetHeaderProps {
  /** The issuing offices, from the highest down. */
  offices: readonly string[]
  /** '' leaves it out. */
  address?: string
  title: string
}

/** The offices with the school, its logo on the left and room for a photo on the right. */
export function SheetHeader({ offices, address, title }: SheetHeaderProps) {
  const { schoolName, logo } = useSettings()
  return (
    <header className="sheet-header">
      {logo && <img className="sheet-logo" src={logo.url} alt="" />}
      <div className="sheet-heading">
        {schoolName && <p className="sheet-school">{schoolName}</p>}
        {offices.map((office) => (
          <p key={office}>{office}</p>
        ))}
        {address ? <p className="sheet-address">{address}</p> : null}
        <h2>{title}</h2>
      </div>
      <p className="sheet-photo">1 × 1 photo</p>
    </header>
  )
}

/** The note under the header: which law asks for the sheet, and where it can be read. */
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

/** A block of the sheet under its heading; a page never breaks inside it. */
export function SheetSection({ title, children }: BlockProps) {
  return (
    <section className="sheet-section">
      <h3>{title}</h3>
      {children}
    </section>
  )
}

/** A table under a heading of its own. */
export function SheetSubsection({ title, children }: BlockProps) {
  return (
    <div className="sheet-subsection">
      <h4>{title}</h4>
      {children}
    </div>
  )
}

/** Columns that every row of fields adds up to. */
const fieldColumns = 12

export interface SheetField {
  label: string
  /** Out of twelve. */
  width: number
  /** Absent or empty leaves room for the pen. */
  value?: ReactNode
}

/** Label/value pairs, row by row. */
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
  /** Empty rows after the filled ones, for the pen. */
  blankRows?: number
}

/** A table with column heads: filled rows first, each under its row head, then rows for the pen. */
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
  /** The paragraph that is signed. */
  children: ReactNode
  name: string
}

/** What the student certifies, and the lines for signature and date. */
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

/** Rows that both sheets print from the record. */

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

/** The labels name the unit, so a text that couldn't be converted says whose words it is. */
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

/** A field with room for sentences. */
export function textField(label: string, width: number, text: string): SheetField {
  return { label, width, value: paragraph(text) }
}

const longDate = new Intl.DateTimeFormat('en-US', {
  timeZone: 'UTC',
  year: 'numeric',
  month: 'long',
  day: 'numeric',
})

/** '2006-03-15' → 'March 15, 2006'; anything that isn't a date stays as it is. */
export function writtenDate(date: CalendarDate): string {
  const instant = new Date(`${date}T00:00:00Z`)
  return Number.isNaN(instant.getTime()) ? date : longDate.format(instant)
}

/** The day of an instant by the program's calendar, wherever the sheet is printed. */
function writtenDay(instant: string, timeZone: string): string {
  return writtenDate(calendarDateOf(new Date(instant), timeZone))
}

/** A measure in the sheet's unit, or the student's own words. */
interface WrittenMeasure {
  text: string
  /** The text is the student's, so the unit of the label may not hold for it. */
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

/** Many short lines become one paragraph: a list typed one word a line would fill the sheet. */
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

/** 'Juan Santos dela Cruz': the name as it stands under the signature. */
export function signatureName({
  firstName,
  middleName,
  lastName,
}: Pick<StudentRecord, 'firstName' | 'middleName' | 'lastName'>): string {
  return [firstName, middleName, lastName].filter((part) => part !== '').join(' ')
}
