import type { BenchDatabase } from './bench-database.ts'
import type { Running } from './processes.ts'

/** For trying the benchmark itself: shorter, and the figures aren't kept. */
export const isQuick = process.argv.includes('--quick')
/** How long each measurement of a load takes, after as long a warming up as there is time for. */
export const seconds = isQuick ? 2 : 6

/** What is measured: the product, beside the reference on the same database. */
export interface Bench {
  product: Running
  reference: Running
  database: BenchDatabase
  /** An administrator's session with the product. */
  cookie: string
  /** The built product's entry, beside which its commands are. */
  productEntry: string
  /** Where the product runs. */
  dataDir: string
  /** For whatever a measurement leaves; removed at the end. */
  folder: string
}
