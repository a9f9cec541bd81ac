import { Hono } from 'hono'
import { etag } from 'hono/etag'
import { cachedFor } from '#server/http/cache/cached-routes.ts'
import type { AppEnv } from '#server/http/context.ts'
import { xmlEscape } from '#server/lib/xml-escape.ts'
import type { Announcement } from '#shared/announcements/announcement-response.ts'
import { announcementPath, announcementsPath, feedPath } from '#shared/announcements/announcements.ts'
import type { Site } from '#shared/site/site.ts'
import type { AnnouncementsService } from './service.ts'

const feedLength = 20

interface FeedRoutesOptions {
  announcements: Pick<AnnouncementsService, 'latest'>
  site: () => Pick<Site, 'systemName' | 'schoolName'>
  originOf: (requestUrl: string) => string
}

/** Uses an ETag: a date could not show that an announcement was removed. */
export function createFeedRoutes({ announcements, site, originOf }: FeedRoutesOptions) {
  return new Hono<AppEnv>().get(feedPath, cachedFor(['announcements', 'settings']), etag(), async (c) => {
    const latest = await announcements.latest(feedLength)
    const feed = writeFeed(latest, originOf(c.req.url), site())
    return c.body(feed, 200, {
      'Content-Type': 'application/atom+xml; charset=utf-8',
      'Cache-Control': 'no-cache',
    })
  })
}

// Characters that XML 1.0 forbids.
const unwritable = /[^\P{Cc}\t\n\u007f-\u009f]|[\ufffe\uffff\ud800-\udfff]/gu

// RFC 4287.
function writeFeed(
  announcements: readonly Announcement[],
  origin: string,
  { systemName, schoolName }: Pick<Site, 'systemName' | 'schoolName'>,
): string {
  const updated = Math.max(0, ...announcements.map(updatedOf))
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">',
    element('id', origin + announcementsPath),
    element('title', `${systemName} announcements`),
    element('updated', new Date(updated).toISOString()),
    `<author>${element('name', schoolName || systemName)}</author>`,
    tag('link', { rel: 'self', type: 'application/atom+xml', href: origin + feedPath }),
    tag('link', { rel: 'alternate', type: 'text/html', href: origin + announcementsPath }),
    ...announcements.map((announcement) => entry(announcement, origin)),
    '</feed>\n',
  ].join('\n')
}

function entry(announcement: Announcement, origin: string): string {
  const { id, title, category, contentHtml, excerpt, publishAt, image } = announcement
  return [
    '<entry>',
    element('id', `urn:uuid:${id}`),
    element('title', title),
    element('published', new Date(publishAt).toISOString()),
    element('updated', new Date(updatedOf(announcement)).toISOString()),
    tag('category', { term: category }),
    tag('link', { rel: 'alternate', type: 'text/html', href: `${origin}${announcementPath(id)}` }),
    ...(image ? [tag('link', { rel: 'enclosure', type: 'image/jpeg', href: origin + image.jpeg.url })] : []),
    element('summary', excerpt),
    element('content', contentHtml, 'html'),
    '</entry>',
  ].join('\n')
}

function updatedOf({ updatedAt, publishAt }: Announcement): number {
  return Math.max(updatedAt, publishAt)
}

function tag(name: string, attributes: Record<string, string>): string {
  const written = Object.entries(attributes).map(([attribute, value]) => ` ${attribute}="${xmlText(value)}"`)
  return `<${name}${written.join('')}/>`
}

function element(name: string, text: string, type?: 'html'): string {
  return `<${name}${type ? ` type="${type}"` : ''}>${xmlText(text)}</${name}>`
}

function xmlText(text: string): string {
  return xmlEscape(text.replace(unwritable, ''))
}
