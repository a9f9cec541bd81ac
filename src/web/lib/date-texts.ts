import { useContext } from 'react'
import { type CalendarDate, calendarDateOf, perZone } from '#shared/program-calendar.ts'
import { ProgramTimeZone } from './site.ts'
import { WordsContext } from './translation.tsx'

type Style = Intl.DateTimeFormatOptions

export const dayStyle: Style = { year: 'numeric', month: 'short', day: 'numeric' }
const timeStyle: Style = { hour: 'numeric', minute: '2-digit' }
const dayAndTime: Style = { ...dayStyle, ...timeStyle }
const eventStyle: Style = { ...dayAndTime, weekday: 'short' }

function textsIn(locale: string) {
  return perZone((timeZone) => {
    const days = new Intl.DateTimeFormat(locale, { ...dayStyle, timeZone })
    const times = new Intl.DateTimeFormat(locale, { ...timeStyle, timeZone })
    const moments = new Intl.DateTimeFormat(locale, { ...dayAndTime, timeZone })
    const weekdays = new Intl.DateTimeFormat(locale, { ...dayStyle, weekday: 'long', timeZone: 'UTC' })
    const clock = new Intl.DateTimeFormat(locale, { ...timeStyle, timeZone: 'UTC' })
    const events = new Intl.DateTimeFormat(locale, { ...eventStyle, timeZone })
    return {
      /** 'Nov 20, 2026'. ISO or ms. */
      dayOf: (instant: string | number) => days.format(new Date(instant)),
      /** '10:15 AM'. ISO. */
      timeOf: (instant: string) => times.format(new Date(instant)),
      /** 'Nov 20, 2026, 10:15 AM'. ISO or ms. */
      momentOf: (instant: string | number) => moments.format(new Date(instant)),
      /** 'Friday, Nov 20, 2026' of '2026-11-20', a date without a time zone. */
      weekdayOf: (date: CalendarDate) => weekdays.format(new Date(`${date}T00:00:00Z`)),
      /** '7:30 AM' of '07:30'. */
      clockOf: (time: string) => clock.format(new Date(`2000-01-01T${time}Z`)),
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

/** Today in the program's time zone. */
export function useToday(): CalendarDate {
  return calendarDateOf(new Date(), useProgramTimeZone())
}
