import { type Bench, isQuick, seconds } from './bench.ts'
import { compare, latencyText, ratio } from './compare.ts'
import { runLoad } from './load.ts'
import { atMost, type Figure } from './report.ts'
import { listRequests, searchRequests, statisticsRequests } from './workload.ts'

const many = 100_000
const searchCounts = isQuick ? [10_000] : [10_000, many]

export async function measureSearches(bench: Bench): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const count of searchCounts) {
    await bench.database.refill(count)
    for (const connections of [8, 1]) {
      const { product, reference } = await compare(bench, (port) =>
        runLoad({ port, connections, seconds, next: searchRequests(port, bench.cookie) }),
      )
      figures.push({
        what: `students page with filter, search and count, ${records(count)}, ${connections} connection${connections === 1 ? '' : 's'}`,
        product: latencyText(product),
        reference: latencyText(reference),
        aim: ratio({ product, reference }, count === many ? 0.8 : 0.6),
      })
    }
  }
  return figures
}

const lists = {
  'the first page': {},
  'the first page by name': { sort: 'name' },
  'any page': { page: 'any' },
  'one of the first 100 pages by name': { sort: 'name', page: 'near' },
  'any page of a component and academic year': { filters: 'component and year', page: 'any' },
} as const

// What a bare server would have for its statistics. Only while those are measured: a registration would pay for it.
const statisticsIndex = `
  create index reference_statistics on students (registration_date)
  include (nstp_component, sex, course, year_level, archived)`

interface Row {
  what: string
  requests: (port: number) => () => Buffer
  connections?: number
  // How many times the reference's rate.
  aim?: number
  // In ms, of 99 of 100 responses.
  limit?: number | undefined
}

/** @param limit milliseconds for 99 of 100 responses */
export async function measureCounted(bench: Bench, count: number, limit?: number): Promise<Figure[]> {
  await bench.database.refill(count)
  async function measure({ what, requests, connections = 1, aim = 1.5, ...row }: Row): Promise<Figure> {
    const { product, reference } = await compare(bench, (port) =>
      runLoad({ port, connections, seconds: seconds / 2, warmUpSeconds: 1, next: requests(port) }),
    )
    const most = row.limit ?? limit
    return {
      what: `${what}, ${records(count)}, ${connections} connection${connections === 1 ? '' : 's'}`,
      product: latencyText(product),
      reference: latencyText(reference),
      aim: [
        ratio({ product, reference }, aim),
        ...(most === undefined ? [] : [atMost(product.p99, most, ' ms')]),
      ].join('; '),
    }
  }
  const { cookie, database } = bench
  const figures = [
    await measure({
      what: 'students list, the first page of a component with its total',
      requests: (port) => listRequests(port, cookie, { count, filters: 'component' }),
      connections: 8,
      limit: limit ?? 30,
    }),
  ]
  for (const [name, list] of Object.entries(lists)) {
    const requests = (port: number) => listRequests(port, cookie, { count, ...list })
    figures.push(await measure({ what: `students list, ${name}`, requests }))
  }
  await database.run(statisticsIndex)
  await database.run('vacuum (analyze) students')
  const requests = (port: number) => statisticsRequests(port, cookie)
  figures.push(await measure({ what: 'statistics, any period and component', requests, aim: 10 }))
  await database.run('drop index reference_statistics')
  return figures
}

const records = (count: number) => `${count.toLocaleString('en')} records`
