import { z } from '@hono/zod-openapi'
import { namedObject } from '#shared/named-object.ts'
import { periods } from '#shared/periods.ts'
import { componentFilters } from '#shared/students/students.ts'
import { namedEnlistments } from './statistics.ts'

const count = z.int()
const percent = z.number().describe('Of the total, with one decimal; 0 when the total is 0.')
const share = z.object({ count, percent })
const span = z.object({ first: z.iso.date(), last: z.iso.date() })

export const statisticsSchema = namedObject('Statistics', {
  period: z.enum(periods),
  component: z.enum(componentFilters),
  periodDates: span.nullable().describe('What the period covers; null for all-time.'),
  total: count.describe('All records of the period, archived ones too.'),
  rotc: share,
  cwts: share,
  lts: share,
  archived: share,
  difference: z
    .object({
      count: count.describe('May be negative.'),
      previousTotal: count,
      previousDates: span,
    })
    .nullable()
    .describe('Compared with the previous period; null for all-time.'),
  gender: z.object({
    male: share,
    female: share,
    other: share,
    ratio: z.string().openapi({ description: 'Males to females.', example: '1.25:1' }),
  }),
  courses: z
    .array(
      z.object({
        rank: count,
        course: z.string(),
        count,
        percent,
        bar: z.number().describe('In percent of the top course.'),
      }),
    )
    .describe('The most popular first.'),
  yearLevels: z.array(
    z.object({
      yearLevel: count.nullable().describe('1 to 5; null for the others.'),
      count,
      percent,
    }),
  ),
  registrations: z
    .object({
      unit: z.enum(['day', 'month', 'year']),
      buckets: z.array(z.object({ start: z.iso.date(), count })),
    })
    .describe('Over time, without gaps.'),
})

export const dashboardSchema = namedObject('DashboardCounts', {
  totalStudents: count.describe('Active students.'),
  rotcStudents: count.describe('Active students of ROTC.'),
  cwtsStudents: count.describe('Active students of CWTS.'),
  ltsStudents: count.describe('Active students of LTS.'),
  recentRegistrations: count.describe('Active students registered in the last 30 days.'),
  lastSevenDays: count.describe('Active students registered in the last 7 days.'),
  archivedStudents: count.describe('Archived students.'),
  activeAnnouncements: count.describe('Announcements that are public now.'),
  quotas: z
    .array(z.object({ component: z.string(), academicYear: z.string(), count, quota: count }))
    .describe('Records of the current academic year, archived ones too, of components with a quota.'),
  enlistments: z
    .object({
      count: z.int(),
      latest: z
        .array(z.object({ id: z.uuid(), name: z.string(), at: z.iso.datetime() }))
        .describe(`The newest first, at most ${namedEnlistments}.`),
    })
    .describe('Active students registered in the last 7 days, by the form or an import.'),
})

export type Share = z.infer<typeof share>
export type Statistics = z.infer<typeof statisticsSchema>
export type CourseRank = Statistics['courses'][number]
export type YearLevelShare = Statistics['yearLevels'][number]
export type Registrations = Statistics['registrations']
export type DashboardCounts = z.infer<typeof dashboardSchema>
export type Enlistments = DashboardCounts['enlistments']
export type StudentCounts = Omit<DashboardCounts, 'activeAnnouncements' | 'enlistments' | 'quotas'>
