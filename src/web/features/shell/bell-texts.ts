import { countOf, figureText } from '#web/lib/count-text.ts'

/** The greatest number that has room on the bell. */
const greatestShown = 99
/** The server counts no further. */
const mostCounted = 1_000

/** What stands on the bell. */
export function badgeText(count: number): string {
  return count > greatestShown ? `${greatestShown}+` : String(count)
}

/** What the bell says. */
export function bellLabel(count: number): string {
  if (count === 0) return 'Notifications: no new registrations'
  const counted =
    count < mostCounted
      ? countOf(count, 'new registration')
      : `${figureText(count)} or more new registrations`
  return `Notifications: ${counted}`
}
