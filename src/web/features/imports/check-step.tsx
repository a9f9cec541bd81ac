import { clsx } from 'clsx'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import {
  type ImportCounts,
  type ImportDetails,
  type ImportField,
  type ImportRow,
  type ImportRowState,
  importFieldLabel,
  importRowPageSize,
} from '#shared/imports/imports.ts'
import { Badge, type BadgeTone } from '#web/components/badge.tsx'
import { Button, ButtonLink } from '#web/components/button.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { Pagination } from '#web/components/pagination.tsx'
import { tabPath } from '#web/lib/admin-tab.ts'
import { api, callApi } from '#web/lib/api.ts'
import { countOf, figureText } from '#web/lib/number-texts.ts'
import { RefusedButton } from './done-step.tsx'
import { ImportFieldControl } from './import-field-control.tsx'
import {
  type Act,
  type ImportsAddress,
  importPath,
  matchText,
  type OpenImportData,
  type RowFilter,
  resultText,
  rowName,
} from './imports-data.ts'

interface CheckStepProps {
  data: OpenImportData
  address: ImportsAddress
  act: Act
}

const nothing: Record<ImportRowState | 'all', string> = {
  problem: 'No problems.',
  duplicate: 'No duplicates found.',
  ready: 'No rows are ready to import.',
  unchanged: 'No unchanged rows.',
  skipped: 'No skipped rows.',
  all: 'This file has no rows.',
}

const nothingOfUpdates: Partial<typeof nothing> = {
  duplicate: 'No record appears more than once.',
  ready: 'No changes to import.',
}

export function CheckStep({ data: { details, filter, rows }, address, act }: CheckStepProps) {
  const navigate = useNavigate()
  const { id, counts, updateBy } = details
  const { noun, verb, done } = resultText(details)
  const title = useRef<HTMLHeadingElement>(null)
  const [status, setStatus] = useState('')
  const [isBusy, setBusy] = useState(false)

  // The row may leave the list: focuses the list's title.
  function settled(sentence: string) {
    setStatus(sentence)
    title.current?.focus()
  }

  async function decideAll(state: ImportRowState, decision: 'skip' | 'take') {
    setBusy(true)
    const isDone = await act(`Failed to ${decision} the rows`, () =>
      api.imports[':id'].rows.$patch({ param: { id }, json: { state, decision } }),
    )
    setBusy(false)
    if (isDone) settled(decision === 'skip' ? 'All skipped.' : 'All will be imported.')
  }

  async function run() {
    setBusy(true)
    await act(`Failed to ${verb.toLowerCase()}`, () => api.imports[':id'].run.$post({ param: { id } }))
    setBusy(false)
  }

  const left = counts.problem + counts.duplicate + counts.skipped
  return (
    <div className="flex flex-col gap-4">
      <section
        aria-label="Import summary"
        className="flex flex-wrap items-center justify-between gap-4 rounded-box border bg-card p-4 shadow-card max-md:[&_a]:min-h-11 max-md:[&_button]:min-h-11"
      >
        <div>
          <p className="font-semibold">
            {countOf(counts.ready, noun)} will be {done}.
          </p>
          {counts.unchanged > 0 && (
            <p className="text-sm text-muted">{countOf(counts.unchanged, 'row')} unchanged.</p>
          )}
          {left > 0 && (
            <p className="text-sm text-muted">
              {countOf(left, 'row')} will be skipped; you can download them afterwards.
            </p>
          )}
        </div>
        <div className="flex flex-wrap gap-2">
          <ButtonLink variant="outline" size="sm" to={importPath(id, { atColumns: true })}>
            Change columns
          </ButtonLink>
          {left > 0 && <RefusedButton id={id} act={act} />}
          <Button size="sm" disabled={isBusy || counts.ready === 0} onClick={() => void run()}>
            {verb} {countOf(counts.ready, noun)}
          </Button>
        </div>
      </section>
      <RowFilters
        counts={counts}
        isUpdate={updateBy !== null}
        selected={filter}
        onSelect={(state) => void navigate(importPath(id, { rows: state }), { preventScrollReset: true })}
      />
      <div className="flex flex-wrap items-center justify-between gap-2 max-md:[&_button]:min-h-11">
        <h2 ref={title} tabIndex={-1} className="text-lg font-semibold outline-hidden">
          Rows
        </h2>
        {(filter === 'problem' || filter === 'duplicate') && counts[filter] > 0 && (
          <div className="flex flex-wrap gap-2">
            <Button
              variant="outline"
              size="sm"
              disabled={isBusy}
              onClick={() => void decideAll(filter, 'skip')}
            >
              {filter === 'duplicate' ? 'Skip all duplicates' : 'Skip all problems'}
            </Button>
            {filter === 'duplicate' && !updateBy && (
              <Button
                variant="outline"
                size="sm"
                disabled={isBusy}
                onClick={() => void decideAll(filter, 'take')}
              >
                Import all anyway
              </Button>
            )}
          </div>
        )}
      </div>
      <p role="status" className="sr-only">
        {status}
      </p>
      {rows && rows.items.length > 0 ? (
        <>
          <ul aria-label="Rows" className="flex flex-col gap-3">
            {rows.items.map((row) => (
              <RowCard key={row.number} row={row} details={details} act={act} onSettled={settled} />
            ))}
          </ul>
          <Pagination
            page={address.page}
            pageSize={importRowPageSize}
            total={rows.total}
            noun="rows"
            to={(page) => importPath(id, { rows: filter, page })}
          />
        </>
      ) : (
        <EmptyState title={(updateBy ? nothingOfUpdates[filter] : undefined) ?? nothing[filter]} />
      )}
    </div>
  )
}

const filters = [
  { value: 'problem', label: 'Problems' },
  { value: 'duplicate', label: 'Possible duplicates' },
  { value: 'ready', label: 'Ready' },
  { value: 'skipped', label: 'Skipped' },
] as const

const updateFilters = [
  { value: 'problem', label: 'Problems' },
  { value: 'duplicate', label: 'Same record twice' },
  { value: 'ready', label: 'Changes' },
  { value: 'unchanged', label: 'No changes' },
  { value: 'skipped', label: 'Skipped' },
] as const

interface RowFiltersProps {
  counts: ImportCounts
  isUpdate: boolean
  selected: RowFilter
  onSelect: (filter: RowFilter) => void
}

function RowFilters({ counts, isUpdate, selected, onSelect }: RowFiltersProps) {
  return (
    <fieldset>
      <legend className="sr-only">Rows to show</legend>
      <div className={clsx('grid grid-cols-2 gap-2', isUpdate ? 'sm:grid-cols-5' : 'sm:grid-cols-4')}>
        {(isUpdate ? updateFilters : filters).map(({ value, label }) => (
          <button
            key={value}
            type="button"
            aria-pressed={selected === value}
            onClick={() => onSelect(value)}
            className={clsx(
              'rounded-box border px-3 py-2 text-left',
              selected === value ? 'border-primary bg-primary-soft' : 'border-edge bg-card hover:bg-soft',
            )}
          >
            <span className="block text-xl font-bold tabular-nums">{figureText(counts[value])}</span>
            <span className="block text-sm text-muted">{label}</span>
          </button>
        ))}
      </div>
    </fieldset>
  )
}

const badges: Record<ImportRow['state'], { label: string; tone: BadgeTone }> = {
  ready: { label: 'Ready', tone: 'success' },
  unchanged: { label: 'No changes', tone: 'neutral' },
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

function RowCard({ row, details, act, onSettled }: RowCardProps) {
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
