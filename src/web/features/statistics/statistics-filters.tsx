import { periodLabels, periods } from '#shared/periods.ts'
import type { StatisticsFilters as Filters } from '#shared/statistics.ts'
import type { ComponentFilter } from '#shared/students.ts'
import { ChoiceButtons } from '#web/components/choice-buttons.tsx'
import { SelectField } from '#web/components/select-field.tsx'

const periodOptions = periods.map((value) => ({ value, label: periodLabels[value] }))

interface StatisticsFiltersProps {
  filters: Filters
  onChange: (filters: Filters) => void
}

/** The period selector and the component buttons (spec §2, §9). */
export function StatisticsFilters({ filters, onChange }: StatisticsFiltersProps) {
  const offered: ComponentFilter[] = ['all', 'ROTC', 'CWTS']
  // Not offered, but an address may ask for it: then it shows as what is selected.
  if (filters.component === 'LTS') offered.push('LTS')
  return (
    <div className="flex flex-wrap gap-3 max-md:[&_select]:min-h-11 print:hidden">
      <SelectField
        name="period"
        className="min-w-44"
        label="Time Period"
        density="compact"
        options={periodOptions}
        value={filters.period}
        onChange={({ target }) => {
          const period = periods.find((known) => known === target.value)
          if (period) onChange({ ...filters, period })
        }}
      />
      <ChoiceButtons
        legend="NSTP Component"
        choices={offered.map((value) => ({ value, label: value === 'all' ? 'All' : value }))}
        selected={filters.component}
        onSelect={(component) => onChange({ ...filters, component })}
      />
    </div>
  )
}
