import { randomUUID } from 'node:crypto'
import { generateRegistration } from '#server/demo/generate-registration.ts'
import { createRandom } from '#server/demo/random.ts'
import { loadTowns } from '#server/demo/towns.ts'

/** What the load consists of: enlistments as students send them, and searches as the coordinator types them. */

const bodies = 2_000
const academicYear = '2026-2027'
/** Old enough on this day is old enough whenever the benchmark runs. */
const day = '2024-06-10'

/**
 * Enlistments, each ready to send.
 *
 * @param isOnce with a key that makes a retry harmless, as the form sends it
 */
export async function registrationRequests(port: number, isOnce: boolean): Promise<() => Buffer> {
  const towns = await loadTowns()
  const random = createRandom(1)
  const texts = Array.from({ length: bodies }, (_, index) =>
    JSON.stringify(generateRegistration(random, index, { day, academicYear, towns })),
  )
  const heads = texts.map(
    (text) =>
      `POST /api/registrations HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\n`,
  )
  let count = 0
  return () => {
    const index = count++ % bodies
    const key = isOnce ? `Idempotency-Key: ${randomUUID()}\r\n` : ''
    return Buffer.from(`${heads[index]}${key}\r\n${texts[index]}`)
  }
}

const terms = [
  'garcia',
  'dela cruz',
  'santos',
  'peña',
  'reyes',
  'john',
  'maria',
  'SOICT',
  'villa',
  'mark',
  'cruz',
  'muñoz',
  'bautista',
  'angel',
  'mendoza',
  'princess',
  'san',
  'tolentino',
  'ñez',
  'rose',
  'sobm',
  'de guzman',
  'nicole',
] as const
const components = ['ROTC', 'CWTS'] as const
const years = ['2024-2025', '2025-2026', '2026-2027'] as const

/** The students page as a search in a filtered list: all filters set, one in five beyond the first page. */
export function searchRequests(port: number, cookie: string): () => Buffer {
  const random = createRandom(2)
  const requests = Array.from({ length: 500 }, () => {
    const query = new URLSearchParams({
      search: random.pick(terms),
      component: random.pick(components),
      archive: 'active',
      academicYear: random.pick(years),
      page: random.chance(0.2) ? '2' : '1',
    })
    return Buffer.from(
      `GET /api/students?${query} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nCookie: ${cookie}\r\n\r\n`,
    )
  })
  let count = 0
  return () => requests[count++ % requests.length] ?? Buffer.alloc(0)
}
