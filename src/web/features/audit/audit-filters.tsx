import { X } from 'lucide-react'
import { auditActionNames, auditActions, maxAuditSearch } from '#shared/audit.ts'
import { Button } from '#web/components/button.tsx'
import { SearchBox } from '#web/components/search-box.tsx'
import { SelectField } from '#web/components/select-field.tsx'
import type { AuditAddress } from './audit-query.ts'
import { DateFilter } from './date-filter.tsx'

const actionOptions = [
  { value: 'all', label: 'Everything' },
  ...auditActionNames.map((value) => ({ value, label: auditActions[value] })),
]

interface AuditFiltersProps {
  address: AuditAddress
  onChange: (changes: Partial<AuditAddress>, options?: { replace?: boolean }) => void
}

/** What narrows the trail down. */
export function AuditFilters({ address, onChange }: AuditFiltersProps) {
  return (
    <div className="flex flex-wrap items-start gap-3 max-md:[&_input]:min-h-11 max-md:[&_select]:min-h-11">
      <SearchBox
        id="audit-search"
        className="min-w-64 flex-[2_1_16rem] max-md:basis-full"
        placeholder="Who, network address or reference"
        mostLetters={maxAuditSearch}
        value={address.search}
        onSearch={(search) => onChange({ search }, { replace: true })}
      />
      <SelectField
        name="action"
        className="min-w-44 flex-1 max-md:basis-full"
        label="Action"
        density="compact"
        options={actionOptions}
        value={address.action}
        onChange={({ target }) =>
          onChange({ action: auditActionNames.find((name) => name === target.value) ?? 'all' })
        }
      />
      <DateFilter
        name="from"
        label="From"
        max={address.to || undefined}
        value={address.from}
        onChange={(from) => onChange({ from }, { replace: true })}
      />
      <DateFilter
        name="to"
        label="To"
        min={address.from || undefined}
        value={address.to}
        onChange={(to) => onChange({ to }, { replace: true })}
      />
      {address.student !== '' && (
        <Button
          variant="outline"
          size="sm"
          className="self-end"
          icon={<X aria-hidden="true" className="size-4" />}
          onClick={() => onChange({ student: '' })}
        >
          Only one student: show all
        </Button>
      )}
    </div>
  )
}
