import type { QuotaUse } from '#server/features/registration/service.ts'
import type { Access } from '#server/lib/access.ts'
import type { Staff } from '#server/lib/actor.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { type Column, createSheet, type Sheet, writeSheets } from '#server/spreadsheet/workbook.ts'
import {
  type DateSpan,
  datesOf,
  lastDays,
  type Period,
  type PeriodCalendar,
  periodLabels,
  periodRange,
} from '#shared/periods.ts'
import { type CalendarDate, calendarDateOf, dayAfter } from '#shared/program-calendar.ts'
import { currentAcademicYear, type Settings } from '#shared/settings/settings.ts'
import {
  countedYearLevels,
  genderRatio,
  percentOf,
  recentDays,
  type StatisticsFilters,
  unknownCourse,
} from '#shared/statistics/statistics.ts'
import type {
  CourseRank,
  Registrations,
  Share,
  Statistics,
  YearLevelShare,
} from '#shared/statistics/statistics-response.ts'
import {
  type BucketCount,
  createDashboardRepository,
  createStatisticsRepository,
  type ValueCount,
} from './repository.ts'

interface StatisticsServiceOptions extends Pick<AppContext, 'database' | 'audit' | 'clock' | 'timeZone'> {
  settings: () => Pick<Settings, 'semesters'>
}

/** Product 21. */
export function createStatisticsService(options: StatisticsServiceOptions) {
  const { database, audit, clock, timeZone, settings } = options
  const repository = createStatisticsRepository(database)

  async function read({ period, component }: StatisticsFilters, access: Access): Promise<Statistics> {
    const calendar: PeriodCalendar = { now: clock(), timeZone, semesters: settings().semesters }
    const registered = periodRange(period, calendar)
    const before = periodRange(period, calendar, 1)
    const unit = period === 'last-7-days' ? 'day' : 'month'
    const selection = { access, component, registered, before, unit, timeZone } as const
    const { buckets, values, previousTotal } = await repository.read(selection)
    const periodDates = registered && datesOf(registered, calendar)
    const counted = composeStatistics(buckets, values)
    return {
      period,
      component,
      periodDates,
      ...counted,
      difference:
        before && previousTotal !== null
          ? { count: counted.total - previousTotal, previousTotal, previousDates: datesOf(before, calendar) }
          : null,
      registrations: registrationsOverTime(buckets, {
        span: periodDates,
        unit,
        today: calendarDateOf(calendar.now, timeZone),
      }),
    }
  }

  return {
    read,

    async export(
      { compare, ...filters }: StatisticsFilters & { compare?: Period | undefined },
      actor: Staff,
    ) {
      const { access } = actor
      const statistics = await read(filters, access)
      const other = compare ? await read({ ...filters, period: compare }, access) : null
      await audit.record(database.db, entry('statistics-exported', filters, actor))
      const now = clock()
      const workbook = writeSheets({
        title: 'NSTP statistics',
        created: now,
        timeZone,
        sheets: statisticsSheets(statistics, other),
      })
      return { fileName: `NSTP statistics ${calendarDateOf(now, timeZone)}.xlsx`, workbook }
    },

    async notePrint(filters: StatisticsFilters, actor: Staff): Promise<void> {
      await audit.record(database.db, entry('statistics-printed', filters, actor))
    },
  }
}

function entry(
  action: 'statistics-exported' | 'statistics-printed',
  filters: StatisticsFilters,
  actor: Staff,
) {
  return { action, actor, affected: 0, detail: { ...filters } }
}

const maxMonths = 36

type Unit = Registrations['unit']

function bucketOf(date: CalendarDate, unit: Unit): CalendarDate {
  if (unit === 'day') return date
  return unit === 'month' ? `${date.slice(0, 7)}-01` : `${date.slice(0, 4)}-01-01`
}

function nextBucket(date: CalendarDate, unit: Unit): CalendarDate {
  if (unit === 'day') return dayAfter(date)
  const year = Number(date.slice(0, 4))
  const month = Number(date.slice(5, 7))
  if (unit === 'year' || month === 12) return `${String(year + 1).padStart(4, '0')}-01-01`
  return `${date.slice(0, 5)}${String(month + 1).padStart(2, '0')}-01`
}

function bucketStarts({ first, last }: DateSpan, unit: Unit): CalendarDate[] {
  const starts: CalendarDate[] = []
  for (let start = bucketOf(first, unit); start <= last; start = nextBucket(start, unit)) starts.push(start)
  return starts
}

function isLong({ first, last }: DateSpan): boolean {
  const months = (date: CalendarDate) => 12 * Number(date.slice(0, 4)) + Number(date.slice(5, 7))
  return months(last) - months(first) >= maxMonths
}

/**
 * Every bucket of the span, also empty ones.
 * @param counts in any order, with repeats
 * @param span null for all time: from the first registration to today
 */
function registrationsOverTime(
  counts: readonly { bucket: CalendarDate; count: number }[],
  { span, unit, today }: { span: DateSpan | null; unit: 'day' | 'month'; today: CalendarDate },
): Registrations {
  const days = counts.map(({ bucket }) => bucket)
  const [first = today] = days.sort()
  if (!span && days.length === 0) return { unit, buckets: [] }
  const range = span ?? { first, last: [...days, today].sort().at(-1) ?? today }
  const step = !span && isLong(range) ? 'year' : unit
  const sums = new Map(bucketStarts(range, step).map((start) => [start, 0]))
  for (const { bucket, count } of counts) {
    const start = bucketOf(bucket, step)
    sums.set(start, (sums.get(start) ?? 0) + count)
  }
  const buckets = [...sums].map(([start, count]) => ({ start, count }))
  // A record dated ahead of the span's end, by a wrong clock, comes last in the map as well as in time.
  return { unit: step, buckets: buckets.sort((one, other) => (one.start < other.start ? -1 : 1)) }
}

const sum = (counts: readonly { count: number }[]) => counts.reduce((total, { count }) => total + count, 0)

function composeStatistics(buckets: readonly BucketCount[], values: readonly ValueCount[]) {
  const total = sum(buckets)
  const share = (count: number): Share => ({ count, percent: percentOf(count, total) })
  const ofComponent = (name: string) => share(sum(buckets.filter(({ component }) => component === name)))
  const byValue = (facet: ValueCount['facet']) =>
    new Map(values.filter((entry) => entry.facet === facet).map(({ value, count }) => [value, count]))

  const sexes = byValue('sex')
  const male = sexes.get('male') ?? 0
  const female = sexes.get('female') ?? 0
  return {
    total,
    rotc: ofComponent('ROTC'),
    cwts: ofComponent('CWTS'),
    lts: ofComponent('LTS'),
    archived: share(sum(buckets.filter(({ archived }) => archived))),
    gender: {
      male: share(male),
      female: share(female),
      other: share(total - male - female),
      ratio: genderRatio(male, female),
    },
    courses: rankCourses(byValue('course'), share),
    yearLevels: levelShares(byValue('yearLevel'), total, share),
  }
}

function rankCourses(counts: ReadonlyMap<string, number>, share: (count: number) => Share): CourseRank[] {
  const named = new Map<string, number>()
  for (const [course, count] of counts) {
    const name = course === '' ? unknownCourse : course
    named.set(name, (named.get(name) ?? 0) + count)
  }
  const top = [...named]
    .filter(([, count]) => count > 0)
    // Equal counts are ordered by name, so that the order is stable between requests.
    .sort(([one, ones], [other, others]) => others - ones || (one < other ? -1 : 1))
  const most = top[0]?.[1] ?? 0
  return top.map(([course, count], index) => ({
    rank: index + 1,
    course,
    ...share(count),
    bar: percentOf(count, most),
  }))
}

function levelShares(
  counts: ReadonlyMap<string, number>,
  total: number,
  share: (count: number) => Share,
): YearLevelShare[] {
  const levels = countedYearLevels.map((yearLevel) => ({
    yearLevel,
    ...share(counts.get(String(yearLevel)) ?? 0),
  }))
  return [...levels, { yearLevel: null, ...share(total - sum(levels)) }]
}

interface CountedRow extends Share {
  name: string
}

function counted(header: string): readonly Column<CountedRow>[] {
  return [
    { header, width: 24, kind: 'text', value: ({ name }) => name },
    { header: 'Students', width: 12, kind: 'number', value: ({ count }) => count },
    { header: 'Percent', width: 12, kind: 'number', value: ({ percent }) => percent },
  ]
}

const filterColumns: readonly Column<readonly [string, string]>[] = [
  { header: 'Filter', width: 30, kind: 'text', value: ([name]) => name },
  { header: 'Value', width: 30, kind: 'text', value: ([, value]) => value },
]

type Bucket = Statistics['registrations']['buckets'][number]

const bucketHeaders = { day: 'Day', month: 'Month', year: 'Year' } as const
const bucketLengths = { day: 10, month: 7, year: 4 } as const

function bucketColumns({ unit }: Statistics['registrations']): readonly Column<Bucket>[] {
  return [
    {
      header: bucketHeaders[unit],
      width: 14,
      kind: 'text',
      value: ({ start }) => start.slice(0, bucketLengths[unit]),
    },
    { header: 'Registrations', width: 14, kind: 'number', value: ({ count }) => count },
  ]
}

function statisticsSheets(statistics: Statistics, other: Statistics | null): Sheet[] {
  const { summary, sexes, courses, levels } = countedRows(statistics)
  const compared = other && { label: periodLabels[other.period], ...countedRows(other) }
  const names = new Set(courses.map(({ name }) => name))
  const onlyCompared = (compared?.courses ?? []).filter(({ name }) => !names.has(name))
  const allCourses = [
    ...courses,
    ...onlyCompared.map((row) => ({ ...row, rank: null, count: 0, percent: 0 })),
  ]
  const columns = (header: string, rows: 'summary' | 'sexes' | 'courses' | 'levels') =>
    compared ? [...counted(header), comparedColumn(compared.label, compared[rows])] : counted(header)
  const { registrations } = statistics
  const sheets = [
    createSheet('Filters', filterColumns, filterRows(statistics, other)),
    createSheet('Summary', columns('Figure', 'summary'), summary),
    createSheet('Gender Distribution', columns('Gender', 'sexes'), sexes),
    createSheet('Popular Courses', [rankColumn, ...columns('Course', 'courses')], allCourses),
    createSheet('Year Level Distribution', columns('Year Level', 'levels'), levels),
    createSheet('Registrations', bucketColumns(registrations), registrations.buckets),
  ]
  if (!other) return sheets
  const { buckets } = other.registrations
  return [...sheets, createSheet('Registrations compared', bucketColumns(other.registrations), buckets)]
}

function countedRows({ gender, courses, yearLevels, ...statistics }: Statistics) {
  return {
    summary: summaryRows(statistics),
    sexes: [
      { name: 'Male', ...gender.male },
      { name: 'Female', ...gender.female },
      { name: 'Other', ...gender.other },
    ],
    courses: courses.map((rank) => ({ ...rank, name: rank.course })),
    levels: yearLevels.map(({ yearLevel, ...share }) => ({
      name: yearLevel === null ? 'Others' : `Year ${yearLevel}`,
      ...share,
    })),
  }
}

const rankColumn: Column<{ rank: number | null }> = {
  header: 'Rank',
  width: 8,
  kind: 'number',
  value: ({ rank }) => rank,
}

function comparedColumn(header: string, rows: readonly CountedRow[]): Column<CountedRow> {
  const counts = new Map(rows.map(({ name, count }) => [name, count]))
  return { header, width: 18, kind: 'number', value: ({ name }) => counts.get(name) ?? 0 }
}

function filterRows(
  { period, component, periodDates, difference, gender }: Statistics,
  other: Statistics | null,
): (readonly [string, string])[] {
  return [
    ['Period', periodLabels[period]],
    ['Dates', datesText(periodDates)],
    ['Component', component === 'all' ? 'All' : component],
    ...(other
      ? ([['Compared with', `${periodLabels[other.period]}, ${datesText(other.periodDates)}`]] as const)
      : []),
    ['Previous period', difference ? datesText(difference.previousDates) : 'None'],
    ['Students in the previous period', difference ? String(difference.previousTotal) : ''],
    ['Difference', difference ? signed(difference.count) : ''],
    ['Male : female', gender.ratio],
  ]
}

function summaryRows({
  total,
  rotc,
  cwts,
  lts,
  archived,
}: Pick<Statistics, 'total' | 'rotc' | 'cwts' | 'lts' | 'archived'>): CountedRow[] {
  return [
    { name: 'Total Students', count: total, percent: total === 0 ? 0 : 100 },
    { name: 'ROTC', ...rotc },
    { name: 'CWTS', ...cwts },
    { name: 'LTS', ...lts },
    { name: 'Archived', ...archived },
  ]
}

function datesText(span: DateSpan | null): string {
  return span ? `${span.first} to ${span.last}` : 'All dates'
}

function signed(count: number): string {
  return count > 0 ? `+${count}` : String(count)
}

export interface DashboardOptions extends Pick<AppContext, 'database' | 'timeZone' | 'clock'> {
  countAnnouncements: () => Promise<number>
  quotaUse: () => QuotaUse
  settings: () => Settings
}

/** Product 8.5. The cards count active students, as the list that they open; archived ones are a separate figure. */
export function createDashboardService(options: DashboardOptions) {
  const { database, timeZone, countAnnouncements, clock, quotaUse, settings } = options
  const repository = createDashboardRepository(database, timeZone)
  return {
    async counts(access: Access) {
      const now = clock()
      const week = lastDays(7, now)
      const year = currentAcademicYear(settings(), calendarDateOf(now, timeZone))
      const [students, enlistments, activeAnnouncements] = await Promise.all([
        repository.count({ recent: lastDays(recentDays, now), week }, access),
        repository.enlistments(week, access),
        countAnnouncements(),
      ])
      const quotas = quotaUse().filter(
        ({ academicYear, component }) => academicYear === year && access.includes(component),
      )
      return { ...students, enlistments, activeAnnouncements, quotas }
    },
  }
}
