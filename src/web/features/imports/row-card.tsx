import { type FormEvent, type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import {
  type ImportDetails,
  type ImportField,
  type ImportRow,
  importFieldLabel,
} from '#shared/imports/imports.ts'
import { Badge, type BadgeTone } from '#web/components/badge.tsx'
import { Button } from '#web/components/button.tsx'
import { tabPath } from '#web/lib/admin-tab.ts'
import { api, callApi } from '#web/lib/api.ts'
import { ImportFieldControl } from './import-field-control.tsx'
import { type Act, matchText, rowName } from './imports-data.ts'

const badges: Record<ImportRow['state'], { label: string; tone: BadgeTone }> = {
  ready: { label: 'Ready', tone: 'success' },
  unchanged: { label: 'Nothing to change', tone: 'neutral' },
  problem: { label: 'Problem', tone: 'danger' },
  duplicate: { label: 'Possible duplicate', tone: 'warning' },
  skipped: { label: 'Skipped', tone: 'neutral' },
}

function badgeOf(state: ImportRow['state'], { updateBy }: Pick<ImportDetails, 'updateBy'>) {
  return state === 'duplicate' && updateBy
    ? { ...badges.duplicate, label: 'Same record twice' }
    : badges[state]
}

const identity: readonly ImportField[] = [
  'lastName',
  'firstName',
  'dateOfBirth',
  'studentId',
  'email',
  'academicYear',
]

interface RowCardProps {
  row: ImportRow
  details: ImportDetails
  act: Act
  onSettled: (sentence: string) => void
}

type Change = { values?: Partial<Record<ImportField, string>>; skip?: boolean; take?: boolean }

export function RowCard({ row, details, act, onSettled }: RowCardProps) {
  const { number, state, values, problems, matches, record, changes } = row
  const { updateBy } = details
  const [isCorrecting, setCorrecting] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const name = rowName(row, details)
  const { label, tone } = badgeOf(state, details)

  async function change(changes: Change) {
    setBusy(true)
    let changed: ImportRow | undefined
    const done = await act(`Failed to change row ${number}`, async () => {
      changed = await callApi(
        api.imports[':id'].rows[':number'].$patch({
          param: { id: details.id, number: String(number) },
          json: changes,
        }),
      )
    })
    setBusy(false)
    if (!done || !changed || changed.state === state) return
    setCorrecting(false)
    onSettled(`Row ${number}, ${name}: ${badgeOf(changed.state, details).label}.`)
  }

  const correctable = updateBy ? uniqueFields([{ path: updateBy }, ...changes]) : identity
  const fields = problems.length > 0 ? uniqueFields(problems) : correctable
  const actions = (
    <>
      {state === 'skipped' ? (
        <Button variant="outline" size="sm" disabled={isBusy} onClick={() => void change({ skip: false })}>
          Don't skip<span className="sr-only"> row {number}</span>
        </Button>
      ) : (
        state !== 'unchanged' && (
          <Button variant="outline" size="sm" disabled={isBusy} onClick={() => void change({ skip: true })}>
            Skip<span className="sr-only"> row {number}</span>
          </Button>
        )
      )}
      {state === 'duplicate' && !updateBy && (
        <Button variant="outline" size="sm" disabled={isBusy} onClick={() => void change({ take: true })}>
          Import anyway<span className="sr-only"> row {number}</span>
        </Button>
      )}
      {state !== 'problem' && (
        <Button
          variant="ghost"
          size="sm"
          aria-expanded={isCorrecting}
          onClick={() => setCorrecting(!isCorrecting)}
        >
          Correct<span className="sr-only"> row {number}</span>
        </Button>
      )}
    </>
  )
  return (
    <li className="rounded-box border bg-card p-4 shadow-card max-md:[&_button]:min-h-11">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <p className="min-w-0 font-semibold wrap-anywhere">
          <span className="text-muted">Row {number} · </span>
          {name}
        </p>
        <Badge tone={tone}>{label}</Badge>
        {values.archived === 'Yes' && <Badge tone="neutral">Archived</Badge>}
        {record && <StudentLink id={record.id}>{record.reference}</StudentLink>}
      </div>
      {matches.map((match) => (
        <p key={`${match.reference}-${match.row}`} className="mt-1 text-sm">
          {matchText(match)}{' '}
          {match.studentId ? (
            <StudentLink id={match.studentId}>{match.reference}</StudentLink>
          ) : (
            `row ${match.row}`
          )}
          .
        </p>
      ))}
      {state === 'problem' || isCorrecting ? (
        <RowFix
          key={isCorrecting ? 'identity' : fields.join()}
          number={number}
          fields={fields}
          values={values}
          problems={problems}
          choices={details.choices}
          isBusy={isBusy}
          onSave={(corrected) => void change({ values: corrected })}
        >
          {actions}
        </RowFix>
      ) : (
        <>
          {updateBy ? <Changes changes={changes} /> : <Identity values={values} />}
          <div className="mt-3 flex flex-wrap gap-2">{actions}</div>
        </>
      )}
    </li>
  )
}

function uniqueFields(named: readonly { path: ImportField }[]): ImportField[] {
  return [...new Set(named.map(({ path }) => path))]
}

function StudentLink({ id, children }: { id: string; children: ReactNode }) {
  return (
    <Link
      to={tabPath('students', { archive: 'all', student: id })}
      className="py-1 text-sm font-semibold text-primary underline underline-offset-2"
    >
      {children}
    </Link>
  )
}

function Changes({ changes }: Pick<ImportRow, 'changes'>) {
  if (changes.length === 0) return null
  return (
    <dl className="mt-2 divide-y divide-line text-sm">
      {changes.map(({ path, before, after }) => (
        <div key={path} className="gap-x-4 py-1.5 sm:grid sm:grid-cols-[12rem_minmax(0,1fr)]">
          <dt className="text-muted">{importFieldLabel(path)}</dt>
          <dd className="min-w-0 wrap-anywhere whitespace-pre-line">
            <span className="sr-only">Now </span>
            <del className="text-muted">{before || <span className="no-underline">—</span>}</del>
            <span aria-hidden="true"> → </span>
            <span className="sr-only">, will be </span>
            <ins className="font-semibold no-underline">{after}</ins>
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Identity({ values }: Pick<ImportRow, 'values'>) {
  return (
    <dl className="mt-2 flex flex-wrap gap-x-6 gap-y-1 text-sm">
      {identity.slice(2).map((field) => (
        <div key={field} className="min-w-0">
          <dt className="inline text-muted">{importFieldLabel(field)}: </dt>
          <dd className="inline wrap-anywhere">{values[field] || '—'}</dd>
        </div>
      ))}
    </dl>
  )
}

interface RowFixProps {
  number: number
  fields: readonly ImportField[]
  values: ImportRow['values']
  problems: ImportRow['problems']
  choices: ImportDetails['choices']
  isBusy: boolean
  onSave: (values: Partial<Record<ImportField, string>>) => void
  children: ReactNode
}

function RowFix({ number, fields, values, problems, choices, isBusy, onSave, children }: RowFixProps) {
  const [typed, setTyped] = useState<Partial<Record<ImportField, string>>>({})

  function save(event: FormEvent) {
    event.preventDefault()
    const corrected = Object.fromEntries(fields.map((field) => [field, typed[field] ?? values[field] ?? '']))
    if (!isBusy) onSave(corrected)
  }

  return (
    <form
      onSubmit={save}
      noValidate
      aria-label={`Correct row ${number}`}
      className="mt-3 flex flex-col gap-3"
    >
      <div className="grid items-start gap-3 sm:grid-cols-2 lg:grid-cols-3">
        {fields.map((field) => (
          <ImportFieldControl
            key={field}
            field={field}
            id={`row-${number}-${field}`}
            value={typed[field] ?? values[field] ?? ''}
            onChange={(value) => setTyped({ ...typed, [field]: value })}
            error={problems.find(({ path }) => path === field)?.message}
            choices={choices}
          />
        ))}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="sm" disabled={isBusy}>
          Save<span className="sr-only"> row {number}</span>
        </Button>
        {children}
      </div>
    </form>
  )
}
