import { clsx } from 'clsx'
import type { ImportCounts } from '#shared/imports.ts'
import { figureText } from '#web/lib/count-text.ts'
import type { RowFilter } from './imports-address.ts'

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
  /** Whether the rows change records. */
  isUpdate: boolean
  selected: RowFilter
  onSelect: (filter: RowFilter) => void
}

/** How many rows there are of each kind; a press shows them. */
export function RowFilters({ counts, isUpdate, selected, onSelect }: RowFiltersProps) {
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
