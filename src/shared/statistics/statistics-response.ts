import { z } from '@hono/zod-openapi'
import { periods } from '#shared/periods.ts'
import { componentFilters } from '#shared/students/students.ts'
import { namedEnlistments } from './statistics.ts'

const count = z.number().int()
const percent = z.number().openapi({ description: 'Of the total, with one decimal; 0 when the total is 0.' })
const share = z.object({ count, percent })
const span = z.object({ first: z.iso.date(), last: z.iso.date() })

export const statisticsSchema = z
  .object({
    period: z.enum(periods),
    component: z.enum(componentFilters),
    periodDates: span.nullable().openapi({ description: 'What the period covers; null for all-time.' }),
    total: count.openapi({ description: 'All records of the period, archived ones too.' }),
    rotc: share,
    cwts: share,
    lts: share,
    archived: share,
    difference: z
      .object({
        count: count.openapi({ description: 'May be negative.' }),
        previousTotal: count,
        previousDates: span,
      })
      .nullable()
      .openapi({ description: 'Compared with the previous period; null for all-time.' }),
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
          bar: z.number().openapi({ description: 'In percent of the top course.' }),
        }),
      )
      .openapi({ description: 'The most popular first.' }),
    yearLevels: z.array(
      z.object({
        yearLevel: count.nullable().openapi({ description: '1 to 5; null for the others.' }),
        count,
        percent,
      }),
    ),
    registrations: z
      .object({
        unit: z.enum(['day', 'month', 'year']),
        buckets: z.array(z.object({ start: z.iso.date(), count })),
      })
      .openapi({ description: 'Over time, without gaps.' }),
  })
  .openapi('Statistics')

export const dashboardSchema = z
  .object({
    totalStudents: count.openapi({ description: 'Active students.' }),
    rotcStudents: count.openapi({ description: 'Active students of ROTC.' }),
    cwtsStudents: count.openapi({ description: 'Active students of CWTS.' }),
    ltsStudents: count.openapi({ description: 'Active students of LTS.' }),
    recentRegistrations: count.openapi({ description: 'Active students registered in the last 30 days.' }),
    lastSevenDays: count.openapi({ description: 'Active students registered in the last 7 days.' }),
    archivedStudents: count.openapi({ description: 'Archived students.' }),
    activeAnnouncements: count.openapi({ description: 'Announcements that are public now.' }),
    quotas: z
      .array(z.object({ component: z.string(), academicYear: z.string(), count, quota: count }))
      .openapi({
        description: 'Records of the current academic year, archived ones too, of components with a quota.',
      }),
    enlistments: z
      .object({
        count: z.number().int(),
        latest: z
          .array(z.object({ id: z.uuid(), name: z.string(), at: z.iso.datetime() }))
          .openapi({ description: `The newest first, at most ${namedEnlistments}.` }),
      })
      .openapi({ description: 'Active students registered in the last 7 days, by the form or an import.' }),
  })
  .openapi('DashboardCounts')

export type Share = z.infer<typeof share>
export type Statistics = z.infer<typeof statisticsSchema>
export type CourseRank = Statistics['courses'][number]
export type YearLevelShare = Statistics['yearLevels'][number]
export type Registrations = Statistics['registrations']
export type DashboardCounts = z.infer<typeof dashboardSchema>
export type Enlistments = DashboardCounts['enlistments']
export type StudentCounts = Omit<DashboardCounts, 'activeAnnouncements' | 'enlistments' | 'quotas'>
