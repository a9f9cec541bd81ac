import type { Insertable } from 'kysely'
import { v7 as createId } from 'uuid'
import type { AppDatabase } from '#server/database/pool.ts'
import type { AnnouncementsTable } from '#server/database/schema.ts'

const dayMs = 86_400_000

const content = `All **first-year** students are asked to come to the gym at *7:00 AM* on Saturday.

- Bring water, a hat and your school ID
- Wear the prescribed attire: see https://nstp.school.example/attire
- Those with medical conditions: write to nurse@school.example before Friday

Attendance will be checked twice. Questions may be asked at the NSTP office, second floor of the main building.`

/** Public one day earlier than the announcement before it. */
function buildStoredAnnouncement(
  overrides: Partial<Insertable<AnnouncementsTable>> = {},
  index = 0,
): Insertable<AnnouncementsTable> {
  const at = new Date(Date.UTC(2026, 10, 20, 2) - index * dayMs)
  return {
    id: createId(),
    title: `Announcement ${index + 1}`,
    content,
    category: 'General',
    pinned: false,
    publishedAt: at,
    expireAt: null,
    image: null,
    attachment: null,
    createdAt: at,
    updatedAt: at,
    createdBy: null,
    authorEmail: 'office@school.example',
    ...overrides,
  }
}

export async function storeAnnouncements(
  { db }: Pick<AppDatabase, 'db'>,
  announcements: readonly Partial<Insertable<AnnouncementsTable>>[],
): Promise<string[]> {
  const rows = announcements.map(buildStoredAnnouncement)
  if (rows.length > 0) await db.insertInto('announcements').values(rows).execute()
  return rows.map(({ id }) => id)
}
