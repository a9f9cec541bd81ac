import { type Bench, isQuick, seconds } from './bench.ts'
import { compare, latencyText } from './compare.ts'
import { runLoad } from './load.ts'
import { atLeast, atMost, type Figure, format } from './report.ts'
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
  'any page': { page: 'any' },
  'one of the first 100 pages by name': { sort: 'name', page: 'near' },
  'any page of a component and academic year': { filters: 'component and year', page: 'any' },
} as const

/** @param aim milliseconds for 99 of 100 responses */
export async function measureCounted(bench: Bench, count: number, aim?: number): Promise<Figure[]> {
  await bench.database.refill(count)
  async function measure(what: string, connections: number, requests: (port: number) => () => Buffer) {
    const { product, reference } = await compare(bench, (port) =>
      runLoad({ port, connections, seconds: seconds / 2, warmUpSeconds: 1, next: requests(port) }),
    )
    const ratio = product.perSecond / reference.perSecond
    return {
      what: `${what}, ${records(count)}, ${connections} connection${connections === 1 ? '' : 's'}`,
      product: latencyText(product),
      reference: latencyText(reference),
      aim:
        aim === undefined
          ? atLeast(ratio, 1.5, ' ×')
          : `${atMost(product.p99, aim, ' ms')} (${format(ratio)} ×)`,
    }
  }
  const figures = [
    await measure('students list, the first page of a component with its total', 8, (port) =>
      listRequests(port, bench.cookie, { count, filters: 'component' }),
    ),
  ]
  for (const [name, list] of Object.entries(lists)) {
    figures.push(
      await measure(`students list, ${name}`, 1, (port) =>
        listRequests(port, bench.cookie, { count, ...list }),
      ),
    )
  }
  figures.push(
    await measure('statistics, any period and component', 1, (port) =>
      statisticsRequests(port, bench.cookie),
    ),
  )
  return figures
}

const records = (count: number) => `${count.toLocaleString('en')} records`
