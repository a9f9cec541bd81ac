import { useContext } from 'react'
import { perZone } from '#shared/program-calendar.ts'
import { ProgramTimeZone } from './site.ts'
import { WordsContext } from './translation.tsx'

type Style = Intl.DateTimeFormatOptions

export const dayStyle: Style = { year: 'numeric', month: 'short', day: 'numeric' }
const dayAndTime: Style = { ...dayStyle, hour: 'numeric', minute: '2-digit' }
const eventStyle: Style = { ...dayAndTime, weekday: 'short' }

function textsIn(locale: string) {
  return perZone((timeZone) => {
    const days = new Intl.DateTimeFormat(locale, { ...dayStyle, timeZone })
    const moments = new Intl.DateTimeFormat(locale, { ...dayAndTime, timeZone })
    const events = new Intl.DateTimeFormat(locale, { ...eventStyle, timeZone })
    return {
      /** 'Nov 20, 2026'. ISO or ms. */
      dayOf: (instant: string | number) => days.format(new Date(instant)),
      /** 'Nov 20, 2026, 10:15 AM'. ISO or ms. */
      momentOf: (instant: string | number) => moments.format(new Date(instant)),
      /** 'Fri, Nov 20, 2026, 10:15 AM'. ms. */
      eventOf: (instant: number) => events.format(new Date(instant)),
    }
  })
}

export const instantTexts = textsIn('en-US')
const filipinoTexts = textsIn('fil-PH')

export type InstantTexts = ReturnType<typeof instantTexts>

export function useInstantTexts(): InstantTexts {
  const texts = useContext(WordsContext) ? filipinoTexts : instantTexts
  return texts(useProgramTimeZone())
}

export function useProgramTimeZone(): string {
  return useContext(ProgramTimeZone)
}
