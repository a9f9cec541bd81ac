import { type Location, useLocation, useNavigation } from 'react-router'

/**
 * Where this page is going, or else where it is: a chosen filter is seen before its data has come, and the next
 * choice builds on it.
 */
export function useWantedLocation(): Location {
  const current = useLocation()
  const wanted = useNavigation().location
  return wanted?.pathname === current.pathname ? wanted : current
}
