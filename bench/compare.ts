import type { Bench } from './bench.ts'
import { isQuick } from './bench.ts'
import type { LoadResult } from './load.ts'
import { atLeast, format } from './report.ts'

// Product and reference alternate, so that a busy moment affects both.
const rounds = isQuick ? 1 : 2

type Mean = Pick<LoadResult, 'perSecond' | 'p50' | 'p99'>

export async function compare(
  { product, reference }: Pick<Bench, 'product' | 'reference'>,
  load: (port: number) => Promise<LoadResult>,
): Promise<{ product: Mean; reference: Mean }> {
  const results: Record<'product' | 'reference', LoadResult[]> = { product: [], reference: [] }
  for (let round = 0; round < rounds; round++) {
    for (const [subject, { port }] of [['reference', reference] as const, ['product', product] as const]) {
      const result = await load(port)
      if (result.failures !== '') throw new Error(`${subject} failed: ${result.failures}`)
      results[subject].push(result)
    }
  }
  return { product: mean(results.product), reference: mean(results.reference) }
}

export function mean(results: readonly LoadResult[]): Mean {
  const of = (read: (result: LoadResult) => number) =>
    results.reduce((sum, result) => sum + read(result), 0) / results.length
  return {
    perSecond: of(({ perSecond }) => perSecond),
    p50: of(({ p50 }) => p50),
    p99: of(({ p99 }) => p99),
  }
}

/** Of the rates, as a multiple of the reference's. */
export const ratio = ({ product, reference }: Record<'product' | 'reference', Mean>, aim: number) =>
  atLeast(product.perSecond / reference.perSecond, aim, ' ×')

export const rateText = ({ perSecond, p99 }: Mean) => `${format(perSecond)}/s, p99 ${format(p99)} ms`
export const latencyText = ({ perSecond, p50, p99 }: Mean) =>
  `p50 ${format(p50)}, p99 ${format(p99)} ms (${format(perSecond)}/s)`
