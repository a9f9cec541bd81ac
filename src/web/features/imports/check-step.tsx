import { Download } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import type { UseFormRegisterReturn } from 'react-hook-form'
import { Link, useNavigate } from 'react-router'
import type { ImportDetails, ImportRow } from '#shared/imports/import-response.ts'
import {
  dateFields,
  type ImportField,
  type ImportRowState,
  identityFields,
  importFieldLabel,
  importRowPageSize,
  isStudentField,
  matchWords,
} from '#shared/imports/imports.ts'
import { fieldDefinition } from '#shared/students/student-fields.ts'
import { Badge } from '#web/components/badge.tsx'
import { Button, SmallButton, SmallLink } from '#web/components/button.tsx'
import { CountTiles } from '#web/components/count-tiles.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { SelectField, TextAreaField, TextField } from '#web/components/field.tsx'
import { Form, useEditForm } from '#web/components/form.tsx'
import { Hint } from '#web/components/hint.tsx'
import { Pagination } from '#web/components/pagination.tsx'
import { tabPath } from '#web/lib/admin-tab.ts'
import { api, callApi, slowApi } from '#web/lib/api.ts'
import { countOf } from '#web/lib/number-texts.ts'
import { failureOf, useReadAgain } from '#web/lib/query.ts'
import { saveDownload } from '#web/lib/save-download.ts'
import { choicesOf } from './field-choices.ts'
import { type ImportAction, importPath, resultText, useImportRows } from './imports-data.ts'
import { RefusedValues } from './refused-values.tsx'
import rowStates from './row-states.json'

export const tones = {
  problem: 'danger',
  duplicate: 'warning',
  ready: 'success',
  unchanged: 'neutral',
  skipped: 'neutral',
  unmatched: 'warning',
  differs: 'warning',
} as const

/** One word for what becomes of a row, in every file of others. */
export const rowWords = rowStates.states

const filters = ['problem', 'duplicate', 'differs', 'ready', 'unchanged', 'skipped'] as const

const gridColumns: Readonly<Record<number, string>> = { 4: 'sm:grid-cols-4', 5: 'sm:grid-cols-5' }

export function CheckStep({ details, action }: { details: ImportDetails; action: ImportAction }) {
  const found = useImportRows(details)
  const { filter, query } = found
  const { id, counts, updateBy } = details
  const { noun, verb, done } = resultText(details)
  const { title, status, settled } = useSettled()

  const decideAll = (decision: 'skip' | 'take') =>
    action.run({
      whatFailed: `Failed to ${decision} the rows`,
      async send() {
        await slowApi.imports[':id'].rows.$patch({ param: { id }, json: { state: filter, decision } })
        settled(decision === 'skip' ? 'All skipped.' : 'All will be imported.')
      },
    })

  const run = () =>
    action.run({
      whatFailed: `Failed to ${verb.toLowerCase()}`,
      send: () => api.imports[':id'].run.$post({ param: { id }, json: {} }),
    })

  const left = counts.problem + counts.duplicate + counts.differs + counts.skipped
  const tiles = filters.filter(
    (state) => (updateBy || state !== 'unchanged') && (state !== 'differs' || counts.differs > 0),
  )
  return (
    <div className="flex flex-col gap-4">
      <section
        aria-label="Import summary"
        className="flex flex-wrap items-center justify-between gap-4 rounded-box border bg-card p-4 shadow-card"
      >
        <div>
          <p className="font-semibold">
            {countOf(counts.ready, noun)} will be {done}.
          </p>
          {counts.unchanged > 0 && <Hint>{countOf(counts.unchanged, 'row')} unchanged.</Hint>}
          {left > 0 && <Hint>{countOf(left, 'row')} will be skipped; you can download them afterwards.</Hint>}
        </div>
        <div className="flex flex-wrap gap-2">
          <SmallLink to={importPath(details, { step: 'columns' })}>Change columns</SmallLink>
          {left > 0 && <RefusedButton id={id} action={action} />}
          <Button size="sm" disabled={action.isPending || counts.ready === 0} onClick={run}>
            {verb} {countOf(counts.ready, noun)}
          </Button>
        </div>
      </section>
      <RowTiles
        details={details}
        states={tiles}
        selected={filter}
        className={gridColumns[tiles.length] ?? 'sm:grid-cols-6'}
      />
      <div className="flex flex-wrap items-center gap-2">
        <h2 ref={title} tabIndex={-1} className="mr-auto text-lg font-semibold outline-hidden">
          Rows
        </h2>
        {(filter === 'problem' || filter === 'duplicate') && counts[filter] > 0 && (
          <SmallButton disabled={action.isPending} onClick={() => decideAll('skip')}>
            {filter === 'duplicate' ? 'Skip all duplicates' : 'Skip all problems'}
          </SmallButton>
        )}
        {filter === 'duplicate' && counts.duplicate > 0 && !updateBy && (
          <SmallButton disabled={action.isPending} onClick={() => decideAll('take')}>
            Import all anyway
          </SmallButton>
        )}
        {filter === 'differs' && counts.differs > 0 && (
          <SmallButton disabled={action.isPending} onClick={() => decideAll('take')}>
            Keep all these numbers
          </SmallButton>
        )}
      </div>
      {status}
      <FoundRows
        details={details}
        found={found}
        className="flex flex-col gap-3"
        above={query.data && <RefusedValues refused={query.data.refused} details={details} action={action} />}
      >
        {(row) => (
          <RowCard key={row.number} row={row} details={details} action={action} onSettled={settled} />
        )}
      </FoundRows>
    </div>
  )
}

/** For a row that may leave the list: its sentence is read out, and the list's title has the focus. */
export function useSettled() {
  const title = useRef<HTMLHeadingElement>(null)
  const [sentence, setSentence] = useState('')
  return {
    title,
    status: (
      <p role="status" className="sr-only">
        {sentence}
      </p>
    ),
    settled(next: string) {
      setSentence(next)
      title.current?.focus()
    },
  }
}

interface FoundRowsProps {
  details: ImportDetails
  found: ReturnType<typeof useImportRows>
  className: string
  above?: ReactNode
  children: (row: ImportRow) => ReactNode
}

/** A page of the rows, or why there is none. */
export function FoundRows({ details, found, className, above, children }: FoundRowsProps) {
  const { filter, query } = found
  const failure = failureOf(query)
  const rows = query.data
  return (
    <>
      {failure && (
        <ErrorBanner message={`Failed to load the rows: ${failure}`} onRetry={() => void query.refetch()} />
      )}
      {above}
      {rows?.items.length === 0 && <EmptyState title={rowStates.none[details.purpose][filter]} />}
      {rows && rows.items.length > 0 && (
        <>
          <ul aria-label="Rows" className={className}>
            {rows.items.map(children)}
          </ul>
          <Pagination
            page={rows.page}
            pageSize={importRowPageSize}
            total={rows.total}
            noun="row"
            to={(page) => importPath(details, { rows: filter, page })}
          />
        </>
      )}
    </>
  )
}

interface RowTilesProps {
  details: ImportDetails
  states: readonly ImportRowState[]
  selected: ImportRowState
  className: string
}

/** The rows by what becomes of them; one kind is shown. */
export function RowTiles({ details, states, selected, className }: RowTilesProps) {
  const navigate = useNavigate()
  return (
    <CountTiles
      legend="Rows to show"
      tiles={states.map((value) => ({ value, label: rowWords[value].title, count: details.counts[value] }))}
      selected={selected}
      className={className}
      onSelect={(rows) => void navigate(importPath(details, { rows }), { preventScrollReset: true })}
    />
  )
}

export interface RowProps {
  row: ImportRow
  details: ImportDetails
  action: ImportAction
  onSettled: (sentence: string) => void
}

function RowCard({ row, details, action, onSettled }: RowProps) {
  const { number, state, values, problems, matches, record, changes } = row
  const { updateBy } = details
  const [isCorrecting, setCorrecting] = useState(false)
  const name = rowName(row, details)

  function settle(changed: ImportRow) {
    if (changed.state === state) return
    setCorrecting(false)
    onSettled(`Row ${number}, ${name}: ${rowWords[changed.state].badge}.`)
  }

  const decide = (decision: { skip: boolean } | { take: true }) =>
    action.run({
      whatFailed: `Failed to change row ${number}`,
      send: async () => settle(await changeRow(details.id, number, decision)),
    })

  const correctable = updateBy ? uniqueFields([{ path: updateBy }, ...changes]) : identityFields
  const fields = problems.length > 0 && state !== 'ready' ? uniqueFields(problems) : correctable
  const ofRow = <span className="sr-only"> row {number}</span>
  const takeLabel = takeLabelOf(row, details)
  const actions = (
    <>
      {state !== 'unchanged' && (
        <SmallButton disabled={action.isPending} onClick={() => decide({ skip: state !== 'skipped' })}>
          {state === 'skipped' ? "Don't skip" : 'Skip'}
          {ofRow}
        </SmallButton>
      )}
      {takeLabel !== null && (
        <SmallButton disabled={action.isPending} onClick={() => decide({ take: true })}>
          {takeLabel}
          {ofRow}
        </SmallButton>
      )}
      {state !== 'problem' && (
        <Button
          variant="ghost"
          size="sm"
          aria-expanded={isCorrecting}
          onClick={() => setCorrecting(!isCorrecting)}
        >
          Correct{ofRow}
        </Button>
      )}
    </>
  )
  return (
    <li className="rounded-box border bg-card p-4 shadow-card">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <p className="min-w-0 font-semibold wrap-anywhere">
          <span className="text-muted">Row {number} · </span>
          {name}
        </p>
        <Badge tone={tones[state]}>{rowWords[state].badge}</Badge>
        {values.archived === 'Yes' && <Badge tone="neutral">Archived</Badge>}
        {record && <StudentLink id={record.id}>{record.reference}</StudentLink>}
      </div>
      {matches.map((match) => (
        <p key={`${match.reference}-${match.row}`} className="mt-1 text-sm">
          The same {match.by.map((way) => matchWords[way]).join(' and ')} as{' '}
          {match.studentId ? (
            <StudentLink id={match.studentId}>{match.reference}</StudentLink>
          ) : (
            `row ${match.row}`
          )}
          .
        </p>
      ))}
      <Questions row={row} />
      {state === 'problem' || isCorrecting ? (
        <RowFix
          key={isCorrecting ? 'identity' : fields.join()}
          row={row}
          details={details}
          fields={fields}
          onSaved={settle}
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

/** What taking a row all the same is called; null where that can't be done. */
function takeLabelOf({ state }: ImportRow, { updateBy }: ImportDetails): string | null {
  if (state === 'differs') return 'Keep the number'
  return state === 'duplicate' && !updateBy ? 'Import anyway' : null
}

/** Questions about the serial number. A problem is said beside its field. */
function Questions({ row: { state, problems } }: Pick<RowProps, 'row'>) {
  if (state !== 'differs' && state !== 'duplicate') return null
  return problems.map(({ path, message }) => (
    <p key={path} className="mt-1 text-sm">
      {message}
    </p>
  ))
}

export function changeRow(
  id: string,
  number: number,
  json: {
    values?: Partial<Record<ImportField, string>>
    skip?: boolean
    take?: boolean
    studentId?: string
  },
) {
  const param = { id, number: String(number) }
  return callApi(slowApi.imports[':id'].rows[':number'].$patch({ param, json }))
}

function rowName({ values, record }: ImportRow, { updateBy }: ImportDetails): string {
  const { lastName, firstName } = record ?? values
  return [lastName, firstName].filter(Boolean).join(', ') || (updateBy ? 'No record' : 'No name')
}

export function uniqueFields(named: readonly { path: ImportField }[]): ImportField[] {
  return [...new Set(named.map(({ path }) => path))]
}

export function StudentLink({ id, children }: { id: string; children: ReactNode }) {
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
      {identityFields.slice(2).map((field) => (
        <div key={field} className="min-w-0">
          <dt className="inline text-muted">{importFieldLabel(field)}: </dt>
          <dd className="inline wrap-anywhere">{values[field] || '—'}</dd>
        </div>
      ))}
    </dl>
  )
}

interface RowFixProps extends Omit<RowProps, 'action' | 'onSettled'> {
  fields: readonly ImportField[]
  onSaved: (changed: ImportRow) => void
  children?: ReactNode
}

/** The fields of a row that can't be taken as they are, to be typed anew. */
export function RowFix({
  row: { number, values, problems },
  details,
  fields,
  onSaved,
  children,
}: RowFixProps) {
  const readAgain = useReadAgain('imports')
  const isRefusedChoice = (field: ImportField) => {
    const value = values[field] ?? ''
    return value !== '' && choicesOf(field, details.choices)?.includes(value) === false
  }
  const form = useEditForm<Record<string, string>, ImportRow>({
    // A refused value is no choice: the field begins empty.
    values: Object.fromEntries(
      fields.map((field) => [field, isRefusedChoice(field) ? '' : (values[field] ?? '')]),
    ),
    // The server checks the row by the rules of its import.
    problemsOf: () => [],
    whatFailed: `Failed to change row ${number}`,
    controlId: (path) => `row-${number}-${path}`,
    async send(corrected, { changed: names }) {
      const edits = Object.fromEntries(names.map((name) => [name, corrected[name] ?? '']))
      const changed = await changeRow(details.id, number, { values: edits })
      await readAgain()
      return changed
    },
    onSaved,
  })
  return (
    <Form form={form} label={`Correct row ${number}`} className="mt-3 flex flex-col gap-3" isGuarded={false}>
      <div className="grid items-start gap-3 sm:grid-cols-2 lg:grid-cols-3">
        {fields.map((field) => (
          <ImportFieldControl
            key={field}
            {...form.form.register(field)}
            field={field}
            id={`row-${number}-${field}`}
            inFile={isRefusedChoice(field) ? (values[field] ?? '') : ''}
            error={form.errorOf(field) ?? problems.find(({ path }) => path === field)?.message}
            choices={details.choices}
          />
        ))}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="sm" disabled={form.phase === 'sending'}>
          Save<span className="sr-only"> row {number}</span>
        </Button>
        {children}
      </div>
    </Form>
  )
}

interface ImportFieldControlProps extends UseFormRegisterReturn {
  field: ImportField
  id: string
  /** A refused value, which is none of the choices. */
  inFile?: string
  error?: string | undefined
  choices: ImportDetails['choices']
}

export function ImportFieldControl({ field, inFile = '', choices, ...control }: ImportFieldControlProps) {
  const common = {
    ...control,
    label: importFieldLabel(field),
    density: 'compact' as const,
    autoComplete: 'off',
  }
  const offered = choicesOf(field, choices)
  if (offered) {
    const hint = inFile === '' ? undefined : `In the file: ${inFile}`
    return <SelectField {...common} options={offered} hint={hint} placeholder="Choose…" />
  }
  if (isStudentField(field) && fieldDefinition(field).multiline) return <TextAreaField {...common} />
  return <TextField {...common} hint={dateFields.includes(field) ? 'As YYYY-MM-DD' : undefined} />
}

interface RefusedButtonProps {
  id: string
  action: ImportAction
  label?: string
}

export function RefusedButton({ id, action, label = 'Download rows not imported' }: RefusedButtonProps) {
  const download = {
    whatFailed: 'Failed to download the rows that were not imported',
    async send() {
      const response = await api.imports[':id']['refused.xlsx'].$get({ param: { id } })
      await saveDownload(response, 'not imported.xlsx')
    },
  }
  return (
    <SmallButton icon={Download} disabled={action.isPending} onClick={() => action.run(download)}>
      {label}
    </SmallButton>
  )
}
