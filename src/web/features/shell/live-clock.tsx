import { useEffect, useState } from 'react'
import { useProgramTimeZone } from '#web/lib/program-time.ts'

/** Refresh of spec §9. */
const refreshMs = 60_000

/** '3:07 PM' and 'Friday, November 20, 2026', by the program's calendar. */
export function clockTexts(instant: Date, timeZone: string): { time: string; date: string } {
  const write = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-US', { timeZone, ...options }).format(instant)
  return {
    // The space before AM/PM is a narrow one in newer ICU versions: an ordinary one keeps server and browser equal.
    time: write({ hour: 'numeric', minute: '2-digit', hour12: true }).replace(/\s/gu, ' '),
    date: write({ dateStyle: 'full' }),
  }
}

/**
 * The program's time and date.
 *
 * @param now the server's time when it rendered the page, so that both sides draw the same first minute
 */
export function LiveClock({ now }: { now: string }) {
  const timeZone = useProgramTimeZone()
  const [instant, setInstant] = useState(() => new Date(now))

  useEffect(() => {
    const tick = () => setInstant(new Date())
    tick()
    // From the next full minute on, so that the clock never lags by most of one.
    let interval: ReturnType<typeof setInterval> | undefined
    const start = setTimeout(
      () => {
        tick()
        interval = setInterval(tick, refreshMs)
      },
      refreshMs - (Date.now() % refreshMs),
    )
    return () => {
      clearTimeout(start)
      clearInterval(interval)
    }
  }, [])

  const { time, date } = clockTexts(instant, timeZone)
  return (
    <time dateTime={instant.toISOString()} className="text-right leading-tight tabular-nums">
      <span className="block text-sm font-semibold whitespace-nowrap">{time}</span>
      <span className="block text-xs whitespace-nowrap text-muted max-lg:hidden">{date}</span>
    </time>
  )
}
