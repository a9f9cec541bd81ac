import { isCalendarPeriod, periodLabels } from '#shared/periods.ts'
import type { StudentFilters } from '#shared/students/students.ts'

export const isTimeSpan = (period: StudentFilters['period']) => period.includes('/')

/** 'Last Semester', 'November 2026', 'Nov 23, 2026, 2:10 – 3:40 AM'. */
export function periodText(period: StudentFilters['period']): string {
  if (!isCalendarPeriod(period)) return periodLabels[period]
  if (isTimeSpan(period)) {
    const [from = '', until = ''] = period.split('/').map((time) => `${time}Z`)
    const texts = new Intl.DateTimeFormat('en-US', {
      timeZone: 'UTC',
      dateStyle: 'medium',
      timeStyle: 'short',
    })
    return texts.formatRange(Date.parse(from), Date.parse(until))
  }
  const [, month, day] = period.split('-')
  return new Intl.DateTimeFormat('en-US', {
    timeZone: 'UTC',
    year: 'numeric',
    ...(month && { month: 'long' }),
    ...(day && { day: 'numeric' }),
  }).format(Date.parse(period))
}
