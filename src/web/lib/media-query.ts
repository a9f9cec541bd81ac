import { useSyncExternalStore } from 'react'

/** Whether a media query fits, and whenever it begins or ceases to. False on the server. */
export function useMediaQuery(query: string): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const media = window.matchMedia(query)
      media.addEventListener('change', onChange)
      return () => media.removeEventListener('change', onChange)
    },
    () => window.matchMedia(query).matches,
    () => false,
  )
}

/** Whether the screen is a phone's: below the mobile breakpoint of spec §9, 768 px. False on the server. */
export function useNarrowScreen(): boolean {
  return useMediaQuery('(width < 48rem)')
}
