import { departments } from '#shared/org-chart.ts'
import { Button } from '#web/components/button.tsx'
import { ChoiceButtons } from '#web/components/choice-buttons.tsx'
import type { DepartmentFilter, ManagerAddress } from './manager-address.ts'

interface ManagerFiltersProps {
  department: DepartmentFilter
  view: 'chart' | 'list'
  onChange: (changes: Partial<ManagerAddress>) => void
  onExpandAll: () => void
  onCollapseAll: () => void
}

const departmentChoices = [
  { value: 'all', label: 'All Departments' },
  ...departments.map((department) => ({ value: department, label: department })),
] as const

/** What of the chart is in sight, and how. */
export function ManagerFilters({
  department,
  view,
  onChange,
  onExpandAll,
  onCollapseAll,
}: ManagerFiltersProps) {
  return (
    <div className="flex flex-wrap items-end gap-x-4 gap-y-3">
      <div className="max-w-full overflow-x-auto">
        <ChoiceButtons
          legend="Department"
          choices={departmentChoices}
          selected={department ?? 'all'}
          onSelect={(value) => onChange({ department: value === 'all' ? null : value })}
        />
      </div>
      <ChoiceButtons
        legend="View"
        choices={[
          { value: 'chart', label: 'Chart view' },
          { value: 'list', label: 'List view' },
        ]}
        selected={view}
        onSelect={(value) => onChange({ view: value })}
      />
      <div className="flex gap-2">
        <Button variant="outline" size="sm" className="max-md:min-h-11" onClick={onExpandAll}>
          Expand all
        </Button>
        <Button variant="outline" size="sm" className="max-md:min-h-11" onClick={onCollapseAll}>
          Collapse all
        </Button>
      </div>
    </div>
  )
}
