import { clsx } from 'clsx'
import { ChevronDown } from 'lucide-react'
import { type ChangeEvent, type ReactNode, useState } from 'react'
import { instantOfLocal } from '#shared/local-time.ts'
import { isCalendarPeriod, periods } from '#shared/periods.ts'
import { calendarDateOf, dayAfter } from '#shared/program-calendar.ts'
import { nstpComponents, yearLevelLabel } from '#shared/students/student-choices.ts'
import type { StudentListItem } from '#shared/students/student-response.ts'
import {
  maxSearchLength,
  type StudentFilters,
  type StudentSort,
  type StudentSortKey,
  yearLevelFilters,
} from '#shared/students/students.ts'
import { AddressText } from '#web/components/address-text.tsx'
import { Badge } from '#web/components/badge.tsx'
import { SmallButton, SmallLink } from '#web/components/button.tsx'
import { ComponentButtons } from '#web/components/choice-buttons.tsx'
import { SelectField, TextField } from '#web/components/field.tsx'
import { SearchBox } from '#web/components/search-box.tsx'
import { tabPath } from '#web/lib/admin-tab.ts'
import { componentTones } from '#web/lib/component-tones.ts'
import { useInstantTexts, useProgramTimeZone } from '#web/lib/date-texts.ts'
import { figureText } from '#web/lib/number-texts.ts'
import {
  archiveListConfig,
  isTimeSpan,
  type ListConfig,
  listName,
  missing,
  orMissing,
  periodText,
  type StudentsNavigation,
  studentsListConfig,
  useChoices,
} from './data.ts'
import { archiveLabels, missingLabels, sexLabels } from './filter-texts.ts'
import { useNetworks } from './rejections.tsx'

function optionsOf(labels: Record<string, string>) {
  return Object.entries(labels).map(([value, label]) => ({ value, label }))
}

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

const yearLevelOptions = yearLevelFilters.map((value) => ({
  value,
  label: value === 'all' ? 'All Year Levels' : yearLevelLabel(Number(value)),
}))

const rareFilters = ['course', 'sex', 'yearLevel', 'missing', 'network'] as const
// On a phone these are folded; the rare ones on every screen.
const foldedFilters = ['period', 'archive', 'academicYear', ...rareFilters] as const

interface StudentFiltersProps {
  layout: ListLayout
  navigation: StudentsNavigation
  span: TypedSpan
  children: ReactNode
}

/** Spec §2 "Students tab": the title, the search and the filters. */
export function StudentFilterBar({ layout, navigation, span, children }: StudentFiltersProps) {
  const { show: onChange } = navigation
  const { query } = navigation.address
  const { data: academicYears = [] } = useChoices('academicYears')
  const { data: courses = [] } = useChoices('courses')
  const [isOpen, setOpen] = useState(false)
  const active = foldedFilters.filter((name) => query[name] !== layout.defaults[name])
  const hasRare = rareFilters.some((name) => layout.filters.includes(name))
  const isRareShown = isOpen || rareFilters.some((name) => active.includes(name))
  // A bar of the statistics leads to a month, which the selector doesn't offer otherwise.
  const isSpan = isTimeSpan(query.period)
  const leastWidth = isSpan || isRareShown ? 'min-w-[min(11.25rem,100%)]' : 'min-w-[min(8.25rem,100%)]'
  const periodChoices = [...new Set([...periods, ...(isSpan ? [] : [query.period])])]
  const networks: Record<string, number> =
    useNetworks(isRareShown && layout.filters.includes('network')).data ?? {}
  const timeZone = useProgramTimeZone()
  const choose =
    (name: keyof StudentFilters) =>
    ({ target }: ChangeEvent<HTMLSelectElement>) => {
      const value = target.value === exactTimes ? spanOfToday(timeZone) : target.value
      onChange({ [name]: value })
    }
  const selects = [
    {
      name: 'period',
      label: 'Time Period',
      options: [
        ...periodChoices.map((value) => ({ value, label: periodText(value) })),
        { value: exactTimes, label: 'Custom range…' },
      ],
    },
    { name: 'archive', label: 'Archive Status', options: optionsOf(archiveLabels) },
    {
      name: 'academicYear',
      label: 'Academic Year',
      options: [{ value: 'all', label: 'All Years' }, ...choicesWith(academicYears, query.academicYear)],
    },
    {
      name: 'course',
      label: 'Course',
      options: [{ value: 'all', label: 'All Courses' }, ...choicesWith(courses, query.course)],
    },
    { name: 'sex', label: 'Sex', options: optionsOf(sexLabels) },
    { name: 'yearLevel', label: 'Year Level', options: yearLevelOptions },
    { name: 'missing', label: 'Missing Data', options: optionsOf(missingLabels) },
    {
      name: 'network',
      label: 'Network',
      options: [
        { value: 'all', label: 'All Networks' },
        ...choicesWith(Object.keys(networks), query.network).map((value) => ({
          value,
          label: networks[value] ? `${value} (${figureText(networks[value])})` : value,
        })),
      ],
    },
  ] as const
  const shown = foldedFilters.filter(
    (name) => layout.filters.includes(name) && (isRareShown || !rareFilters.some((rare) => rare === name)),
  )
  return (
    <div className="flex flex-wrap items-end gap-x-2 gap-y-2 md:max-2xl:[&_fieldset_button]:min-w-0 md:max-2xl:[&_fieldset_button]:px-2 max-md:[&_select]:min-h-11 md:[&_label]:sr-only md:[&_legend]:sr-only print:hidden">
      {children}
      <SearchBox
        id="student-search"
        placeholder="Search by name or course"
        mostLetters={maxSearchLength}
        className="min-w-[min(13.5rem,100%)] flex-[1_1_9rem] max-md:basis-full md:max-2xl:[&_input]:placeholder:text-xs"
        value={query.search}
        onSearch={(search) => onChange({ search }, { replace: true })}
      />
      <ComponentButtons selected={query.component} onSelect={(component) => onChange({ component })} />
      <div
        id="more-filters"
        className={clsx(isOpen ? 'order-1 flex basis-full flex-wrap gap-2' : 'hidden', 'md:contents')}
      >
        {selects.map(({ name, ...select }) => (
          <SelectField
            key={name}
            {...select}
            name={name}
            density="compact"
            className={clsx('flex-1', leastWidth, !shown.includes(name) && 'hidden')}
            value={name === 'period' && isSpan ? exactTimes : query[name]}
            onChange={choose(name)}
          />
        ))}
        {isSpan && <TimeSpanFields {...span} />}
        <SelectField
          name="sort"
          label="Sort By"
          // Where there is a table, its heads are the way to sort.
          className="min-w-28 flex-1 lg:hidden"
          density="compact"
          options={sortOptionsOf(layout)}
          value={query.sort}
          onChange={choose('sort')}
        />
      </div>
      <SmallButton
        className={clsx('ml-auto px-2.5!', !hasRare && 'md:hidden')}
        aria-expanded={isOpen}
        aria-controls="more-filters"
        onClick={() => setOpen(!isOpen)}
      >
        <span className="md:hidden">{active.length === 0 ? 'Filters' : `Filters (${active.length})`}</span>
        <span className="max-md:hidden">
          {isOpen ? 'Fewer' : 'More'}
          <span className="sr-only"> filters</span>
        </span>
        <ChevronDown className={clsx('size-4', isOpen && 'rotate-180')} />
      </SmallButton>
    </div>
  )
}

const exactTimes = 'exact'

function spanOfToday(timeZone: string): string {
  const today = calendarDateOf(new Date(), timeZone)
  return `${today}T00:00/${dayAfter(today)}T00:00`
}

type TypedSpan = ReturnType<typeof useTypedSpan>

/** The exact times as they are typed; the address has the last whole ones. */
export function useTypedSpan(navigation: StudentsNavigation) {
  const { period } = navigation.address.query
  const [typed, setTyped] = useState<{ period: string; text: string }>({ period, text: period })
  // The address changed otherwise: by Back, or by another filter.
  if (typed.period !== period) setTyped({ period, text: period })
  const times = typed.text.split('/')
  return {
    times,
    isWhole: !isTimeSpan(period) || isCalendarPeriod(typed.text),
    type(index: number, time: string) {
      const text = times.with(index, time).join('/')
      const isWhole = isCalendarPeriod(text)
      setTyped({ period: isWhole ? text : period, text })
      if (isWhole) navigation.show({ period: text }, { replace: true })
    },
  }
}

function TimeSpanFields({ times, isWhole, type }: TypedSpan) {
  const isGiven = (time = '') => instantOfLocal(time, 'UTC') !== undefined
  const problemOf = (index: number) => {
    if (!isGiven(times[index])) return 'Please choose a date and a time.'
    return index === 1 && isGiven(times[0]) && !isWhole ? 'Please choose a later time.' : undefined
  }
  return (
    <div className="flex gap-2 max-md:basis-full max-md:flex-col [&_label]:not-sr-only!">
      {['From', 'Until'].map((label, index) => (
        <TextField
          key={label}
          type="datetime-local"
          name={`registered-${label.toLowerCase()}`}
          label={label}
          density="compact"
          className="md:w-56"
          value={times[index] ?? ''}
          error={problemOf(index)}
          onChange={({ target }) => type(index, target.value)}
        />
      ))}
    </div>
  )
}

// A link can name a choice that is no longer available; it is listed too.
function choicesWith(choices: readonly string[], chosen: string): string[] {
  return chosen === 'all' || choices.includes(chosen) ? [...choices] : [...choices, chosen].sort()
}

interface StudentColumn {
  label: string
  sort: StudentSortKey
  render: (student: StudentListItem) => ReactNode
  /** Its width from 1,280 px on: all columns fit beside the menu, and the name takes the rest. */
  className?: string
}

const nameColumn: StudentColumn = {
  label: 'Name',
  sort: 'name',
  render: (student) => <Clamped text={listName(student)} />,
  className: 'xl:w-[144px] min-[85rem]:w-[168px] 2xl:w-auto',
}

const courseColumn: StudentColumn = {
  label: 'Course',
  sort: 'course',
  render: ({ course }) => <Clamped text={course} />,
  className: 'max-xl:min-w-20 xl:w-[64px] 2xl:w-32',
}

const academicYearColumn: StudentColumn = {
  label: 'Academic Year',
  sort: 'academicYear',
  render: ({ academicYear }) => orMissing(academicYear),
  className: 'whitespace-nowrap xl:w-[78px]',
}

const componentColumn: StudentColumn = {
  label: 'NSTP Component',
  sort: 'nstpComponent',
  render: ({ nstpComponent }) => <ComponentBadge component={nstpComponent} />,
  className: 'xl:w-[86px]',
}

/** The columns between the checkbox and the actions, in order (spec §2). */
const studentColumns: readonly [StudentColumn, ...StudentColumn[]] = [
  nameColumn,
  {
    label: 'Sex',
    sort: 'sex',
    render: ({ sex }) => <Clamped text={sex} />,
    className: 'max-xl:min-w-16 xl:w-[60px]',
  },
  courseColumn,
  academicYearColumn,
  {
    label: 'Contact',
    sort: 'contactNumber',
    render: ({ contactNumber }) => <Clamped text={contactNumber} />,
    className: 'max-xl:whitespace-nowrap xl:w-[138px] 2xl:w-36',
  },
  {
    label: 'Email',
    sort: 'email',
    render: ({ email }) => (
      <span
        title={email}
        className="block leading-4 max-xl:whitespace-nowrap xl:wrap-anywhere print:wrap-anywhere print:whitespace-normal"
      >
        <AddressText text={orMissing(email)} />
      </span>
    ),
  },
  componentColumn,
  {
    label: 'Status',
    sort: 'status',
    render: ({ archived }) => <StatusBadge archived={archived} />,
    className: 'xl:w-[72px]',
  },
  {
    label: 'Emergency Contact',
    sort: 'emergencyContact',
    render: ({ emergencyContactName, emergencyContactNumber }) => (
      <>
        <Cut text={emergencyContactName} />
        <span className="block truncate text-xs leading-3.5 text-muted">
          {orMissing(emergencyContactNumber)}
        </span>
      </>
    ),
    className: 'xl:w-[116px] 2xl:w-44',
  },
  {
    label: 'Registration Date',
    sort: 'registrationDate',
    render: ({ registrationDate }) => <Instant instant={registrationDate} form="day" />,
    className: 'leading-4 max-xl:whitespace-nowrap xl:w-[90px]',
  },
]

/** The columns before the actions, in order (spec §2). */
const archivedColumns: readonly [StudentColumn, ...StudentColumn[]] = [
  { ...nameColumn, className: '' },
  { ...courseColumn, className: 'xl:w-[96px] 2xl:w-40' },
  { ...componentColumn, className: 'xl:w-[96px] 2xl:w-40' },
  { ...academicYearColumn, className: 'whitespace-nowrap xl:w-[96px] 2xl:w-40' },
  {
    label: 'Archived Date',
    sort: 'archivedDate',
    render: ({ archivedDate }) => <Instant instant={archivedDate} form="day" />,
    className: 'whitespace-nowrap xl:w-[112px] 2xl:w-40',
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

// Two lines fit a row of any height. The title, the details and paper show the full text.
function Clamped({ text }: { text: string }) {
  return (
    <span
      title={text}
      className="line-clamp-2 max-w-64 leading-4 xl:max-w-none wrap-anywhere print:line-clamp-none"
    >
      {orMissing(text)}
    </span>
  )
}

function Cut({ text }: { text: string }) {
  return (
    <span
      title={text}
      className="block max-w-64 truncate leading-4 print:wrap-anywhere print:whitespace-normal"
    >
      {orMissing(text)}
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
  emptyAction?: ReactNode
  columns: readonly [StudentColumn, ...StudentColumn[]]
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
  emptyAction: (
    <div className="flex flex-wrap justify-center gap-2">
      <SmallLink to="/poster">Share link and QR poster</SmallLink>
      <SmallLink to={tabPath('import')}>Import students</SmallLink>
    </div>
  ),
  columns: studentColumns,
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
