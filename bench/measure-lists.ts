import { type Bench, isQuick, seconds } from './bench.ts'
import { compare, latencyText } from './compare.ts'
import { runLoad } from './load.ts'
import { atLeast, atMost, type Figure } from './report.ts'
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
        aim:
          connections === 1 && count === many
            ? atMost(product.p99, 50, ' ms')
            : atLeast((100 * product.perSecond) / reference.perSecond, 60, '%'),
      })
    }
  }
  return figures
}

const lists = {
  'the first page': {},
  'the first page by name': { sort: 'name' },
  'any page': { isAnyPage: true },
  'any page by name': { sort: 'name', isAnyPage: true },
  'any page of a component and academic year': { isFiltered: true, isAnyPage: true },
} as const

/** @param aim milliseconds for 99 of 100 responses */
export async function measureCounted(bench: Bench, count: number, aim?: number): Promise<Figure[]> {
  await bench.database.refill(count)
  const figures: Figure[] = []
  async function measure(what: string, requests: (port: number) => () => Buffer) {
    const { product, reference } = await compare(bench, (port) =>
      runLoad({ port, connections: 1, seconds: seconds / 2, warmUpSeconds: 1, next: requests(port) }),
    )
    figures.push({
      what: `${what}, ${records(count)}, 1 connection`,
      product: latencyText(product),
      reference: latencyText(reference),
      aim: aim === undefined ? '' : atMost(product.p99, aim, ' ms'),
    })
  }
  for (const [name, list] of Object.entries(lists)) {
    await measure(`students list, ${name}`, (port) => listRequests(port, bench.cookie, { count, ...list }))
  }
  await measure('statistics, any period and component', (port) => statisticsRequests(port, bench.cookie))
  return figures
}

const records = (count: number) => `${count.toLocaleString('en')} records`
