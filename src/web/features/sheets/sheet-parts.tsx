import type { ReactNode } from 'react'
import { nstpLawAddress } from '#shared/law.ts'
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
