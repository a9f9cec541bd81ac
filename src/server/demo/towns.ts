import { loadPlaces, type Place } from '#server/features/places/postal-codes.ts'
import type { Random } from './random.ts'

/** Where students live and were born. */
export interface Towns {
  /** A town near the school, or sometimes one from far away. */
  home: (random: Random) => Place
  /** Any town of the country. */
  anywhere: (random: Random) => Place
}

/** Provinces from which a school in Cavite draws its students, by their share. */
const nearbyProvinces = [
  ['Cavite', 52],
  ['Laguna', 14],
  ['Metro Manila', 12],
  ['Batangas', 8],
  ['Rizal', 4],
  ['', 10],
] as const

/** Long or composed names are postal districts, not what people call their town. */
const districtName = /[,(\d]|.{30}/

/** The real towns of the country, as the form suggests them. */
export async function loadTowns(): Promise<Towns> {
  const places = (await loadPlaces()).filter(({ municipality }) => !districtName.test(municipality))
  const byProvince = new Map<string, Place[]>([['', places]])
  for (const place of places) {
    byProvince.set(place.province, [...(byProvince.get(place.province) ?? []), place])
  }
  return {
    home: (random) => random.pick(byProvince.get(random.weigh(nearbyProvinces)) ?? places),
    anywhere: (random) => random.pick(places),
  }
}
