import { createContext, useContext } from 'react'

/** Hands the program's time zone to the screens below. */
export const ProgramTimeZone = createContext('Asia/Manila')

/** The time zone of the program's clock and dates, for `Intl.DateTimeFormat`. */
export function useProgramTimeZone(): string {
  return useContext(ProgramTimeZone)
}
