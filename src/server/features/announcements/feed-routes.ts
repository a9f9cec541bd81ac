import { Hono } from 'hono'
import { etag } from 'hono/etag'
import type { AppEnv } from '#server/http/context.ts'
import { xmlEscape } from '#server/lib/xml-escape.ts'
import {
  type Announcement,
  announcementPath,
  announcementsPath,
  feedPath,
} from '#shared/announcements/announcements.ts'
import type { Site } from '#shared/site/site.ts'
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

interface FeedOptions {
  /** The latest, in any order. */
  announcements: readonly Announcement[]
  /** Where the site is: 'https://nstp.school.edu.ph'. */
  origin: string
  systemName: string
  schoolName: string
}

/** What XML 1.0 has no place for: most control characters, two non-characters, halves of characters. */
const unwritable = /[^\P{Cc}\t\n\u007f-\u009f]|[\ufffe\uffff\ud800-\udfff]/gu

/** Writes announcements as an Atom feed (RFC 4287). */
function writeFeed({ announcements, origin, systemName, schoolName }: FeedOptions): string {
  const updated = Math.max(0, ...announcements.map(updatedOf))
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">',
    element('id', origin + announcementsPath),
    element('title', `${systemName} announcements`),
    element('updated', new Date(updated).toISOString()),
    `<author>${element('name', schoolName || systemName)}</author>`,
    link({ rel: 'self', type: 'application/atom+xml', href: origin + feedPath }),
    link({ rel: 'alternate', type: 'text/html', href: origin + announcementsPath }),
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
    link({ rel: 'alternate', type: 'text/html', href: `${origin}${announcementPath(id)}` }),
    ...(image ? [link({ rel: 'enclosure', type: 'image/jpeg', href: origin + image.jpeg.url })] : []),
    element('summary', excerpt),
    element('content', contentHtml, 'html'),
    '</entry>',
  ].join('\n')
}

/** What was written before its publication is new when it appears. */
function updatedOf({ updatedAt, publishAt }: Announcement): number {
  return Math.max(updatedAt, publishAt)
}

function link(attributes: { rel: string; type: string; href: string }): string {
  return tag('link', attributes)
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
