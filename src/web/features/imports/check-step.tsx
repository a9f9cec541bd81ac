import { clsx } from 'clsx'
import { useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { type ImportCounts, type ImportRowState, importRowPageSize } from '#shared/imports/imports.ts'
import { Button, ButtonLink } from '#web/components/button.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { Pagination } from '#web/components/pagination.tsx'
import { api } from '#web/lib/api.ts'
import { countOf, figureText } from '#web/lib/number-texts.ts'
import { RefusedButton } from './done-step.tsx'
import {
  type Act,
  type ImportsAddress,
  importPath,
  type OpenImportData,
  type RowFilter,
  resultText,
} from './imports-data.ts'
import { RowCard } from './row-card.tsx'

interface CheckStepProps {
  data: OpenImportData
  address: ImportsAddress
  act: Act
}

const nothing: Record<ImportRowState | 'all', string> = {
  problem: 'No row has a problem.',
  duplicate: 'No row looks like somebody else.',
  ready: 'No row is ready to be imported.',
  unchanged: 'No unchanged rows.',
  skipped: 'No row is skipped.',
  all: 'This file has no rows.',
}

const nothingOfUpdates: Partial<typeof nothing> = {
  duplicate: 'No record appears twice.',
  ready: 'No row changes a record.',
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
    if (isDone) settled(decision === 'skip' ? 'All of them are skipped.' : 'All of them are to be imported.')
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
        aria-label="What will be imported"
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
              {countOf(left, 'row')} will be left out; you can download them afterwards.
            </p>
          )}
        </div>
        <div className="flex flex-wrap gap-2">
          <ButtonLink variant="outline" size="sm" to={importPath(id, { atColumns: true })}>
            Change the columns
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
  { value: 'unchanged', label: 'Nothing to change' },
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
