import { randomUUID } from 'node:crypto'
import { generateRegistration, loadTowns } from '#server/demo/generate-registration.ts'
import { createRandom } from '#server/demo/random.ts'
import { periods } from '#shared/periods.ts'

const bodies = 2_000
const academicYear = '2026-2027'
// Old enough on this day is old enough in every later run.
const day = '2024-06-10'

/** @param isOnce with an idempotency key, as the form sends it */
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

export function searchRequests(port: number, cookie: string): () => Buffer {
  const random = createRandom(2)
  return reads(port, cookie, () => ({
    path: 'students',
    query: {
      search: random.pick(terms),
      component: random.pick(components),
      archive: 'active',
      academicYear: random.pick(years),
      page: random.chance(0.2) ? '2' : '1',
    },
  }))
}

interface ListRequests {
  count: number
  sort?: string
  // 'near': one of the first 100.
  page?: 'first' | 'near' | 'any'
  filters?: 'active' | 'component' | 'component and year'
}

export function listRequests(port: number, cookie: string, list: ListRequests): () => Buffer {
  const { count, sort = '-registrationDate', page = 'first', filters = 'active' } = list
  const random = createRandom(3)
  // Pages that surely exist: three in four records are active, and one in five is of a component and year.
  const all = Math.floor((count * (filters === 'active' ? 0.7 : 0.08)) / 50)
  const last = { first: 1, near: Math.min(100, all), any: all }[page]
  return reads(port, cookie, () => ({
    path: 'students',
    query: {
      archive: filters === 'component and year' ? 'all' : 'active',
      sort,
      page: String(random.integer(1, last)),
      ...(filters === 'active' ? {} : { component: random.pick(components) }),
      ...(filters === 'component and year' ? { academicYear: random.pick(years) } : {}),
    },
  }))
}

export function statisticsRequests(port: number, cookie: string): () => Buffer {
  const random = createRandom(4)
  return reads(port, cookie, () => ({
    path: 'statistics',
    query: { period: random.pick(periods), component: random.pick(['all', ...components]) },
  }))
}

export function summaryRequests(port: number, cookie: string, termId: string): () => Buffer {
  return reads(port, cookie, () => ({ path: `terms/${termId}/summary`, query: {} }))
}

/** Of random sections. */
export function sectionRequests(
  port: number,
  cookie: string,
  { termId, sections }: { termId: string; sections: readonly string[] },
): () => Buffer {
  const random = createRandom(5)
  const path = `terms/${termId}/enrolments`
  return reads(port, cookie, () => ({ path, query: { section: random.pick(sections) } }))
}

/** Pages of the first 1,000 of a component. */
export function unplacedRequests(port: number, cookie: string, termId: string): () => Buffer {
  const random = createRandom(6)
  const path = `terms/${termId}/unplaced`
  return reads(port, cookie, () => ({
    path,
    query: { component: 'CWTS', level: '1', page: String(random.integer(1, 20)) },
  }))
}

export function programRequests(port: number, cookie: string, students: readonly string[]): () => Buffer {
  const random = createRandom(8)
  return reads(port, cookie, () => ({ path: `students/${random.pick(students)}/program`, query: {} }))
}

export function verifyRequests(port: number, codes: readonly string[]): () => Buffer {
  const random = createRandom(9)
  return reads(port, '', () => ({ path: `verify/${random.pick(codes)}`, query: {} }))
}

function reads(
  port: number,
  cookie: string,
  make: () => { path: string; query: Record<string, string> },
): () => Buffer {
  const requests = Array.from({ length: 500 }, () => {
    const { path, query } = make()
    return Buffer.from(
      `GET /api/${path}?${new URLSearchParams(query)} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nCookie: ${cookie}\r\n\r\n`,
    )
  })
  let count = 0
  return () => requests[count++ % requests.length] ?? Buffer.alloc(0)
}
