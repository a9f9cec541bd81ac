import { heightInCentimetres, weightInKilograms } from '#shared/measures.ts'
import { type CalendarDate, calendarDateOf } from '#shared/program-calendar.ts'
import type { StudentRecord } from '#shared/student.ts'

const longDate = new Intl.DateTimeFormat('en-US', {
  timeZone: 'UTC',
  year: 'numeric',
  month: 'long',
  day: 'numeric',
})

/** '2006-03-15' → 'March 15, 2006'; anything that isn't a date stays as it is. */
export function writtenDate(date: CalendarDate): string {
  const instant = new Date(`${date}T00:00:00Z`)
  return Number.isNaN(instant.getTime()) ? date : longDate.format(instant)
}

/** The day of an instant by the program's calendar, wherever the sheet is printed. */
export function writtenDay(instant: string, timeZone: string): string {
  return writtenDate(calendarDateOf(new Date(instant), timeZone))
}

/** A measure in the sheet's unit, or the student's own words. */
export interface WrittenMeasure {
  text: string
  /** The text is the student's, so the unit of the label may not hold for it. */
  asStated: boolean
}

export function writtenHeight(text: string): WrittenMeasure {
  return writtenMeasure(text, heightInCentimetres(text))
}

export function writtenWeight(text: string): WrittenMeasure {
  return writtenMeasure(text, weightInKilograms(text))
}

function writtenMeasure(text: string, value: number | undefined): WrittenMeasure {
  if (value !== undefined) return { text: String(value), asStated: false }
  return { text, asStated: text !== '' }
}

/** Many short lines become one paragraph: a list typed one word a line would fill the sheet. */
export function paragraph(text: string): string {
  const lines = text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return lines.map((line, index) => (index < lines.length - 1 ? closeLine(line) : line)).join(' ')
}

function closeLine(line: string): string {
  return /[.,;:!?]$/.test(line) ? line : `${line};`
}

/** 'Juan Santos dela Cruz': the name as it stands under the signature. */
export function signatureName({
  firstName,
  middleName,
  lastName,
}: Pick<StudentRecord, 'firstName' | 'middleName' | 'lastName'>): string {
  return [firstName, middleName, lastName].filter((part) => part !== '').join(' ')
}
