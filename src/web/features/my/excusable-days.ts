import type { MyPage, OwnDay } from '#shared/my/own-page-response.ts'
import type { OwnRequests } from '#shared/requests/requests-response.ts'

/** The training days for which an excuse can still be asked: not of an archived record, and once a day. */
export function excusableDays(
  { student, attendance }: Pick<MyPage, 'student' | 'attendance'>,
  { items }: OwnRequests,
): OwnDay[] {
  if (attendance === null || student.archived) return []
  const isAsked = (day: OwnDay) =>
    items.some(({ state, absence }) => state === 'open' && absence?.dayId === day.id)
  return attendance.excusable.filter((day) => !isAsked(day))
}
