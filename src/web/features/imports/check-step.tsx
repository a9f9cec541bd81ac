import { clsx } from 'clsx'
import { type ComponentProps, type ReactNode, useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import type { ImportDetails, ImportRow } from '#shared/imports/import-response.ts'
import {
  type ImportField,
  type ImportRowState,
  identityFields,
  importFieldLabel,
  importRowPageSize,
  matchWords,
} from '#shared/imports/imports.ts'
import { Badge, type BadgeTone } from '#web/components/badge.tsx'
import { Button, ButtonLink } from '#web/components/button.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { Form, useEditForm } from '#web/components/form.tsx'
import { Pagination } from '#web/components/pagination.tsx'
import { tabPath } from '#web/lib/admin-tab.ts'
import { api, callApi } from '#web/lib/api.ts'
import { countOf, figureText } from '#web/lib/number-texts.ts'
import { failureOf, useReadAgain } from '#web/lib/query.ts'
import { ImportFieldControl, RefusedButton } from './import-controls.tsx'
import {
  type Act,
  importAddress,
  type RowFilter,
  resultText,
  rowName,
  useBusy,
  useImportRows,
} from './imports-data.ts'

interface CheckStepProps {
  details: ImportDetails
  act: Act
}

// The words for a state of rows; those of updates where they differ.
const stateWords: Record<RowFilter, { title: string; badge: string; tone: BadgeTone; none: string }> = {
  problem: { title: 'Problems', badge: 'Problem', tone: 'danger', none: 'No problems.' },
  duplicate: {
    title: 'Possible duplicates',
    badge: 'Possible duplicate',
    tone: 'warning',
    none: 'No duplicates found.',
  },
  ready: { title: 'Ready', badge: 'Ready', tone: 'success', none: 'No rows are ready to import.' },
  unchanged: { title: 'No changes', badge: 'No changes', tone: 'neutral', none: 'No unchanged rows.' },
  skipped: { title: 'Skipped', badge: 'Skipped', tone: 'neutral', none: 'No skipped rows.' },
  all: { title: 'All', badge: '', tone: 'neutral', none: 'This file has no rows.' },
}

const updateWords: typeof stateWords = {
  ...stateWords,
  duplicate: {
    title: 'Same record twice',
    badge: 'Same record twice',
    tone: 'warning',
    none: 'No record appears more than once.',
  },
  ready: { title: 'Changes', badge: 'Ready', tone: 'success', none: 'No changes to import.' },
}

function wordsOf({ updateBy }: Pick<ImportDetails, 'updateBy'>) {
  return updateBy ? updateWords : stateWords
}

export function CheckStep({ details, act: actOnce }: CheckStepProps) {
  const navigate = useNavigate()
  const { filter, query } = useImportRows(details)
  const { data: rows } = query
  const failure = failureOf(query)
  const { id, counts, updateBy } = details
  const { noun, verb, done } = resultText(details)
  const title = useRef<HTMLHeadingElement>(null)
  const [status, setStatus] = useState('')
  const [isBusy, act] = useBusy(actOnce)

  // The row may leave the list: focuses the list's title.
  function settled(sentence: string) {
    setStatus(sentence)
    title.current?.focus()
  }

  async function decideAll(state: ImportRowState, decision: 'skip' | 'take') {
    const isDone = await act(`Failed to ${decision} the rows`, () =>
      api.imports[':id'].rows.$patch({ param: { id }, json: { state, decision } }),
    )
    if (isDone) settled(decision === 'skip' ? 'All skipped.' : 'All will be imported.')
  }

  const run = () =>
    act(`Failed to ${verb.toLowerCase()}`, () => api.imports[':id'].run.$post({ param: { id } }))

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
          <ButtonLink variant="outline" size="sm" to={importAddress.to({ import: id, step: 'columns' })}>
            Change columns
          </ButtonLink>
          {left > 0 && <RefusedButton id={id} act={actOnce} />}
          <Button size="sm" disabled={isBusy || counts.ready === 0} onClick={() => void run()}>
            {verb} {countOf(counts.ready, noun)}
          </Button>
        </div>
      </section>
      <RowFilters
        details={details}
        selected={filter}
        onSelect={(state) =>
          void navigate(importAddress.to({ import: id, rows: state }), { preventScrollReset: true })
        }
      />
      <div className="flex flex-wrap items-center justify-between gap-2 max-md:[&_button]:min-h-11">
        <h2 ref={title} tabIndex={-1} className="text-lg font-semibold outline-hidden">
          Rows
        </h2>
        {(filter === 'problem' || filter === 'duplicate') && counts[filter] > 0 && (
          <div className="flex flex-wrap gap-2">
            <SmallButton disabled={isBusy} onClick={() => void decideAll(filter, 'skip')}>
              {filter === 'duplicate' ? 'Skip all duplicates' : 'Skip all problems'}
            </SmallButton>
            {filter === 'duplicate' && !updateBy && (
              <SmallButton disabled={isBusy} onClick={() => void decideAll(filter, 'take')}>
                Import all anyway
              </SmallButton>
            )}
          </div>
        )}
      </div>
      <p role="status" className="sr-only">
        {status}
      </p>
      {failure && (
        <ErrorBanner message={`Failed to load the rows: ${failure}`} onRetry={() => void query.refetch()} />
      )}
      {rows && rows.items.length > 0 ? (
        <>
          <ul aria-label="Rows" className="flex flex-col gap-3">
            {rows.items.map((row) => (
              <RowCard key={row.number} row={row} details={details} act={actOnce} onSettled={settled} />
            ))}
          </ul>
          <Pagination
            page={rows.page}
            pageSize={importRowPageSize}
            total={rows.total}
            noun="row"
            to={(page) => importAddress.to({ import: id, rows: filter, page })}
          />
        </>
      ) : (
        rows && <EmptyState title={wordsOf(details)[filter].none} />
      )}
    </div>
  )
}

function SmallButton(props: Pick<ComponentProps<typeof Button>, 'disabled' | 'onClick' | 'children'>) {
  return <Button variant="outline" size="sm" {...props} />
}

interface RowFiltersProps {
  details: Pick<ImportDetails, 'counts' | 'updateBy'>
  selected: RowFilter
  onSelect: (filter: RowFilter) => void
}

function RowFilters({ details, selected, onSelect }: RowFiltersProps) {
  const { counts, updateBy } = details
  const filters = updateBy
    ? (['problem', 'duplicate', 'ready', 'unchanged', 'skipped'] as const)
    : (['problem', 'duplicate', 'ready', 'skipped'] as const)
  return (
    <fieldset>
      <legend className="sr-only">Rows to show</legend>
      <div className={clsx('grid grid-cols-2 gap-2', updateBy ? 'sm:grid-cols-5' : 'sm:grid-cols-4')}>
        {filters.map((filter) => (
          <button
            key={filter}
            type="button"
            aria-pressed={selected === filter}
            onClick={() => onSelect(filter)}
            className={clsx(
              'rounded-box border px-3 py-2 text-left',
              selected === filter ? 'border-primary bg-primary-soft' : 'border-edge bg-card hover:bg-soft',
            )}
          >
            <span className="block text-xl font-bold tabular-nums">{figureText(counts[filter])}</span>
            <span className="block text-sm text-muted">{wordsOf(details)[filter].title}</span>
          </button>
        ))}
      </div>
    </fieldset>
  )
}

type RowValues = Partial<Record<ImportField, string>>

interface RowCardProps {
  row: ImportRow
  details: ImportDetails
  act: Act
  onSettled: (sentence: string) => void
}

function RowCard({ row, details, act: actOnce, onSettled }: RowCardProps) {
  const { number, state, values, problems, matches, record, changes } = row
  const { updateBy } = details
  const [isCorrecting, setCorrecting] = useState(false)
  const [isBusy, act] = useBusy(actOnce)
  const name = rowName(row, details)
  const { badge, tone } = wordsOf(details)[state]

  const send = async (json: { values?: RowValues; skip?: boolean; take?: boolean }) => {
    const param = { id: details.id, number: String(number) }
    return await callApi(api.imports[':id'].rows[':number'].$patch({ param, json }))
  }

  function settle(changed: ImportRow) {
    if (changed.state === state) return
    setCorrecting(false)
    onSettled(`Row ${number}, ${name}: ${wordsOf(details)[changed.state].badge}.`)
  }

  async function decide(decision: { skip: boolean } | { take: true }) {
    let changed: ImportRow | undefined
    await act(`Failed to change row ${number}`, async () => {
      changed = await send(decision)
    })
    if (changed) settle(changed)
  }

  const correctable = updateBy ? uniqueFields([{ path: updateBy }, ...changes]) : identityFields
  const fields = problems.length > 0 ? uniqueFields(problems) : correctable
  const ofRow = <span className="sr-only"> row {number}</span>
  const actions = (
    <>
      {state !== 'unchanged' && (
        <SmallButton disabled={isBusy} onClick={() => void decide({ skip: state !== 'skipped' })}>
          {state === 'skipped' ? "Don't skip" : 'Skip'}
          {ofRow}
        </SmallButton>
      )}
      {state === 'duplicate' && !updateBy && (
        <SmallButton disabled={isBusy} onClick={() => void decide({ take: true })}>
          Import anyway{ofRow}
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
    <li className="rounded-box border bg-card p-4 shadow-card max-md:[&_button]:min-h-11">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <p className="min-w-0 font-semibold wrap-anywhere">
          <span className="text-muted">Row {number} · </span>
          {name}
        </p>
        <Badge tone={tone}>{badge}</Badge>
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
      {state === 'problem' || isCorrecting ? (
        <RowFix
          key={isCorrecting ? 'identity' : fields.join()}
          row={row}
          fields={fields}
          choices={details.choices}
          send={(values) => send({ values })}
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
      {identityFields.slice(2).map((field) => (
        <div key={field} className="min-w-0">
          <dt className="inline text-muted">{importFieldLabel(field)}: </dt>
          <dd className="inline wrap-anywhere">{values[field] || '—'}</dd>
        </div>
      ))}
    </dl>
  )
}

interface RowFixProps {
  row: ImportRow
  fields: readonly ImportField[]
  choices: ImportDetails['choices']
  send: (values: RowValues) => Promise<ImportRow>
  onSaved: (changed: ImportRow) => void
  children: ReactNode
}

function RowFix({
  row: { number, values, problems },
  fields,
  choices,
  send,
  onSaved,
  children,
}: RowFixProps) {
  const readAgain = useReadAgain()
  const form = useEditForm<Record<string, string>, ImportRow>({
    values: Object.fromEntries(fields.map((field) => [field, values[field] ?? ''])),
    // The server checks the row by the rules of its import.
    problemsOf: () => [],
    failed: `Failed to change row ${number}: `,
    controlId: (path) => `row-${number}-${path}`,
    async send(corrected) {
      const changed = await send(corrected)
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
            field={field}
            id={`row-${number}-${field}`}
            control={form.form.register(field)}
            value={values[field] ?? ''}
            error={form.errorOf(field) ?? problems.find(({ path }) => path === field)?.message}
            choices={choices}
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
