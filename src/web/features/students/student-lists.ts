import { createParser, parseAsString, parseAsStringLiteral } from 'nuqs/server'
import { isCalendarPeriod, periods } from '#shared/periods.ts'
import {
  defaultStudentFilters,
  isAcademicYear,
  maxPage,
  maxSearchLength,
  type StudentFilters,
  studentFilterChoices,
} from '#shared/students/students.ts'
import { createAddress, parseAsPage, parseAsSearch, parseAsText } from '#web/lib/address.ts'
import { tabPath } from '#web/lib/admin-tab.ts'

type FilterName = Exclude<keyof StudentFilters, 'sort'>

export interface ListConfig {
  path: string
  defaults: StudentFilters
  filters: readonly FilterName[]
  receivesRegistrations: boolean
  address: ReturnType<typeof defineList>['address']
}

export const studentsListConfig: ListConfig = defineList({
  path: tabPath('students'),
  defaults: defaultStudentFilters,
  filters: [
    'search',
    'component',
    'archive',
    'academicYear',
    'period',
    'duplicates',
    'course',
    'sex',
    'yearLevel',
    'missing',
    'network',
  ],
  receivesRegistrations: true,
})

/** The last archived comes first (product 11.1). */
export const archiveListConfig: ListConfig = defineList({
  path: '/admin/archived',
  defaults: { ...defaultStudentFilters, archive: 'archived', sort: '-archivedDate' },
  filters: ['search', 'component', 'academicYear'],
  receivesRegistrations: false,
})

/** An old link still opens the list; what the list has no control for is its default. */
function defineList(list: Pick<ListConfig, 'path' | 'defaults' | 'filters' | 'receivesRegistrations'>) {
  const { path, defaults, filters } = list
  const parseAsChoice = <Name extends keyof typeof studentFilterChoices>(name: Name) =>
    parseAsStringLiteral<StudentFilters[Name]>(
      name === 'sort' || filters.includes(name) ? studentFilterChoices[name] : [],
    ).withDefault(defaults[name])
  const address = createAddress(path, {
    search: parseAsSearch(maxSearchLength),
    component: parseAsChoice('component'),
    archive: parseAsChoice('archive'),
    academicYear: parseAsText((year) => (isAcademicYear(year) ? year : null)).withDefault(
      defaults.academicYear,
    ),
    period: createParser<StudentFilters['period']>({
      parse: (text) =>
        filters.includes('period')
          ? (periods.find((period) => period === text) ?? (isCalendarPeriod(text) ? text : null))
          : null,
      serialize: String,
    }).withDefault(defaults.period),
    course: parseAsText((text) => (filters.includes('course') ? text : null)).withDefault(defaults.course),
    sex: parseAsChoice('sex'),
    duplicates: parseAsChoice('duplicates'),
    yearLevel: parseAsChoice('yearLevel'),
    missing: parseAsChoice('missing'),
    network: parseAsText((text) => (filters.includes('network') ? text : null)).withDefault(defaults.network),
    sort: parseAsChoice('sort'),
    page: parseAsPage(maxPage),
    student: parseAsString,
    edit: parseAsString,
    form: parseAsString,
    duplicate: parseAsString,
    /** Another record to compare, only with `duplicate`. */
    with: parseAsString,
    // Asks whether to print the sheets of the list.
    print: parseAsStringLiteral(['sheets']),
  })
  return { ...list, address }
}
