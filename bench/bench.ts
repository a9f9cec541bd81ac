import type { BenchDatabase } from './bench-database.ts'
import type { Running } from './processes.ts'

// A trial of the benchmark: shorter, and the figures aren't saved.
export const isQuick = process.argv.includes('--quick')
// Of each measurement, after a warm-up of up to the same time.
export const seconds = isQuick ? 2 : 6

export interface Bench {
  product: Running
  reference: Running
  database: BenchDatabase
  cookie: string
  productEntry: string
  dataDir: string
  folder: string
}
