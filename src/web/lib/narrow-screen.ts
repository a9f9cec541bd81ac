import { useMediaQuery } from './media-query.ts'

/** Whether the screen is a phone's: below the mobile breakpoint of spec §9, 768 px. False on the server. */
export function useNarrowScreen(): boolean {
  return useMediaQuery('(width < 48rem)')
}
