import { type Location, useLocation, useNavigation } from 'react-router'

/**
 * The pending navigation's location, else the current one: a filter shows before its data has
 * loaded.
 */
export function usePendingLocation(): Location {
  const current = useLocation()
  const wanted = useNavigation().location
  return wanted?.pathname === current.pathname ? wanted : current
}
