import { clsx } from 'clsx'
import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { periodLabels, periods } from '#shared/periods.ts'
import {
  archiveFilters,
  type ComponentFilter,
  maxSearchLength,
  type StudentListQuery,
  type StudentSort,
  type StudentSortKey,
  studentSorts,
} from '#shared/students.ts'
import { Button } from '#web/components/button.tsx'
import { ChoiceButtons } from '#web/components/choice-buttons.tsx'
import { SearchBox } from '#web/components/search-box.tsx'
import { SelectField } from '#web/components/select-field.tsx'
import type { ListLayout } from './list-layouts.tsx'
import type { FilterName, ListPlace } from './list-place.ts'

const archiveLabels = {
  all: 'All Students',
  active: 'Active Only',
  archived: 'Archived Only',
} satisfies Record<(typeof archiveFilters)[number], string>

const archiveOptions = archiveFilters.map((value) => ({ value, label: archiveLabels[value] }))
const periodOptions = periods.map((value) => ({ value, label: periodLabels[value] }))

/** Two ways for each column, as people say them. */
function sortOptionsOf({ columns }: ListLayout): SortOption[] {
  return columns.flatMap(
    ({ label, sort }) => dateOptions[sort] ?? waysOf(sort, label, `${label}, descending`),
  )
}

interface SortOption {
  value: StudentSort
  label: string
}

/** Dates begin with the latest. */
const dateOptions: Partial<Record<StudentSortKey, SortOption[]>> = {
  registrationDate: waysOf('registrationDate', 'Oldest first', 'Newest first').reverse(),
  archivedDate: waysOf('archivedDate', 'Earliest archived first', 'Latest archived first').reverse(),
}

function waysOf(sort: StudentSortKey, rising: string, falling: string): SortOption[] {
  return [
    { value: sort, label: rising },
    { value: `-${sort}`, label: falling },
  ]
}

/** Those behind the phone's button, which tells how many of them are in use. */
const foldedFilters = ['period', 'archive', 'academicYear'] as const

/** Two beside each other on a phone. */
const selectLook = 'min-w-36 flex-1'

interface StudentFiltersProps {
  place: ListPlace
  layout: ListLayout
  /** The years to choose from. */
  academicYears: readonly string[]
  query: StudentListQuery
  onChange: (changes: Partial<StudentListQuery>, options?: { replace?: boolean }) => void
}

/**
 * What narrows a list down (spec §2 "Students tab"). On a phone all but search and component are folded, so
 * that the first students are in sight.
 */
export function StudentFilters({ place, layout, academicYears, query, onChange }: StudentFiltersProps) {
  const [isOpen, setOpen] = useState(false)
  const active = foldedFilters.filter((name) => query[name] !== place.defaults[name]).length
  const offers = (name: FilterName) => place.filters.includes(name)
  return (
    <div className="flex flex-wrap gap-3 max-md:[&_select]:min-h-11 print:hidden">
      <SearchBox
        id="student-search"
        placeholder="Search by name or course"
        mostLetters={maxSearchLength}
        className="min-w-64 flex-[2_1_16rem] max-md:basis-full"
        value={query.search}
        onSearch={(search) => onChange({ search }, { replace: true })}
      />
      <ComponentButtons selected={query.component} onSelect={(component) => onChange({ component })} />
      <Button
        variant="outline"
        className="ml-auto self-end text-sm md:hidden"
        aria-expanded={isOpen}
        aria-controls="more-filters"
        onClick={() => setOpen(!isOpen)}
      >
        {active === 0 ? 'Filters' : `Filters (${active})`}
        <ChevronDown aria-hidden="true" className={clsx('size-4', isOpen && 'rotate-180')} />
      </Button>
      <div
        id="more-filters"
        className={clsx(isOpen ? 'flex basis-full flex-wrap gap-3' : 'hidden', 'md:contents')}
      >
        {offers('period') && (
          <SelectField
            name="period"
            className={selectLook}
            label="Time Period"
            density="compact"
            options={periodOptions}
            value={query.period}
            onChange={({ target }) => onChange({ period: choiceOf(periods, target.value) })}
          />
        )}
        {offers('archive') && (
          <SelectField
            name="archive"
            className={selectLook}
            label="Archive Status"
            density="compact"
            options={archiveOptions}
            value={query.archive}
            onChange={({ target }) => onChange({ archive: choiceOf(archiveFilters, target.value) })}
          />
        )}
        <SelectField
          name="academicYear"
          className={selectLook}
          label="Academic Year"
          density="compact"
          options={[{ value: 'all', label: 'All Years' }, ...yearsWith(academicYears, query.academicYear)]}
          value={query.academicYear}
          onChange={({ target }) => onChange({ academicYear: target.value })}
        />
        <SelectField
          name="sort"
          label="Sort By"
          // Where there is a table, its heads are the way to sort.
          className={clsx(selectLook, 'md:hidden')}
          density="compact"
          options={sortOptionsOf(layout)}
          value={query.sort}
          onChange={({ target }) => onChange({ sort: choiceOf(studentSorts, target.value) })}
        />
      </div>
    </div>
  )
}

/** The choice that a control's text stands for; the texts are those of the same list. */
function choiceOf<T extends string>(choices: readonly T[], text: string): T {
  const choice = choices.find((known) => known === text)
  if (choice === undefined) throw new Error('A control offers what is not in its list.')
  return choice
}

/** The years to choose from; a link may ask for another one, which then stands among them. */
function yearsWith(years: readonly string[], year: string): string[] {
  return year === 'all' || years.includes(year) ? [...years] : [...years, year].sort()
}

/** LTS isn't offered, but the dashboard's card opens its list: then it shows as what is selected. */
function ComponentButtons({
  selected,
  onSelect,
}: {
  selected: ComponentFilter
  onSelect: (component: ComponentFilter) => void
}) {
  const offered: ComponentFilter[] = ['all', 'ROTC', 'CWTS']
  if (selected === 'LTS') offered.push('LTS')
  return (
    <ChoiceButtons
      legend="NSTP Component"
      choices={offered.map((value) => ({ value, label: value === 'all' ? 'All' : value }))}
      selected={selected}
      onSelect={onSelect}
    />
  )
}
