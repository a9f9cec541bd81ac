import { type Bench, seconds } from './bench.ts'
import { compare, rateText, ratio } from './compare.ts'
import { runLoad } from './load.ts'
import { atMost, type Figure } from './report.ts'
import { registrationRequests } from './workload.ts'

export async function measureRegistrations(bench: Bench): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const isOnce of [true, false]) {
    const { product, reference } = await compare(bench, async (port) => {
      await bench.database.empty()
      return runLoad({ port, connections: 32, seconds, next: await registrationRequests(port, isOnce) })
    })
    figures.push({
      what: `durable registrations at 32 connections, ${isOnce ? 'each with its idempotency key' : 'without keys'}`,
      product: rateText(product),
      reference: rateText(reference),
      aim: `${ratio({ product, reference }, 1)}; ${atMost(product.p99, 25, ' ms')}`,
    })
  }
  return figures
}
