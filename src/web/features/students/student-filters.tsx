import { clsx } from 'clsx'
import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { periodLabels, periods } from '#shared/periods.ts'
import {
  archiveFilters,
  type ComponentFilter,
  defaultStudentFilters,
  maxSearchLength,
  type StudentListQuery,
  type StudentSort,
  studentSorts,
} from '#shared/students.ts'
import { Button } from '#web/components/button.tsx'
import { ChoiceButtons } from '#web/components/choice-buttons.tsx'
import { SearchBox } from '#web/components/search-box.tsx'
import { SelectField } from '#web/components/select-field.tsx'
import { useSettings } from '#web/lib/settings.tsx'
import { studentColumns } from './student-columns.tsx'

const archiveLabels = {
  all: 'All Students',
  active: 'Active Only',
  archived: 'Archived Only',
} satisfies Record<(typeof archiveFilters)[number], string>

const archiveOptions = archiveFilters.map((value) => ({ value, label: archiveLabels[value] }))
const periodOptions = periods.map((value) => ({ value, label: periodLabels[value] }))

/** Two ways for each column, as people say them. */
const sortOptions = studentColumns.flatMap(({ label, sort }): { value: StudentSort; label: string }[] =>
  sort === 'registrationDate'
    ? [
        { value: '-registrationDate', label: 'Newest first' },
        { value: 'registrationDate', label: 'Oldest first' },
      ]
    : [
        { value: sort, label },
        { value: `-${sort}`, label: `${label}, descending` },
      ],
)

/** Those behind the phone's button, which tells how many of them are in use. */
const foldedFilters = ['period', 'archive', 'academicYear'] as const

/** Two beside each other on a phone. */
const selectLook = 'min-w-36 flex-1'

interface StudentFiltersProps {
  query: StudentListQuery
  onChange: (changes: Partial<StudentListQuery>, options?: { replace?: boolean }) => void
}

/**
 * What narrows the list down (spec §2 "Students tab"). On a phone all but search and component are folded, so
 * that the first students are in sight.
 */
export function StudentFilters({ query, onChange }: StudentFiltersProps) {
  const { academicYears } = useSettings()
  const [isOpen, setOpen] = useState(false)
  const active = foldedFilters.filter((name) => query[name] !== defaultStudentFilters[name]).length
  return (
    <div className="flex flex-wrap gap-3 max-md:[&_select]:min-h-11 print:hidden">
      <SearchBox
        id="student-search"
        placeholder="Search by name or course"
        maxLength={maxSearchLength}
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
        <SelectField
          name="period"
          className={selectLook}
          label="Time Period"
          density="compact"
          options={periodOptions}
          value={query.period}
          onChange={({ target }) => onChange({ period: choiceOf(periods, target.value) })}
        />
        <SelectField
          name="archive"
          className={selectLook}
          label="Archive Status"
          density="compact"
          options={archiveOptions}
          value={query.archive}
          onChange={({ target }) => onChange({ archive: choiceOf(archiveFilters, target.value) })}
        />
        <SelectField
          name="academicYear"
          className={selectLook}
          label="Academic Year"
          density="compact"
          options={[{ value: 'all', label: 'All Years' }, ...yearsWith(query.academicYear, academicYears)]}
          value={query.academicYear}
          onChange={({ target }) => onChange({ academicYear: target.value })}
        />
        <SelectField
          name="sort"
          label="Sort By"
          // Where there is a table, its heads are the way to sort.
          className={clsx(selectLook, 'md:hidden')}
          density="compact"
          options={sortOptions}
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
function yearsWith(year: string, onOffer: readonly string[]): string[] {
  const years = [...onOffer]
  return year === 'all' || years.includes(year) ? years : [...years, year].sort()
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
