import type { ReactNode } from 'react'
import { ageOn, type CalendarDate, calendarDateOf } from '#shared/program-calendar.ts'
import { nstpLawAddress } from '#shared/site/public-pages.ts'
import { heightInCentimetres, weightInKilograms } from '#shared/students/measures.ts'
import { componentNames, yearLevelLabel } from '#shared/students/student-choices.ts'
import type { StudentField } from '#shared/students/student-fields.ts'
import type { StudentRecord } from '#shared/students/student-response.ts'
import { useProgramTimeZone } from '#web/lib/date-texts.ts'
import { useSettings } from '#web/lib/settings.tsx'

interface Context {
  student: StudentRecord
  timeZone: string
  today: CalendarDate
}

type TextField = Exclude<StudentField, 'yearLevel'>

interface Field {
  label: string
  width: number
  value?: TextField | ((context: Context) => ReactNode) | undefined
}

interface Fields {
  fields: readonly (readonly Field[])[]
}

interface Rows {
  columns: readonly string[]
  /** Default: blank rows, to be completed by hand. */
  rows?: readonly { head: string; cells: readonly TextField[] }[] | undefined
}

interface Part {
  title: string
  blocks: readonly (Fields | Rows | Part | { pair: readonly Part[] })[]
}

interface SheetLayout {
  id: string
  title: string
  headerLines: readonly string[]
  note: string
  pages: readonly [readonly Part[], readonly Part[]]
  certification: string
}

// The widths of a row add up to it.
const fieldColumns = 12
const blankRows = 3

/** Without a value it is left blank, to be completed by hand. */
const field = (label: string, width: number, value?: Field['value']): Field => ({ label, width, value })
const fields = (...rows: readonly (readonly Field[])[]): Fields => ({ fields: rows })
const row = (head: string, ...cells: TextField[]) => ({ head, cells })
const part = (title: string, ...blocks: Part['blocks']): Part => ({ title, blocks })
const blankTable = (title: string, ...columns: string[]) => part(title, { columns })
const textField = (label: string, width: number, name: TextField) =>
  field(label, width, ({ student }) => paragraph(student[name]))

// Rows that both sheets print.

const nameFields = [
  field('Last name', 4, 'lastName'),
  field('First name', 4, 'firstName'),
  field('Middle name', 4, 'middleName'),
]

const addressFields = [
  field('Home address', 6, 'address'),
  field('Municipality / city', 4, 'municipalCity'),
  field('ZIP code', 2, 'zipCode'),
]

// The labels name the unit, so a value that couldn't be converted is marked '(as stated)'.
const bodyFields = [
  field('Height (cm)', 2, ({ student }) => measure(student.height, heightInCentimetres)),
  field('Weight (kg)', 2, ({ student }) => measure(student.weight, weightInKilograms)),
  field('Blood type', 2, 'bloodType'),
]

const birthDate = field('Date of birth', 3, ({ student }) => writtenDate(student.dateOfBirth))

// The calendar day in the program's time zone, wherever the sheet is printed.
const registrationDay = ({ student, timeZone }: Context) =>
  writtenDate(calendarDateOf(new Date(student.registrationDate), timeZone))

const enlistment = part(
  'NSTP enlistment',
  fields(
    [
      field('Student ID', 4, 'studentId'),
      field('Course', 4, 'course'),
      field('Year level', 4, ({ student }) => yearLevelLabel(student.yearLevel)),
    ],
    [
      field('NSTP component', 3, 'nstpComponent'),
      field('Academic year', 3, 'academicYear'),
      field('NSTP serial number', 3, 'serialNumber'),
      field('Date of registration', 3, registrationDay),
    ],
  ),
)

const parents: Rows = {
  columns: ['Relation', 'Name', 'Occupation'],
  rows: [row('Father', 'fatherName', 'fatherOccupation'), row('Mother', 'motherName', 'motherOccupation')],
}

const guardian = fields(
  [
    field('Guardian', 6, 'guardianName'),
    field('Relationship', 3, 'guardianRelationship'),
    field('Contact number of the guardian', 3, 'guardianContactNumber'),
  ],
  [field('Address of the guardian', 12, 'guardianAddress')],
)

const emergency = part(
  'In case of emergency, notify',
  fields([
    field('Name', 4, 'emergencyContactName'),
    field('Contact number', 3, 'emergencyContactNumber'),
    field('Address', 5, 'emergencyContactAddress'),
  ]),
)

const schools: Rows = {
  columns: ['Level', 'School', 'Year graduated'],
  rows: [
    row('Elementary', 'elementarySchool', 'elementaryYearGraduated'),
    row('High school', 'highSchool', 'highSchoolYearGraduated'),
    row('College', 'college', 'collegeYearGraduated'),
  ],
}

const workExperience = textField('Work experience', 12, 'workExperience')
const hobbies = textField('Hobbies', 6, 'hobbies')

/** The Reservist Information Data Sheet (RIDS). */
const rotc: SheetLayout = {
  id: 'rotc',
  title: 'Reservist Information Data Sheet',
  headerLines: [
    'Armed Forces of the Philippines',
    'Reserve Command, Philippine Army',
    'Department of Military Science and Tactics · ROTC Unit',
  ],
  note: ' Complete blank fields in ink.',
  pages: [
    [
      part(
        'Personnel information',
        fields(
          [field('Rank', 3), field('AFPSN', 3), field('Branch of service', 3), field('AFPOS / MOS', 3)],
          nameFields,
          [
            field('Source of commission / enlistment', 4),
            field('Reserve classification', 4),
            field('Unit', 4),
          ],
          [
            field('Mobilization center', 4),
            field('Size of combat shoes', 3),
            field('Size of cap', 2),
            field('Size of uniform', 3),
          ],
        ),
      ),
      part(
        'Personal information',
        fields(
          addressFields,
          [field('Telephone', 3), field('Mobile', 3, 'contactNumber'), field('E-mail', 6, 'email')],
          [
            birthDate,
            field('Age', 1, ({ student, today }) => ageOn(today, student.dateOfBirth)),
            field('Place of birth', 6, 'placeOfBirth'),
            field('Sex', 2, 'sex'),
          ],
          [
            field('Citizenship', 4, 'citizenship'),
            field('Religion', 4, 'religion'),
            field('Language / dialect', 4),
          ],
          [field('TIN', 4), field('SSS number', 4, 'socialSecurityNumber'), field('PhilHealth number', 4)],
          [...bodyFields, field('Marital status', 6, maritalStatus)],
        ),
      ),
      enlistment,
      part('Family and person to notify in an emergency', parents, guardian, emergency),
      part('Highest educational attainment', schools),
    ],
    [
      part(
        'Occupation and skills',
        fields(
          [field('Present occupation', 6), field('Company name and address', 6)],
          [workExperience],
          [textField('Special skills', 6, 'skills'), hobbies],
        ),
      ),
      part(
        'Service record',
        {
          pair: [
            blankTable('Promotion / demotion', 'Rank', 'Date of rank', 'Authority'),
            blankTable('Awards and decorations', 'Award', 'Authority', 'Date awarded'),
          ],
        },
        blankTable('Military training, seminars and schooling', 'Training', 'School', 'Date graduated'),
        blankTable('Dependents', 'Relation', 'Name', 'Date of birth'),
        blankTable('CAD / OJT / ADT', 'Unit', 'Purpose and authority', 'From', 'To'),
        {
          pair: [
            blankTable('Unit assignment', 'Unit', 'Authority', 'From', 'To'),
            blankTable('Designation', 'Position', 'Authority', 'From', 'To'),
          ],
        },
      ),
    ],
  ],
  certification:
    'I certify that the entries on this sheet are true and correct to the best of my knowledge. I will ' +
    'notify the office of any changes. I understand that false information is a ground for disciplinary ' +
    'action, and I consent to the processing of this information under Republic Act No. 10173, the Data ' +
    'Privacy Act of 2012.',
}

/** The Student Information Data Sheet of the civic welfare component. */
const cwts: SheetLayout = {
  id: 'cwts',
  title: 'Student Information Data Sheet',
  headerLines: ['Republic of the Philippines', 'National Service Training Program', componentNames.CWTS],
  note: '',
  pages: [
    [
      part(
        'Student',
        fields(nameFields, addressFields, [
          field('Contact number', 3, 'contactNumber'),
          field('E-mail', 6, 'email'),
          field('Social security number', 3, 'socialSecurityNumber'),
        ]),
      ),
      part(
        'Personal data',
        fields(
          [
            birthDate,
            field('Place of birth', 5, 'placeOfBirth'),
            field('Sex', 2, 'sex'),
            field('Civil status', 2, 'civilStatus'),
          ],
          [field('Citizenship', 3, 'citizenship'), field('Religion', 3, 'religion'), ...bodyFields],
        ),
      ),
      enlistment,
      emergency,
    ],
    [
      part('Parents and guardian', parents, guardian),
      part('Educational background', schools),
      part(
        'Experience, skills and hobbies',
        fields([workExperience], [textField('Skills', 6, 'skills'), hobbies]),
      ),
    ],
  ],
  certification:
    'I certify that the information on this sheet is true and correct to the best of my knowledge. I ' +
    'consent to its processing for my NSTP enlistment under Republic Act No. 10173, the Data Privacy Act ' +
    'of 2012. I will notify the office of any changes.',
}

const layouts = { ROTC: rotc, CWTS: cwts }

interface SheetProps {
  component: keyof typeof layouts
  student: StudentRecord | null
  /** Default: today in the program's time zone. */
  today?: CalendarDate
}

export function StudentSheet({ component, student, today }: SheetProps) {
  const timeZone = useProgramTimeZone()
  if (student === null) return <p>No student data available for {component} form.</p>
  const layout = layouts[component]
  const context = { student, timeZone, today: today ?? calendarDateOf(new Date(), timeZone) }
  return (
    <article className="sheet" data-sheet={layout.id} aria-label={layout.title}>
      {layout.pages.map((sections, page) => (
        <div key={sections[0]?.title} className="sheet-page">
          {page === 0 && <SheetHead layout={layout} reference={student.reference} />}
          {sections.map(({ title, blocks }) => (
            <section key={title} className="sheet-section">
              <h3>{title}</h3>
              <Blocks blocks={blocks} context={context} />
            </section>
          ))}
          {page === 1 && <Certification text={layout.certification} student={student} />}
        </div>
      ))}
    </article>
  )
}

function SheetHead({ layout, reference }: { layout: SheetLayout; reference: string }) {
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
          {layout === rotc && rotcOfficeAddress && <p className="sheet-address">{rotcOfficeAddress}</p>}
          <h2>{layout.title}</h2>
        </div>
        <p className="sheet-photo">1 × 1 photo</p>
      </header>
      <p className="sheet-note">
        Reference {reference}.{layout.note} Republic Act No. 9163, the NSTP Act of 2001:{' '}
        <a href={nstpLawAddress} target="_blank" rel="noreferrer">
          {nstpLawAddress}
        </a>
      </p>
    </>
  )
}

function Blocks({ blocks, context }: Pick<Part, 'blocks'> & { context: Context }) {
  return blocks.map((block) => {
    if ('fields' in block) return <FieldTable key="fields" {...block} context={context} />
    if ('columns' in block) return <RowTable key="rows" {...block} student={context.student} />
    const [key, className, inner] =
      'pair' in block
        ? [block.pair[0]?.title, 'sheet-pair', block.pair]
        : [block.title, 'sheet-subsection', block.blocks]
    return (
      <div key={key} className={className}>
        {'title' in block && <h4>{block.title}</h4>}
        <Blocks blocks={inner} context={context} />
      </div>
    )
  })
}

function FieldTable({ fields, context }: Fields & { context: Context }) {
  return (
    <table className="sheet-fields">
      <colgroup span={fieldColumns} />
      <tbody>
        {fields.map((row) => (
          <tr key={row[0]?.label}>
            {row.map(({ label, width, value }) => (
              <td key={label} colSpan={width}>
                <span className="sheet-label">{label}</span>{' '}
                <span className="sheet-value">
                  {typeof value === 'function' ? value(context) : value && context.student[value]}
                </span>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function RowTable({ columns, rows, student }: Rows & Pick<Context, 'student'>) {
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
        {rows?.map(({ head, cells }) => (
          <tr key={head}>
            <th scope="row">{head}</th>
            {cells.map((name) => (
              <td key={name}>{student[name]}</td>
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
  const { firstName, middleName, lastName } = student
  return (
    <section className="sheet-section sheet-certification">
      <h3>Certification</h3>
      <p>{text}</p>
      <div className="sheet-signatures">
        <div className="sheet-signature">
          <p className="sheet-line">
            {[firstName, middleName, lastName].filter((part) => part !== '').join(' ')}
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
function maritalStatus({ student: { civilStatus } }: Context) {
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

const longDate = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', dateStyle: 'long' })

/** '2006-03-15' → 'March 15, 2006'; other texts are returned unchanged. */
function writtenDate(date: CalendarDate): string {
  const instant = new Date(`${date}T00:00:00Z`)
  return Number.isNaN(instant.getTime()) ? date : longDate.format(instant)
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
