import { createContext, useContext, useSyncExternalStore } from 'react'

/** @param served on the server and until scripts run */
export function useMediaQuery(query: string, served = false): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const media = window.matchMedia(query)
      media.addEventListener('change', onChange)
      return () => media.removeEventListener('change', onChange)
    },
    () => window.matchMedia(query).matches,
    () => served,
  )
}

/** Whether the server takes the screen for a phone's. */
export const IsPhone = createContext(false)

/** Whether the screen is narrower than 768 px (product 8.2). */
export function useNarrowScreen(): boolean {
  return useMediaQuery('(width < 48rem)', useContext(IsPhone))
}
