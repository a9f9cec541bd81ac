import {
  type AnnouncementCategory,
  type AnnouncementState,
  announcementCategories,
  announcementStates,
} from '#shared/announcements.ts'
import { ChoiceButtons } from '#web/components/choice-buttons.tsx'
import { SelectField } from '#web/components/select-field.tsx'
import type { ManagerAddress } from './manager-address.ts'
import { stateLabels } from './state-badge.tsx'

const all = 'all'

/** The buttons of spec §2. Notices are what is important. */
const quickChoices = [
  { value: all, label: 'All Announcements' },
  { value: 'General', label: 'General' },
  { value: 'Event', label: 'Events' },
  { value: 'Important', label: 'Notices' },
] as const satisfies readonly { value: AnnouncementCategory | typeof all; label: string }[]

interface ManagerFiltersProps {
  address: ManagerAddress
  onChange: (changes: Partial<Pick<ManagerAddress, 'category' | 'state'>>) => void
}

/** What narrows the coordinator's list down. The buttons are the shorter way to the usual categories. */
export function ManagerFilters({ address: { category, state }, onChange }: ManagerFiltersProps) {
  const choose = (text: string) =>
    onChange({ category: announcementCategories.find((known) => known === text) ?? null })
  return (
    <div className="flex flex-wrap items-end gap-3 max-md:[&_select]:min-h-11">
      <ChoiceButtons<AnnouncementCategory | typeof all>
        legend="Show"
        choices={quickChoices}
        selected={category ?? all}
        onSelect={choose}
      />
      <SelectField
        name="category-filter"
        label="Category"
        density="compact"
        className="min-w-36 flex-1 md:max-w-48"
        options={[{ value: all, label: 'All Categories' }, ...announcementCategories]}
        value={category ?? all}
        onChange={({ target }) => choose(target.value)}
      />
      <SelectField
        name="state-filter"
        label="State"
        density="compact"
        className="min-w-36 flex-1 md:max-w-48"
        options={[
          { value: all, label: 'All States' },
          ...announcementStates.map((value) => ({ value, label: stateLabels[value] })),
        ]}
        value={state ?? all}
        onChange={({ target }) => onChange({ state: stateOf(target.value) })}
      />
    </div>
  )
}

function stateOf(text: string): AnnouncementState | null {
  return announcementStates.find((known) => known === text) ?? null
}
