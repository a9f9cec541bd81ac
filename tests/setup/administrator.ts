import type { Queryable } from '#server/database/schema.ts'

export const adminEmail = 'coordinator@school.example'
export const adminPassword = 'a long enough pass phrase'
// The least that Argon2 takes.
export const cheapestCost = { memoryCost: 8, timeCost: 1, parallelism: 1 }

/** As if the owner had changed the first password. */
export async function endFirstPassword(db: Queryable): Promise<void> {
  await db.updateTable('admins').set({ hasFirstPassword: false }).execute()
}
