import { createHash } from 'node:crypto'
import { Hono } from 'hono'
import type { Clock } from '#server/clock.ts'
import type { AppEnv } from '#server/http/context.ts'
import type { Site } from '#shared/site.ts'
import { feedPath, writeFeed } from './feed.ts'
import type { AnnouncementsService } from './service.ts'

/** How many it tells of. */
const feedLength = 20

interface FeedRoutesOptions {
  announcements: Pick<AnnouncementsService, 'latest'>
  site: () => Pick<Site, 'systemName' | 'schoolName'>
  /** Where the public finds this site, by the address of a request. */
  originOf: (requestUrl: string) => string
  clock: Clock
}

/** The feed of announcements, for readers and other sites. */
export function createFeedRoutes({ announcements, site, originOf, clock }: FeedRoutesOptions) {
  const timesOf = createChangeTimes(clock)
  return new Hono<AppEnv>().get(feedPath, async (c) => {
    const latest = await announcements.latest(feedLength)
    const feed = writeFeed({ announcements: latest, origin: originOf(c.req.url), ...site() })
    const etag = `"${createHash('sha256').update(feed).digest('base64url').slice(0, 27)}"`
    const lastModified = timesOf(etag)
    c.header('ETag', etag)
    c.header('Last-Modified', lastModified.toUTCString())
    c.header('Cache-Control', 'no-cache')
    if (isKnown((name) => c.req.header(name), etag, lastModified)) return c.body(null, 304)
    return c.body(feed, 200, { 'Content-Type': 'application/atom+xml; charset=utf-8' })
  })
}

/**
 * Since when the feed is what it is. Not the latest announcement's time: taking one away changes the feed as well.
 * Two different feeds never have the same time, which HTTP gives in seconds.
 */
function createChangeTimes(clock: Clock) {
  let known: { etag: string; at: number } | undefined
  return (etag: string): Date => {
    if (known?.etag !== etag) {
      const now = Math.floor(clock().getTime() / 1_000) * 1_000
      known = { etag, at: known ? Math.max(now, known.at + 1_000) : now }
    }
    return new Date(known.at)
  }
}

/** Whether the asker has it already (RFC 9110 §13): the tag decides, and the time where there is no tag. */
function isKnown(
  header: (name: 'If-None-Match' | 'If-Modified-Since') => string | undefined,
  etag: string,
  lastModified: Date,
): boolean {
  const tags = header('If-None-Match')
  if (tags !== undefined) {
    // Compressed answers have a weak tag.
    return tags.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()))
  }
  return Date.parse(header('If-Modified-Since') ?? '') >= lastModified.getTime()
}
