// The global set-up of the tests that run the built product: most of theirs begin with a copy of this one's data folder, an
// open portal whose administrator has a password. A new database takes three times as long.
import { startProduct, templateVariable } from './product.ts'

export default async function makeTemplate(): Promise<() => Promise<void>> {
  const product = await startProduct()
  await product.stop()
  process.env[templateVariable] = product.dataDir
  return product.remove
}
