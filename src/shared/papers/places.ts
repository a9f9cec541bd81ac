/** The towns and provinces of the Philippines, as people write them. */
export type Places = ReturnType<typeof createPlaces>

export function createPlaces(places: Iterable<{ municipality: string; province: string }>) {
  const provinces = new Map<string, string>()
  const ofTown = new Map<string, Set<string>>()
  for (const { municipality, province } of places) {
    provinces.set(provinceKey(province), province)
    const key = townKey(municipality)
    const held = ofTown.get(key)
    if (held) held.add(province)
    else ofTown.set(key, new Set([province]))
  }
  return {
    /** The province in our spelling; undefined if it is unknown. */
    province: (text: string): string | undefined => provinces.get(provinceKey(text)),
    /** The provinces that have the town, which is written as "Town" or "District, City". */
    provincesOf: (town: string): readonly string[] => [
      ...(ofTown.get(townKey(town)) ?? ofTown.get(townKey(town.replace(/^.*,/, ''))) ?? []),
    ],
  }
}

function provinceKey(text: string): string {
  const key = plain(text).replace(/^province of | province$/g, '')
  return ['ncr', 'national capital region', 'manila'].includes(key) ? 'metro manila' : key
}

function townKey(text: string): string {
  return plain(text).replace(/^(city|municipality) of | city$/g, '')
}

function plain(text: string): string {
  return (
    text
      .normalize('NFD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .replace(/[^a-z\d]+/g, ' ')
      .replace(/\bsta\b/g, 'santa')
      .replace(/\bsto\b/g, 'santo')
      // The city's own spelling, which the post doesn't have.
      .replace('baliwag', 'baliuag')
      .trim()
  )
}
