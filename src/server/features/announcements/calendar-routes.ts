import { Hono } from 'hono'
import { validate as isUuid } from 'uuid'
import type { AppEnv } from '#server/http/context.ts'
import { AppError } from '#server/lib/errors.ts'
import type { Announcement } from '#shared/announcements/announcement-response.ts'
import { announcementPath, announcementSentences } from '#shared/announcements/announcements.ts'
import type { AnnouncementsService } from './service.ts'

interface CalendarRoutesOptions {
  announcements: Pick<AnnouncementsService, 'read'>
  originOf: (requestUrl: string) => string
}

export function createCalendarRoutes({ announcements, originOf }: CalendarRoutesOptions) {
  return new Hono<AppEnv>().get('/announcements/:id/event.ics', async (c) => {
    const id = c.req.param('id')
    if (!isUuid(id)) throw new AppError('not_found', announcementSentences.missing)
    const { eventAt, ...event } = await announcements.read(id)
    if (eventAt === null) throw new AppError('not_found', announcementSentences.missing)
    return c.body(writeCalendar({ ...event, eventAt }, originOf(c.req.url)), 200, {
      'Content-Type': 'text/calendar; charset=utf-8',
      // Not as an attachment: a phone offers its calendar.
      'Content-Disposition': 'inline; filename="event.ics"',
      'Cache-Control': 'no-cache',
    })
  })
}

// Writes an event by RFC 5545. It has no end, because the office doesn't give one.
function writeCalendar(
  { id, title, excerpt, place, updatedAt, eventAt }: Announcement & { eventAt: number },
  origin: string,
): string {
  const address = origin + announcementPath(id)
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//NSTP Portal//EN',
    'BEGIN:VEVENT',
    `UID:${id}`,
    `DTSTAMP:${utc(updatedAt)}`,
    `DTSTART:${utc(eventAt)}`,
    `SUMMARY:${escaped(title)}`,
    ...(place === '' ? [] : [`LOCATION:${escaped(place)}`]),
    `DESCRIPTION:${escaped(`${excerpt}\n${address}`)}`,
    `URL:${address}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${folded(line)}\r\n`).join('')
}

function utc(instant: number): string {
  return new Date(instant).toISOString().replace(/[-:]|\.\d+/g, '')
}

function escaped(text: string): string {
  return text.replace(/[\\;,]/g, '\\$&').replaceAll('\n', '\\n')
}

const maxOctets = 75

// The rest of a long line follows after a space; no character is cut.
function folded(line: string): string {
  let written = ''
  let octets = 0
  for (const character of line) {
    const size = Buffer.byteLength(character)
    if (octets + size > maxOctets) {
      written += '\r\n '
      octets = 1
    }
    written += character
    octets += size
  }
  return written
}
