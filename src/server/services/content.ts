import { createAnnouncementChanges } from '#server/features/announcements/change-service.ts'
import { cacheFormatted } from '#server/features/announcements/formatting-cache.ts'
import { createPublicationClock } from '#server/features/announcements/publication-clock.ts'
import { createAnnouncementsService } from '#server/features/announcements/service.ts'
import type { FilesService } from '#server/features/files/service.ts'
import { createOrgChartService } from '#server/features/org-chart/service.ts'
import { createSlidesService } from '#server/features/slideshow/service.ts'
import { createFormatting } from '#server/lib/formatting.ts'
import type { AppContext } from './context.ts'

interface ContentOptions {
  files: FilesService
  canMail: () => boolean
}

export function createContentServices(context: AppContext, { files, canMail }: ContentOptions) {
  const { env, database, notices, clock, audit, log, closing } = context
  const changes = { database, clock, audit, publish: notices.publish, files }
  const ownOrigin = env.PUBLIC_URL && new URL(env.PUBLIC_URL).origin
  const format = cacheFormatted(createFormatting({ ownOrigin }))
  const announcements = createAnnouncementsService({ db: database.db, clock, format })
  const publications = createPublicationClock({
    nextChange: announcements.nextChange,
    notices,
    clock,
    log,
    closing,
  })
  const chart = createOrgChartService(changes)
  return {
    announcements,
    publications,
    chart,
    parts: {
      announcements: {
        announcements,
        changes: createAnnouncementChanges({ ...changes, format, canMail }),
        timeZone: env.TZ_PROGRAM,
      },
      slides: { slides: createSlidesService(changes) },
      orgChart: { chart },
    },
  }
}
