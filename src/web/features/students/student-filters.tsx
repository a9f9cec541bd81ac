import { clsx } from 'clsx'
import { ChevronDown } from 'lucide-react'
import { type ChangeEvent, type ReactNode, useState } from 'react'
import { instantOfLocal } from '#shared/local-time.ts'
import { isCalendarPeriod, periods } from '#shared/periods.ts'
import { calendarDateOf, dayAfter } from '#shared/program-calendar.ts'
import { yearLevelLabel } from '#shared/students/student-choices.ts'
import {
  maxSearchLength,
  missingFields,
  type StudentFilters,
  type StudentSort,
  type StudentSortKey,
  yearLevelFilters,
} from '#shared/students/students.ts'
import { SmallButton } from '#web/components/button.tsx'
import { ComponentButtons } from '#web/components/choice-buttons.tsx'
import { SelectField, TextField } from '#web/components/field.tsx'
import { SearchBox } from '#web/components/search-box.tsx'
import { useAccount } from '#web/lib/account.ts'
import { useProgramTimeZone } from '#web/lib/date-texts.ts'
import { figureText } from '#web/lib/number-texts.ts'
import { useChoices } from './data.ts'
import { archiveLabels, missingLabels, sexLabels } from './filter-texts.ts'
import type { StudentsNavigation } from './list-address.ts'
import { isTimeSpan, periodText } from './period-texts.ts'
import { useNetworks } from './rejections.tsx'
import type { ListLayout } from './student-columns.tsx'

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
// These filters are folded on a phone. The rare ones are folded on every screen.
const foldedFilters = ['period', 'archive', 'academicYear', ...rareFilters] as const

interface StudentFiltersProps {
  layout: ListLayout
  navigation: StudentsNavigation
  span: TypedSpan
  children: ReactNode
}

/** The title, the search and the filters (product 9.1). */
export function StudentFilterBar({ layout, navigation, span, children }: StudentFiltersProps) {
  const { show: onChange } = navigation
  const { query } = navigation.address
  const { sees } = useAccount()
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
    {
      name: 'missing',
      label: 'Missing Data',
      options: optionsOf(missingLabels).filter(({ value }) => sees(missingFields[value] ?? 'id')),
    },
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
  const unfolded = foldedFilters.filter(
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
            className={clsx('flex-1', leastWidth, !unfolded.includes(name) && 'hidden')}
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
      const text = times.map((each, at) => (at === index ? time : each)).join('/')
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
