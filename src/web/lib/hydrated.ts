import { useSyncExternalStore } from 'react'

function never() {
  return () => undefined
}

/** Whether the page's scripts are running: false on the server and in the first render. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
