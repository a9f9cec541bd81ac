import type { Transaction } from 'kysely'
import type { Tables } from '#server/database/schema.ts'

/** What is computed from the rows and therefore in no backup: each feature that keeps such tables adds its own. */
const rebuilds: readonly ((tx: Transaction<Tables>) => Promise<void>)[] = []

/** Makes anew what a backup leaves out because it can be computed. */
export async function rebuildDerived(tx: Transaction<Tables>): Promise<void> {
  for (const rebuild of rebuilds) await rebuild(tx)
}
