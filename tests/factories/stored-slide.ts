import { v7 as createId } from 'uuid'
import type { AppDatabase } from '#server/database/pool.ts'
import type { Picture } from '#shared/files/picture.ts'

// The files don't exist.
function buildPicture(width = 1600, height = 900): Picture {
  const url = (name: string) => `/api/files/${name.repeat(64)}`
  return {
    width,
    height,
    webp: [
      { url: `${url('a')}.webp`, width: 640 },
      { url: `${url('b')}.webp`, width },
    ],
    jpeg: { url: `${url('c')}.jpg`, width: 1280, height: Math.round((1280 * height) / width) },
  }
}

export async function storeSlides(
  { db }: Pick<AppDatabase, 'db'>,
  slides: readonly { title?: string; description?: string; active?: boolean }[],
): Promise<string[]> {
  const at = new Date('2026-11-20T02:00:00Z')
  const rows = slides.map((slide, position) => ({
    id: createId(),
    title: `Slide ${position + 1}`,
    description: '',
    active: true,
    ...slide,
    image: buildPicture(),
    position,
    createdAt: at,
    updatedAt: at,
  }))
  if (rows.length > 0) await db.insertInto('slides').values(rows).execute()
  return rows.map(({ id }) => id)
}
