import { useSyncExternalStore } from 'react'

/** Below the mobile breakpoint of spec §9, 768 px. */
const query = '(width < 48rem)'

/** Whether the screen is a phone's. False on the server. */
export function useNarrowScreen(): boolean {
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
