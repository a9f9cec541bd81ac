import type { Place } from './postal-codes.ts'

const mostResults = 10

interface IndexedPlace {
  place: Place
  name: string
  fullName: string
}

export type PlacesService = ReturnType<typeof createPlacesService>

export function createPlacesService({ load }: { load: () => Promise<Place[]> }) {
  let index: Promise<IndexedPlace[]> | undefined

  async function loadIndex(): Promise<IndexedPlace[]> {
    try {
      return indexPlaces(await load())
    } catch (error) {
      // The next search tries again.
      index = undefined
      throw error
    }
  }

  return {
    async search(text: string): Promise<Place[]> {
      index ??= loadIndex()
      const wanted = fold(text.trim())
      const ranked: Place[][] = [[], [], []]
      for (const { place, name, fullName } of await index) {
        ranked[rankOf(wanted, name, fullName)]?.push(place)
      }
      return ranked.flat().slice(0, mostResults)
    },
  }
}

function indexPlaces(places: Place[]): IndexedPlace[] {
  const byName = new Map(
    places.map((place) => [`${place.municipality}|${place.province}|${place.zipCode}`, place]),
  )
  return [...byName.values()]
    .map((place) => {
      const name = fold(place.municipality)
      return { place, name, fullName: `${name}, ${fold(place.province)}` }
    })
    .sort((one, other) => compare(one.name, other.name) || compare(one.fullName, other.fullName))
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other)
}

function rankOf(wanted: string, name: string, fullName: string): 0 | 1 | 2 | 3 {
  const position = fullName.indexOf(wanted)
  if (position === 0) return 0
  if (position < 0) return 3
  return name.includes(` ${wanted}`) ? 1 : 2
}

function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}
