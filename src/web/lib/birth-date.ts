import { monthNames } from '#shared/program-calendar.ts'

/** The choices of a control. */
export const monthOptions = monthNames.map((label, index) => ({ value: String(index + 1), label }))

/**
 * The calendar date that three controls stand for, 'YYYY-MM-DD'. Nothing entered is nothing; an incomplete or impossible
 * date comes out as a text that is no date, so that the form's rules refuse it.
 */
export function composeBirthDate(parts: Record<'birthMonth' | 'birthDay' | 'birthYear', string>): string {
  const [month, day, year] = [parts.birthMonth.trim(), parts.birthDay.trim(), parts.birthYear.trim()]
  if (month === '' && day === '' && year === '') return ''
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}
