import { useEffect, useState } from 'react'
import { useProgramTimeZone } from '#web/lib/program-time.ts'
import { clockTexts } from './clock-texts.ts'

/** Refresh of spec §9. */
const refreshMs = 60_000

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
  const comma = date.indexOf(',') + 1
  const [weekday, day] = [date.slice(0, comma), date.slice(comma)]
  return (
    <time dateTime={instant.toISOString()} className="text-right leading-tight tabular-nums">
      <span className="block text-sm font-semibold whitespace-nowrap">{time}</span>
      {/* In two lines on a phone; the narrowest ones have room for the time alone. */}
      <span className="block text-xs whitespace-nowrap text-muted max-[22rem]:hidden">
        <span className="max-md:block">{weekday}</span>
        {day}
      </span>
    </time>
  )
}
