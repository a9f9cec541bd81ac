/** The three controls that a date of birth is entered with. */
export const birthDateNames = ['birthMonth', 'birthDay', 'birthYear'] as const

export type BirthDateParts = Record<(typeof birthDateNames)[number], string>

export const monthNames = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const

/**
 * The calendar date that three parts stand for, 'YYYY-MM-DD'. Nothing entered is nothing; an incomplete or
 * impossible date comes out as a text that is no date, so that the form's rules refuse it.
 */
export function composeBirthDate({ birthMonth, birthDay, birthYear }: BirthDateParts): string {
  const [month, day, year] = [birthMonth.trim(), birthDay.trim(), birthYear.trim()]
  if (month === '' && day === '' && year === '') return ''
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}
