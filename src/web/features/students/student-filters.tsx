import { clsx } from 'clsx'
import { ChevronDown } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { periodLabels, periods } from '#shared/periods.ts'
import { nstpComponents } from '#shared/students/student-choices.ts'
import type { StudentListItem } from '#shared/students/student-response.ts'
import {
  archiveFilters,
  maxSearchLength,
  type StudentSort,
  type StudentSortKey,
  studentSorts,
} from '#shared/students/students.ts'
import { Badge } from '#web/components/badge.tsx'
import { Button } from '#web/components/button.tsx'
import { ComponentButtons } from '#web/components/choice-buttons.tsx'
import { SelectField } from '#web/components/field.tsx'
import { SearchBox } from '#web/components/search-box.tsx'
import { componentTones } from '#web/lib/component-tones.ts'
import { useInstantTexts } from '#web/lib/date-texts.ts'
import {
  archiveListConfig,
  type FilterName,
  type ListConfig,
  listName,
  missing,
  orMissing,
  type StudentsNavigation,
  studentsListConfig,
  useChoices,
} from './data.ts'

const archiveLabels = {
  all: 'All Students',
  active: 'Active Only',
  archived: 'Archived Only',
} satisfies Record<(typeof archiveFilters)[number], string>

const archiveOptions = archiveFilters.map((value) => ({ value, label: archiveLabels[value] }))
const periodOptions = periods.map((value) => ({ value, label: periodLabels[value] }))

function sortOptionsOf({ columns }: ListLayout): SortOption[] {
  return columns.flatMap(
    ({ label, sort }) => dateOptions[sort] ?? waysOf(sort, label, `${label}, descending`),
  )
}

interface SortOption {
  value: StudentSort
  label: string
}

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

const foldedFilters = ['period', 'archive', 'academicYear'] as const

const selectProps = { className: 'min-w-36 flex-1', density: 'compact' } as const

interface StudentFiltersProps {
  layout: ListLayout
  navigation: StudentsNavigation
}

/** Spec §2 "Students tab". On a phone all but search and component are folded. */
export function StudentFilterBar({ layout, navigation }: StudentFiltersProps) {
  const { show: onChange } = navigation
  const { query } = navigation.address
  const { data: academicYears = [] } = useChoices('academicYears')
  const [isOpen, setOpen] = useState(false)
  const active = foldedFilters.filter((name) => query[name] !== layout.defaults[name]).length
  const offers = (name: FilterName) => layout.filters.includes(name)
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
        <ChevronDown className={clsx('size-4', isOpen && 'rotate-180')} />
      </Button>
      <div
        id="more-filters"
        className={clsx(isOpen ? 'flex basis-full flex-wrap gap-3' : 'hidden', 'md:contents')}
      >
        {offers('period') && (
          <SelectField
            name="period"
            {...selectProps}
            label="Time Period"
            options={periodOptions}
            value={query.period}
            onChange={({ target }) => onChange({ period: choiceOf(periods, target.value) })}
          />
        )}
        {offers('archive') && (
          <SelectField
            name="archive"
            {...selectProps}
            label="Archive Status"
            options={archiveOptions}
            value={query.archive}
            onChange={({ target }) => onChange({ archive: choiceOf(archiveFilters, target.value) })}
          />
        )}
        <SelectField
          name="academicYear"
          {...selectProps}
          label="Academic Year"
          options={[{ value: 'all', label: 'All Years' }, ...yearsWith(academicYears, query.academicYear)]}
          value={query.academicYear}
          onChange={({ target }) => onChange({ academicYear: target.value })}
        />
        <SelectField
          name="sort"
          label="Sort By"
          // Where there is a table, its heads are the way to sort.
          className={clsx(selectProps.className, 'md:hidden')}
          density="compact"
          options={sortOptionsOf(layout)}
          value={query.sort}
          onChange={({ target }) => onChange({ sort: choiceOf(studentSorts, target.value) })}
        />
      </div>
    </div>
  )
}

function choiceOf<T extends string>(choices: readonly T[], text: string): T {
  const choice = choices.find((choice) => choice === text)
  if (choice === undefined) throw new Error('A control offers what is not in its list.')
  return choice
}

// A link can name a year that is no longer available; it is listed too.
function yearsWith(years: readonly string[], year: string): string[] {
  return year === 'all' || years.includes(year) ? [...years] : [...years, year].sort()
}

interface StudentColumn {
  label: string
  sort: StudentSortKey
  render: (student: StudentListItem) => ReactNode
  /** How its cells wrap. All columns fit beside the menu on a screen of 1,280 px. */
  className?: string
}

const nameColumn: StudentColumn = {
  label: 'Name',
  sort: 'name',
  render: (student) => <Name text={listName(student)} />,
}

const courseColumn: StudentColumn = {
  label: 'Course',
  sort: 'course',
  render: ({ course }) => orMissing(course),
}

const academicYearColumn: StudentColumn = {
  label: 'Academic Year',
  sort: 'academicYear',
  render: ({ academicYear }) => orMissing(academicYear),
  className: 'whitespace-nowrap',
}

const componentColumn: StudentColumn = {
  label: 'NSTP Component',
  sort: 'nstpComponent',
  render: ({ nstpComponent }) => <ComponentBadge component={nstpComponent} />,
}

/** The columns between the checkbox and the actions, in order (spec §2). */
const studentColumns: readonly [StudentColumn, ...StudentColumn[]] = [
  nameColumn,
  { label: 'Sex', sort: 'sex', render: ({ sex }) => orMissing(sex) },
  courseColumn,
  academicYearColumn,
  {
    label: 'Contact',
    sort: 'contactNumber',
    render: ({ contactNumber }) => orMissing(contactNumber),
    // At spaces and hyphens, and only on narrow screens.
    className: 'max-xl:whitespace-nowrap min-[90rem]:whitespace-nowrap',
  },
  {
    label: 'Email',
    sort: 'email',
    render: ({ email }) => <Email address={email} />,
  },
  componentColumn,
  { label: 'Status', sort: 'status', render: ({ archived }) => <StatusBadge archived={archived} /> },
  {
    label: 'Emergency Contact',
    sort: 'emergencyContact',
    render: ({ emergencyContactName, emergencyContactNumber }) => (
      <>
        <Name text={orMissing(emergencyContactName)} />
        <span className="block whitespace-nowrap text-muted xl:max-[90rem]:text-xs">
          {orMissing(emergencyContactNumber)}
        </span>
      </>
    ),
  },
  {
    label: 'Registration Date',
    sort: 'registrationDate',
    render: ({ registrationDate }) => <Instant instant={registrationDate} form="day" />,
    className: 'min-w-15',
  },
]

/** The columns before the actions, in order (spec §2). */
const archivedColumns: readonly [StudentColumn, ...StudentColumn[]] = [
  nameColumn,
  courseColumn,
  componentColumn,
  academicYearColumn,
  {
    label: 'Archived Date',
    sort: 'archivedDate',
    render: ({ archivedDate }) => <Instant instant={archivedDate} form="day" />,
    className: 'whitespace-nowrap',
  },
]

function Instant({ instant, form }: { instant: string | null; form: 'day' | 'moment' }) {
  const { dayOf, momentOf } = useInstantTexts()
  if (instant === null) return missing
  if (form === 'moment') return momentOf(instant)
  return (
    <time dateTime={instant} title={momentOf(instant)}>
      {dayOf(instant)}
    </time>
  )
}

// At most three lines; the title, the details and paper show the full name.
function Name({ text }: { text: string }) {
  return (
    <span title={text} className="line-clamp-3 wrap-anywhere print:line-clamp-none">
      {text}
    </span>
  )
}

// One line; the title and the details show the full address.
function Email({ address }: { address: string }) {
  if (address === '') return missing
  return (
    <span
      title={address}
      className="block max-w-20 truncate min-[90rem]:max-w-40 2xl:max-w-64 print:min-w-24 print:max-w-none print:wrap-anywhere print:whitespace-normal"
    >
      {address}
    </span>
  )
}

function StatusBadge({ archived }: { archived: boolean }) {
  return archived ? <Badge>Archived</Badge> : <Badge tone="success">Active</Badge>
}

function ComponentBadge({ component }: { component: string }) {
  const listed = nstpComponents.find((name) => name === component)
  if (listed) return <Badge tone={componentTones[listed]}>{listed}</Badge>
  return component === '' ? missing : <Badge>{component}</Badge>
}

export interface ListLayout extends ListConfig {
  title: string
  emptyTitle: string
  columns: readonly [StudentColumn, ...StudentColumn[]]
  isDense: boolean
  hasTicks: boolean
  card: {
    badges: (student: StudentListItem) => ReactNode
    lines: readonly { label: string; render: StudentColumn['render'] }[]
  }
}

/** Spec §2 "Students tab". */
export const studentsLayout: ListLayout = {
  ...studentsListConfig,
  title: 'Students',
  emptyTitle: 'No students registered yet.',
  columns: studentColumns,
  isDense: true,
  hasTicks: true,
  card: {
    badges: ({ nstpComponent, archived }) => (
      <>
        <ComponentBadge component={nstpComponent} />
        <StatusBadge archived={archived} />
      </>
    ),
    lines: [
      { label: 'Sex', render: ({ sex }) => orMissing(sex) },
      { label: 'Course', render: ({ course }) => orMissing(course) },
      { label: 'Academic Year', render: ({ academicYear }) => orMissing(academicYear) },
      { label: 'Contact', render: ({ contactNumber }) => linked('tel', contactNumber) },
      { label: 'Email', render: ({ email }) => linked('mailto', email) },
      {
        label: 'Emergency Contact',
        render: ({ emergencyContactName, emergencyContactNumber }) => (
          <>
            {orMissing(emergencyContactName)}
            <br />
            {orMissing(emergencyContactNumber)}
          </>
        ),
      },
      {
        label: 'Registered',
        render: ({ registrationDate }) => <Instant instant={registrationDate} form="moment" />,
      },
    ],
  },
}

/** Spec §2 "Archived students page". */
export const archiveLayout: ListLayout = {
  ...archiveListConfig,
  title: 'Archived Students',
  emptyTitle: 'No archived students.',
  columns: archivedColumns,
  isDense: false,
  hasTicks: false,
  card: {
    badges: ({ nstpComponent }) => <ComponentBadge component={nstpComponent} />,
    lines: [
      { label: 'Course', render: ({ course }) => orMissing(course) },
      { label: 'Academic Year', render: ({ academicYear }) => orMissing(academicYear) },
      { label: 'Archived', render: ({ archivedDate }) => <Instant instant={archivedDate} form="moment" /> },
    ],
  },
}

function linked(scheme: 'tel' | 'mailto', text: string): ReactNode {
  if (text === '') return orMissing(text)
  return (
    <a href={`${scheme}:${text}`} className="text-primary underline underline-offset-2">
      {text}
    </a>
  )
}
