import { createFormatting } from '#server/features/announcements/formatting.ts'
import { createAnnouncementsService } from '#server/features/announcements/service.ts'
import type { Foundation } from './foundation.ts'

/** What the coordinator publishes: announcements, the slides of the home page, the organizational chart. */
export function createContentServices({ env, database, clock }: Foundation) {
  const announcements = createAnnouncementsService({
    db: database.db,
    clock,
    format: createFormatting({ ownOrigin: env.PUBLIC_URL && new URL(env.PUBLIC_URL).origin }),
  })
  return {
    announcements,
    parts: {
      announcements: { announcements },
    },
  }
}
