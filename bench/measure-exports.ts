import { type Bench, isQuick } from './bench.ts'
import { measureExport } from './export-memory.ts'
import { atMost, type Figure, format } from './report.ts'

// The aim is set for the first; the second shows that memory doesn't grow with the records.
const counts = isQuick ? [20_000] : [20_000, 100_000]

export async function measureExports({ product, reference, database, cookie }: Bench): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const count of counts) {
    await database.refill(count)
    const bare = await measureExport(reference, cookie)
    const { seconds, size, peak, growth, othersP99 } = await measureExport(product, cookie)
    const memory =
      peak === null || growth === null
        ? 'memory unknown on this system'
        : `${format(growth)} MB more memory, ${format(peak)} MB in all`
    figures.push({
      what: `export of ${count.toLocaleString('en')} records: time, Node's peak memory, other requests meanwhile`,
      product: `${format(seconds)} s, ${memory} (file ${format(size)} MB), others p99 ${format(othersP99)} ms`,
      reference: `${format(bare.seconds)} s${bare.growth === null ? '' : `, ${format(bare.growth)} MB more memory`} (CSV, ${format(bare.size)} MB)`,
      aim: [
        ...(count === 100_000 ? [atMost(seconds, 5, ' s')] : []),
        atMost(othersP99, 50, ' ms'),
        ...(growth === null ? [] : [atMost(growth, 150, ' MB')]),
      ].join('; '),
    })
  }
  return figures
}
