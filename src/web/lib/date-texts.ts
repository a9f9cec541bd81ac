import { createContext, useContext } from 'react'
import { perZone } from '#shared/program-calendar.ts'

type Style = Intl.DateTimeFormatOptions

export const dayStyle: Style = { year: 'numeric', month: 'short', day: 'numeric' }
const dayAndTime: Style = { ...dayStyle, hour: 'numeric', minute: '2-digit' }

/** How instants are written by the clocks of a time zone. */
export const instantTexts = perZone((timeZone) => {
  const days = new Intl.DateTimeFormat('en-US', { ...dayStyle, timeZone })
  const moments = new Intl.DateTimeFormat('en-US', { ...dayAndTime, timeZone })
  return {
    /** An instant, in ISO or in milliseconds, as a day: 'Nov 20, 2026'. */
    dayOf: (instant: string | number) => days.format(new Date(instant)),
    /** The same with its time: 'Nov 20, 2026, 10:15 AM'. */
    momentOf: (instant: string | number) => moments.format(new Date(instant)),
  }
})

export type InstantTexts = ReturnType<typeof instantTexts>

/** How instants are written by the program's clocks. */
export function useInstantTexts(): InstantTexts {
  return instantTexts(useProgramTimeZone())
}

/** Hands the program's time zone to the screens below. */
export const ProgramTimeZone = createContext('Asia/Manila')

/** The time zone of the program's clock and dates, for `Intl.DateTimeFormat`. */
export function useProgramTimeZone(): string {
  return useContext(ProgramTimeZone)
}
