import { useContext } from 'react'
import { perZone } from '#shared/program-calendar.ts'
import { ProgramTimeZone } from './site.ts'

type Style = Intl.DateTimeFormatOptions

export const dayStyle: Style = { year: 'numeric', month: 'short', day: 'numeric' }
const dayAndTime: Style = { ...dayStyle, hour: 'numeric', minute: '2-digit' }

export const instantTexts = perZone((timeZone) => {
  const days = new Intl.DateTimeFormat('en-US', { ...dayStyle, timeZone })
  const moments = new Intl.DateTimeFormat('en-US', { ...dayAndTime, timeZone })
  return {
    /** 'Nov 20, 2026'. ISO or ms. */
    dayOf: (instant: string | number) => days.format(new Date(instant)),
    /** 'Nov 20, 2026, 10:15 AM'. ISO or ms. */
    momentOf: (instant: string | number) => moments.format(new Date(instant)),
  }
})

export type InstantTexts = ReturnType<typeof instantTexts>

export function useInstantTexts(): InstantTexts {
  return instantTexts(useProgramTimeZone())
}

export function useProgramTimeZone(): string {
  return useContext(ProgramTimeZone)
}
