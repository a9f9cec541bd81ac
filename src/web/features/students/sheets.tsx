import type { ReactNode } from 'react'
import { restrictionLabels } from '#shared/privacy/privacy.ts'
import { ageOn, type CalendarDate, calendarDateOf } from '#shared/program-calendar.ts'
import { nstpLawAddress } from '#shared/site/public-pages.ts'
import { heightInCentimetres, weightInKilograms } from '#shared/students/measures.ts'
import { yearLevelLabel } from '#shared/students/student-choices.ts'
import type { StudentRecord } from '#shared/students/student-response.ts'
import { useProgramTimeZone } from '#web/lib/date-texts.ts'
import { writtenDate } from '#web/lib/relative-time.ts'
import { useSettings } from '#web/lib/settings.tsx'
import layouts from './sheet-layouts.json' with { type: 'json' }

/** The values by name: of the record, in words where it prints them differently. */
type Values = Readonly<Record<string, ReactNode>>

interface Field {
  label: string
  /** The width in twelfths of the sheet. */
  width: number
  /** The printed value. If it is absent, the field is blank, to be completed by hand. */
  value?: string | undefined
}

interface Block {
  title?: string | undefined
  blocks?: readonly Block[] | undefined
  pair?: readonly Block[] | undefined
  /** Names of rows that sheets may share. */
  fields?: readonly string[] | undefined
  columns?: readonly string[] | undefined
  /** The head and the names of the values; default: blank rows, to be completed by hand. */
  rows?: readonly string[][] | undefined
}

interface SheetLayout {
  title: string
  headerLines: readonly string[]
  note: string
  pages: readonly (readonly Block[])[]
  certification: string
}

const fieldRows: Readonly<Record<string, readonly Field[]>> = layouts.rows

// The widths of a row add up to it.
const fieldColumns = 12
const blankRows = 3

function valuesOf(student: StudentRecord, timeZone: string, today: CalendarDate): Values {
  return {
    ...student,
    // The forms have no boxes of their own for these.
    firstName: `${student.firstName} ${student.extensionName}`.trim(),
    address: withPart(student.address, student.barangay),
    municipalCity: withPart(student.municipalCity, student.province),
    course: withPart(student.course, student.program),
    yearLevel: yearLevelLabel(student.yearLevel),
    dateOfBirth: writtenDate(student.dateOfBirth),
    age: ageOn(today, student.dateOfBirth),
    maritalStatus: maritalStatus(student),
    // The labels name the unit, so a value that couldn't be converted is marked '(as stated)'.
    height: measure(student.height, heightInCentimetres),
    weight: measure(student.weight, weightInKilograms),
    // The calendar day in the program's time zone, wherever the sheet is printed.
    registrationDate: writtenDate(calendarDateOf(new Date(student.registrationDate), timeZone)),
    workExperience: paragraph(student.workExperience),
    skills: paragraph(student.skills),
    hobbies: paragraph(student.hobbies),
  }
}

interface SheetProps {
  component: keyof typeof layouts.sheets
  student: StudentRecord | null
  /** Default: today in the program's time zone. */
  today?: CalendarDate
}

export function StudentSheet({ component, student, today }: SheetProps) {
  const timeZone = useProgramTimeZone()
  if (student === null) return <p>No student data available for {component} form.</p>
  const layout: SheetLayout = layouts.sheets[component]
  const values = valuesOf(student, timeZone, today ?? calendarDateOf(new Date(), timeZone))
  return (
    <article className="sheet" data-sheet={component.toLowerCase()} aria-label={layout.title}>
      {layout.pages.map((sections, page) => (
        <div key={sections[0]?.title} className="sheet-page">
          {page === 0 && <SheetHead component={component} layout={layout} student={student} />}
          {sections.map(({ title, blocks }) => (
            <section key={title} className="sheet-section">
              <h3>{title}</h3>
              <Blocks blocks={blocks} values={values} />
            </section>
          ))}
          {page === 1 && <Certification text={layout.certification} student={student} />}
        </div>
      ))}
    </article>
  )
}

function SheetHead({
  component,
  layout,
  student: { reference, restriction },
}: Pick<SheetProps, 'component'> & { layout: SheetLayout; student: StudentRecord }) {
  const { schoolName, logo, rotcOfficeAddress } = useSettings()
  return (
    <>
      <header className="sheet-header">
        {logo && <img className="sheet-logo" src={logo.url} alt="" />}
        <div className="sheet-heading">
          {schoolName && <p className="sheet-school">{schoolName}</p>}
          {layout.headerLines.map((line) => (
            <p key={line}>{line}</p>
          ))}
          {component === 'ROTC' && rotcOfficeAddress && <p className="sheet-address">{rotcOfficeAddress}</p>}
          <h2>{layout.title}</h2>
        </div>
        <p className="sheet-photo">1 × 1 photo</p>
      </header>
      <p className="sheet-note">
        {restriction && <strong>{restrictionLabels[restriction]}: not to be passed on. </strong>}
        Reference {reference}.{layout.note} Republic Act No. 9163, the NSTP Act of 2001:{' '}
        <a href={nstpLawAddress} target="_blank" rel="noreferrer">
          {nstpLawAddress}
        </a>
      </p>
    </>
  )
}

/** 'Cainta' and 'Rizal' → 'Cainta, Rizal', unless the text names it already. */
function withPart(text: string, part: string): string {
  const partOf = (words: string) =>
    words
      .toLowerCase()
      .replace(/^\s*(brgy|bgy|barangay)\b\.?/, '')
      .trim()
  const isNamed = text.split(',').some((named) => partOf(named) === partOf(part))
  return isNamed ? text : [text, part].filter(Boolean).join(', ')
}

function Blocks({ blocks = [], values }: Pick<Block, 'blocks'> & { values: Values }) {
  return blocks.map((block) => {
    if (block.fields) return <FieldTable key="fields" rows={block.fields} values={values} />
    if (block.columns) return <RowTable key="rows" {...block} columns={block.columns} values={values} />
    return (
      <div
        key={block.title ?? block.pair?.[0]?.title}
        className={block.pair ? 'sheet-pair' : 'sheet-subsection'}
      >
        {block.title && <h4>{block.title}</h4>}
        <Blocks blocks={block.pair ?? block.blocks} values={values} />
      </div>
    )
  })
}

function FieldTable({ rows, values }: { rows: readonly string[]; values: Values }) {
  return (
    <table className="sheet-fields">
      <colgroup span={fieldColumns} />
      <tbody>
        {rows.map((row) => (
          <tr key={row}>
            {fieldRows[row]?.map(({ label, width, value }) => (
              <td key={label} colSpan={width}>
                <span className="sheet-label">{label}</span>{' '}
                <span className="sheet-value">{value && values[value]}</span>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function RowTable({
  columns,
  rows,
  values,
}: { columns: readonly string[]; values: Values } & Pick<Block, 'rows'>) {
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
        {rows?.map(([head, ...cells]) => (
          <tr key={head}>
            <th scope="row">{head}</th>
            {cells.map((name) => (
              <td key={name}>{values[name]}</td>
            ))}
          </tr>
        ))}
        {!rows &&
          Array.from({ length: blankRows }, (_, row) => (
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

function Certification({ text, student }: { text: string; student: StudentRecord }) {
  const { firstName, middleName, lastName, extensionName } = student
  return (
    <section className="sheet-section sheet-certification">
      <h3>Certification</h3>
      <p>{text}</p>
      <div className="sheet-signatures">
        <div className="sheet-signature">
          <p className="sheet-line">
            {[firstName, middleName, lastName, extensionName].filter((part) => part !== '').join(' ')}
          </p>
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

/** The sheet's four statuses as boxes. It has none for Divorced: the nearest is ticked, with a remark. */
function maritalStatus({ civilStatus }: StudentRecord) {
  const nearest = { Widowed: 'Widow', Divorced: 'Separated' }[civilStatus] ?? civilStatus
  return (
    <span className="sheet-choices">
      {['Single', 'Married', 'Widow', 'Separated'].map((status) => (
        <span key={status} className="sheet-choice">
          {status === nearest ? '☒' : '☐'} {status}
          {status === nearest && civilStatus === 'Divorced' ? ' (Divorced)' : null}
        </span>
      ))}
    </span>
  )
}

function measure(text: string, convert: (text: string) => number | undefined): ReactNode {
  const value = convert(text)
  if (value !== undefined) return String(value)
  return (
    text && (
      <>
        {text} <small>(as stated)</small>
      </>
    )
  )
}

// A list typed with one word per line would fill the sheet.
function paragraph(text: string): string {
  const lines = text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return lines
    .map((line, index) => (index === lines.length - 1 || /[.,;:!?]$/.test(line) ? line : `${line};`))
    .join(' ')
}
