import type { Column } from '#server/spreadsheet/column.ts'
import { createSheet, type Sheet } from '#server/spreadsheet/workbook.ts'
import { type DateSpan, periodLabels } from '#shared/periods.ts'
import type { Share, Statistics } from '#shared/statistics.ts'

interface CountedRow extends Share {
  name: string
}

/** A table of names with their count and percentage. */
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

const courseColumns: readonly Column<Statistics['courses'][number]>[] = [
  { header: 'Rank', width: 8, kind: 'number', value: ({ rank }) => rank },
  { header: 'Course', width: 24, kind: 'text', value: ({ course }) => course },
  { header: 'Students', width: 12, kind: 'number', value: ({ count }) => count },
  { header: 'Percent', width: 12, kind: 'number', value: ({ percent }) => percent },
]

type Bucket = Statistics['registrations']['buckets'][number]

const bucketHeaders = { day: 'Day', month: 'Month', year: 'Year' } as const
/** How much of a bucket's first date names it. */
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

/** The statistics page as a workbook: what it covers, then each table of the page on its own sheet. */
export function statisticsSheets(statistics: Statistics): Sheet[] {
  const { gender, courses, yearLevels, registrations } = statistics
  const sexes = [
    { name: 'Male', ...gender.male },
    { name: 'Female', ...gender.female },
    { name: 'Other', ...gender.other },
  ]
  const levels = yearLevels.map(({ yearLevel, ...share }) => ({
    name: yearLevel === null ? 'Others' : `Year ${yearLevel}`,
    ...share,
  }))
  return [
    createSheet('Filters', filterColumns, filterRows(statistics)),
    createSheet('Summary', counted('Figure'), summaryRows(statistics)),
    createSheet('Gender Distribution', counted('Gender'), sexes),
    createSheet('Popular Courses', courseColumns, courses),
    createSheet('Year Level Distribution', counted('Year Level'), levels),
    createSheet('Registrations', bucketColumns(registrations), registrations.buckets),
  ]
}

function filterRows({
  period,
  component,
  periodDates,
  difference,
  gender,
}: Statistics): (readonly [string, string])[] {
  return [
    ['Period', periodLabels[period]],
    ['Dates', datesText(periodDates)],
    ['Component', component === 'all' ? 'All' : component],
    ['Period before', difference ? datesText(difference.previousDates) : 'None'],
    ['Students in the period before', difference ? String(difference.previousTotal) : ''],
    ['Difference', difference ? signed(difference.count) : ''],
    ['Ratio of males to females', gender.ratio],
  ]
}

function summaryRows({ total, rotc, cwts, lts, archived }: Statistics): CountedRow[] {
  return [
    { name: 'Total Students', count: total, percent: total === 0 ? 0 : 100 },
    { name: 'ROTC', ...rotc },
    { name: 'CWTS', ...cwts },
    { name: 'LTS', ...lts },
    { name: 'Archived', ...archived },
  ]
}

function datesText(span: DateSpan | null): string {
  return span ? `${span.first} to ${span.last}` : 'Without limits'
}

function signed(count: number): string {
  return count > 0 ? `+${count}` : String(count)
}
