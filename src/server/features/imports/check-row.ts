import { type ImportField, importSentences } from '#shared/imports.ts'
import { startOfDay } from '#shared/periods.ts'
import { type CalendarDate, calendarDateOf, isCalendarDate } from '#shared/program-calendar.ts'
import { createRegistrationSchema, type RegistrationOffer } from '#shared/registration.ts'
import { nstpComponents } from '#shared/student-choices.ts'
import { studentFieldNames } from '#shared/student-fields.ts'

/** A row's texts by field, read as the form would have them. */
export type RowFields = Partial<Record<ImportField, string>>

export interface CheckedRow {
  /** The instant of the registration; null when the file doesn't tell one. */
  registrationDate: Date | null
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
    (): RegistrationOffer => ({ today: registered, courses, academicYears, components: nstpComponents }),
  )

  return (fields: RowFields): CheckedRow => {
    const { registrationDate, ...texts } = fields
    const moment = readMoment(registrationDate ?? '', timeZone)
    const isPossible = moment === null || (moment !== undefined && moment <= now)
    registered = moment && isPossible ? calendarDateOf(moment, timeZone) : today
    const { error } = schema.safeParse({ ...texts, consent: true })
    const problems: CheckedRow['problems'] = (error?.issues ?? []).flatMap(({ path, message }) => {
      const field: ImportField | undefined = studentFieldNames.find((name) => name === path[0])
      return field ? [{ path: field, message }] : []
    })
    if (!isPossible) problems.push({ path: 'registrationDate', message: importSentences.registrationDate })
    return { registrationDate: isPossible ? (moment ?? null) : null, problems }
  }
}

/** '2026-08-03' or '2026-08-03 09:15:00' by the program's clocks; null for '', undefined for anything else. */
function readMoment(text: string, timeZone: string): Date | null | undefined {
  if (text === '') return null
  const [, date = '', hours = '0', minutes = '0', seconds = '0'] =
    /^(\d{4}-\d{2}-\d{2})(?: (\d{2}):(\d{2}):(\d{2}))?$/.exec(text) ?? []
  // Years before the program's law are typing errors.
  if (!isCalendarDate(date) || date < '1990') return undefined
  const sinceMidnight = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000
  return new Date(startOfDay(date, timeZone).getTime() + sinceMidnight)
}
