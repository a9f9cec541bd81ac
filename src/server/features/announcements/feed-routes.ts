import { Hono } from 'hono'
import { etag } from 'hono/etag'
import type { AppEnv } from '#server/http/context.ts'
import { feedPath } from '#shared/announcement-paths.ts'
import type { Site } from '#shared/site.ts'
import { writeFeed } from './feed.ts'
import type { AnnouncementsService } from './service.ts'

/** How many it tells of. */
const feedLength = 20

interface FeedRoutesOptions {
  announcements: Pick<AnnouncementsService, 'latest'>
  site: () => Pick<Site, 'systemName' | 'schoolName'>
  /** Where the public finds this site, by the address of a request. */
  originOf: (requestUrl: string) => string
}

/**
 * The feed of announcements, for readers and other sites. Readers ask by its tag whether it is another one; no
 * time could tell, since taking an announcement away changes the feed as well.
 */
export function createFeedRoutes({ announcements, site, originOf }: FeedRoutesOptions) {
  return new Hono<AppEnv>().get(feedPath, etag(), async (c) => {
    const latest = await announcements.latest(feedLength)
    const feed = writeFeed({ announcements: latest, origin: originOf(c.req.url), ...site() })
    return c.body(feed, 200, {
      'Content-Type': 'application/atom+xml; charset=utf-8',
      'Cache-Control': 'no-cache',
    })
  })
}
