import { useSyncExternalStore } from 'react'

/** False on the server. */
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

/** Below spec §9's breakpoint, 768 px. False on the server. */
export function useNarrowScreen(): boolean {
  return useMediaQuery('(width < 48rem)')
}
