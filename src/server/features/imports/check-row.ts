import { type ImportField, importSentences } from '#shared/imports.ts'
import { startOfDay } from '#shared/periods.ts'
import { type CalendarDate, calendarDateOf, isCalendarDate } from '#shared/program-calendar.ts'
import { createRegistrationSchema, type RegistrationOffer } from '#shared/registration.ts'
import { heldYearLevelLabels, nstpComponents } from '#shared/student-choices.ts'
import { studentFieldNames } from '#shared/student-fields.ts'
import { instantPattern } from './read-date.ts'

const earliest = new Date('1990-01-01T00:00:00Z')

/** A row's texts by field, read as the form would have them. */
export type RowFields = Partial<Record<ImportField, string>>

export interface CheckedRow {
  /** The instant of the registration; null when the file doesn't tell one. */
  registrationDate: Date | null
  /** Null for a student who isn't archived. */
  archivedDate: Date | null
  problems: { path: ImportField; message: string }[]
}

interface RowCheckOptions {
  /** What may be chosen: on offer now, or held by a record already. */
  courses: readonly string[]
  academicYears: readonly string[]
  now: Date
  timeZone: string
}

/**
 * Makes the function that holds a row against the rules of the registration. Ages count on the day of the
 * registration, as they did when the student enlisted.
 */
export function createRowCheck({ courses, academicYears, now, timeZone }: RowCheckOptions) {
  const today = calendarDateOf(now, timeZone)
  let registered: CalendarDate = today
  const schema = createRegistrationSchema(
    (): RegistrationOffer => ({
      today: registered,
      courses,
      academicYears,
      components: nstpComponents,
      yearLevels: heldYearLevelLabels,
    }),
  )

  return (fields: RowFields): CheckedRow => {
    const { registrationDate, archived, archivedDate, ...texts } = fields
    const moment = readMoment(registrationDate, now, timeZone)
    registered = moment ? calendarDateOf(moment, timeZone) : today
    const { error } = schema.safeParse({ ...texts, consent: true })
    const problems: CheckedRow['problems'] = (error?.issues ?? []).flatMap(({ path, message }) => {
      const field: ImportField | undefined = studentFieldNames.find((name) => name === path[0])
      return field ? [{ path: field, message }] : []
    })
    if (moment === undefined) {
      problems.push({ path: 'registrationDate', message: importSentences.registrationDate })
    }
    const archive = readArchived(archived ?? '', archivedDate ?? '')
    return {
      registrationDate: moment ?? null,
      archivedDate: archive.date,
      problems: [...problems, ...archive.problems],
    }
  }

  /** Since when a student is archived. A date alone says that they are; without one it is since now. */
  function readArchived(
    answer: string,
    date: string,
  ): { date: Date | null; problems: CheckedRow['problems'] } {
    if (!['', 'Yes', 'No'].includes(answer)) {
      return { date: null, problems: [{ path: 'archived', message: importSentences.archived }] }
    }
    if (answer === 'No' || (answer === '' && date === '')) return { date: null, problems: [] }
    const moment = readMoment(date, now, timeZone)
    if (moment !== undefined) return { date: moment ?? now, problems: [] }
    return { date: null, problems: [{ path: 'archivedDate', message: importSentences.archivedDate }] }
  }
}

/**
 * An instant, or '2026-08-03' or '2026-08-03 09:15:00' by the program's clocks; null for nothing, undefined for
 * anything else and for the future.
 */
function readMoment(text: string | undefined, now: Date, timeZone: string): Date | null | undefined {
  if (!text) return null
  const moment = instantPattern.test(text) ? new Date(text) : readLocal(text, timeZone)
  // Years before the program's law are typing errors.
  return moment && moment <= now && moment >= earliest ? moment : undefined
}

function readLocal(text: string, timeZone: string): Date | undefined {
  const [, date = '', hours = '0', minutes = '0', seconds = '0'] =
    /^(\d{4}-\d{2}-\d{2})(?: (\d{2}):(\d{2}):(\d{2}))?$/.exec(text) ?? []
  if (!isCalendarDate(date)) return undefined
  const sinceMidnight = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000
  return new Date(startOfDay(date, timeZone).getTime() + sinceMidnight)
}
