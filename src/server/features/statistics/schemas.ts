import { z } from '@hono/zod-openapi'
import { periods } from '#shared/periods.ts'
import { defaultStatisticsFilters as defaults } from '#shared/statistics.ts'
import { componentFilters } from '#shared/students.ts'

const oneOf = <const T extends readonly string[]>(name: string, choices: T) =>
  z.enum(choices, `Please choose one of the listed options for ${name}: ${choices.join(', ')}.`)

/** A name that isn't known is refused: a mistyped filter would otherwise count far too much. */
export const statisticsFiltersSchema = z.strictObject(
  {
    period: oneOf('period', periods).default(defaults.period).openapi({
      description:
        'By registration date, in the program’s time zone: its semesters, the calendar year, the last 168 hours.',
    }),
    component: oneOf('component', componentFilters).default(defaults.component),
  },
  {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? `There is no such filter: ${issue.keys.join(', ')}.` : undefined,
  },
)

const count = z.number().int()
const percent = z.number().openapi({ description: 'Of the total, with one decimal; 0 when the total is 0.' })
const share = z.object({ count, percent })
const span = z.object({ first: z.iso.date(), last: z.iso.date() })

/** What the answer looks like in the API's description. */
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
      .openapi({ description: 'Against the period before, of the same kind; null for all-time.' }),
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
          bar: z.number().openapi({ description: "In percent of the top course's." }),
        }),
      )
      .openapi({ description: 'The five most popular.' }),
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
      .openapi({ description: 'Over time, without a gap.' }),
  })
  .openapi('Statistics')
