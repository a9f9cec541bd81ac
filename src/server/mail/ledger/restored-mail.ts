import type { Queryable } from '#server/database/schema.ts'
import { createClaimsRepository } from './claims-repository.ts'

/**
 * Ends what a restored backup holds of unsent mail: between then and now it was sent, or is out of date. What was on its way may have
 * gone out.
 */
export async function endRestoredMail(db: Queryable, now: Date): Promise<void> {
  await createClaimsRepository(db).endAll(now, {
    queued:
      'It was waiting when the backup was made that was restored. It is not sent, because it may have been sent since.',
    sending:
      'It was being sent when the backup was made that was restored, so nobody knows whether it went out.',
  })
}
