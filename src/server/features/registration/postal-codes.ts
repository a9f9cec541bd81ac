import maguindanaoDelNorte from './maguindanao-del-norte.json' with { type: 'json' }

const maxResults = 10

export function createPostalCodesService({ load }: { load: () => Promise<PostalCode[]> }) {
  let index: Promise<ReturnType<typeof indexPostalCodes>> | undefined

  async function loadIndex() {
    try {
      return indexPostalCodes(await load())
    } catch (error) {
      // The next search tries again.
      index = undefined
      throw error
    }
  }

  return {
    async search(text: string): Promise<PostalCode[]> {
      index ??= loadIndex()
      const wanted = fold(text.trim())
      const ranked: PostalCode[][] = [[], [], []]
      for (const { postalCode, name, fullName } of await index) {
        ranked[rankOf(wanted, name, fullName)]?.push(postalCode)
      }
      return ranked.flat().slice(0, maxResults)
    },
  }
}

function indexPostalCodes(postalCodes: PostalCode[]) {
  const byName = new Map(
    postalCodes.map((postalCode) => [
      `${postalCode.municipality}|${postalCode.province}|${postalCode.zipCode}`,
      postalCode,
    ]),
  )
  return [...byName.values()]
    .map((postalCode) => {
      const name = fold(postalCode.municipality)
      return { postalCode, name, fullName: `${name}, ${fold(postalCode.province)}` }
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

export interface PostalCode {
  municipality: string
  province: string
  zipCode: string
}

interface PostalArea {
  municipality: string
  location: string
  region: string
  zipCode: string
}

const metroManila = 'Metro Manila'
// The central post office has the code of the whole city.
const centralOffice = /\bCPO\b/
const uninhabited = /\bP\.?O\.? Boxes\b|\bPO$|\bAirport\b|\bUniversity\b(?! Hills)/

/** 170 kB, loaded on first use. */
export async function loadPostalCodes(): Promise<PostalCode[]> {
  const { default: postalCodes } = await import('use-postal-ph')
  const { data } = postalCodes().fetchDataLists({ limit: Number.MAX_SAFE_INTEGER })
  const areas = data.flatMap(({ municipality, location, region, post_code }): PostalArea[] => {
    if (!municipality || !location || !region || location === 'Companies/Institutions') return []
    return [{ municipality, location, region, zipCode: String(post_code).padStart(4, '0') }]
  })
  const inMetroManila = areas.filter(({ region }) => region === 'NCR')
  const elsewhere = areas.filter(({ region }) => region !== 'NCR')
  return [...codesOfMetroManila(inMetroManila), ...elsewhere.flatMap(codesOfProvince)]
}

function codesOfMetroManila(areas: PostalArea[]): PostalCode[] {
  const byCity = new Map<string, PostalArea[]>()
  for (const area of areas) {
    // 'Caloocan City (North)' and 'Caloocan area (North)' are one city.
    const city = area.location.replace(/ (?:City|area) \((?:North|South)\)$/, ' City')
    byCity.set(city, [...(byCity.get(city) ?? []), area])
  }
  return [...byCity].flatMap(([city, districts]) => {
    const whole = districts.find((area) => isWhole(area, city))
    const lowest = districts.reduce((one, other) => (other.zipCode < one.zipCode ? other : one))
    return [
      { municipality: city, province: metroManila, zipCode: (whole ?? lowest).zipCode },
      ...districts
        .filter((area) => area !== whole && !uninhabited.test(area.municipality))
        .map(({ municipality, zipCode }) => ({
          municipality: `${municipality}, ${city}`,
          province: metroManila,
          zipCode,
        })),
    ]
  })
}

function isWhole({ municipality }: PostalArea, city: string): boolean {
  return centralOffice.test(municipality) || municipality === city.replace(/ City$/, '')
}

function codesOfProvince({ municipality, location, zipCode }: PostalArea): PostalCode[] {
  if (uninhabited.test(municipality)) return []
  const province = provinceToday(municipality, provinceName(location))
  return namesOf(municipality).map((name) => ({ municipality: name, province, zipCode }))
}

// 'Davao de Oro (Compostela Valley)' → 'Davao de Oro' (RA 11297).
function provinceName(location: string): string {
  return location === 'Mountain Province' ? location : location.replace(/ (?:Province|\(.*\))$/, '')
}

function namesOf(municipality: string): string[] {
  const [, name, formerly, other] = /^(.*?) ?\((formerly )?(.*)\)$/.exec(municipality) ?? []
  if (name === undefined || other === undefined) return [municipality]
  return formerly === undefined ? [name, other] : [name]
}

// RA 11550, ratified on 17 September 2022, divided Maguindanao. These went to the northern province; Cotabato City lies in it but belongs to no
// province. All others went to the southern one.
function provinceToday(municipality: string, province: string): string {
  if (province !== 'Maguindanao') return province
  return maguindanaoDelNorte.includes(municipality) ? 'Maguindanao del Norte' : 'Maguindanao del Sur'
}
