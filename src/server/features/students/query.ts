import { z } from '@hono/zod-openapi'
import { periods } from '#shared/periods.ts'
import {
  archiveFilters,
  componentFilters,
  defaultPageSize,
  defaultStudentFilters as defaults,
  duplicatesFilters,
  isAcademicYear,
  maxPage,
  maxPageSize,
  maxSearchLength,
  studentSorts,
} from '#shared/students.ts'

/** Control characters: PostgreSQL refuses NUL, and no name or course has any. */
const controlCharacters = /\p{Cc}/u

const oneOf = <const T extends readonly string[]>(name: string, choices: T) =>
  z.enum(choices, `Please choose one of the listed options for ${name}: ${choices.join(', ')}.`)

function wholeNumber(name: string, max: number, fallback: number) {
  const message = `Please give the ${name} as a whole number from 1 to ${max}.`
  return z
    .string(message)
    .regex(/^\d{1,7}$/, message)
    .transform(Number)
    .refine((value) => value >= 1 && value <= max, message)
    .default(fallback)
    .openapi({ type: 'integer', minimum: 1, maximum: max, default: fallback })
}

const filters = {
  search: z
    .string('Please give one search text.')
    .trim()
    .max(maxSearchLength, `Please shorten the search to ${maxSearchLength} characters or fewer.`)
    .refine((text) => !controlCharacters.test(text), 'Please remove the unusual characters from the search.')
    .default(defaults.search)
    .openapi({
      description:
        'Words in any order, each part of a name, the course, the reference, the student ID, the e-mail address or a ' +
        'phone number. Case, accents and signs do not matter.',
    }),
  component: oneOf('component', componentFilters).default(defaults.component),
  archive: oneOf('archive', archiveFilters)
    .default(defaults.archive)
    .openapi({ description: 'active: not archived.' }),
  academicYear: z
    .string('Please give one academic year.')
    .refine((year) => year === 'all' || isAcademicYear(year), {
      message: "Please give the academic year as two years in a row, such as 2026-2027, or 'all'.",
    })
    .default(defaults.academicYear)
    .openapi({ example: '2026-2027' }),
  period: oneOf('period', periods)
    .default(defaults.period)
    .openapi({
      description:
        'By registration date. Semesters are those of the program, in its time zone; last-semester is the one ' +
        'right before the current one; current-year is the calendar year; last-7-days are the last 168 hours.',
    }),
  duplicates: oneOf('duplicates', duplicatesFilters)
    .default(defaults.duplicates)
    .openapi({ description: 'only: records that may be the same person as another one.' }),
  sort: oneOf('sort', studentSorts)
    .default(defaults.sort)
    .openapi({ description: "A column; with '-' before it, in descending order." }),
}

/** A name that isn't known is refused: a mistyped filter would otherwise show, or export, far too much. */
const options = {
  error: (issue: { code?: string; keys?: string[] }) =>
    issue.code === 'unrecognized_keys' ? `There is no such filter: ${issue.keys?.join(', ')}.` : undefined,
}

/** What narrows and sorts the list, its export and select-all. */
export const studentFiltersSchema = z.strictObject(filters, options)

/** The same with the page. */
export const studentListSchema = z.strictObject(
  {
    ...filters,
    page: wholeNumber('page', maxPage, 1),
    pageSize: wholeNumber('page size', maxPageSize, defaultPageSize),
  },
  options,
)
