import type { PostalCode } from './postal-codes.ts'

const maxResults = 10

interface IndexedPostalCode {
  postalCode: PostalCode
  name: string
  fullName: string
}

export function createPostalCodesService({ load }: { load: () => Promise<PostalCode[]> }) {
  let index: Promise<IndexedPostalCode[]> | undefined

  async function loadIndex(): Promise<IndexedPostalCode[]> {
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

function indexPostalCodes(postalCodes: PostalCode[]): IndexedPostalCode[] {
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
