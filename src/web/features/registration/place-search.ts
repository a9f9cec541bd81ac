import { api, callApi } from '#web/lib/api.ts'

export interface Place {
  municipality: string
  province: string
  zipCode: string
}

/** Letters from which on a search says something. */
export const shortestSearch = 2

/** Municipalities and cities that match what was typed. */
export async function searchPlaces(search: string, signal: AbortSignal): Promise<Place[]> {
  const { items } = await callApi(api.places.$get({ query: { search } }, { init: { signal } }))
  return items
}
