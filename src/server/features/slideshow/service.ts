import { isDeepStrictEqual } from 'node:util'
import { v7 as createId, validate as isUuid } from 'uuid'
import type { AppDatabase } from '#server/database/pool.ts'
import type { Queryable } from '#server/database/schema.ts'
import type { FilesService, PictureRules, Upload } from '#server/features/files/service.ts'
import type { Actor } from '#server/lib/actor.ts'
import type { Audit, AuditEntry } from '#server/lib/audit.ts'
import type { Clock } from '#server/lib/clock.ts'
import { AppError } from '#server/lib/errors.ts'
import { imageLimits } from '#shared/files/images.ts'
import { type Slide, slideSentences } from '#shared/slideshow/slides.ts'
import type { NewSlide, SlideChange } from '#shared/slideshow/slides-schema.ts'
import type { Topic } from '#shared/topics.ts'
import { createSlidesRepository, type SlideRow } from './repository.ts'

const pictureRules: PictureRules = {
  maxBytes: imageLimits.slide,
  widths: [640, 1280, 1920],
  jpegWidth: 1280,
}

const untitled = 'Untitled slide'

type RecordEntry = (entry: AuditEntry) => Promise<void>

interface SlidesServiceOptions {
  database: Pick<AppDatabase, 'db' | 'transact'>
  files: Pick<FilesService, 'preparePicture' | 'store' | 'release'>
  clock: Clock
  publish: (topic: Topic) => void
  audit: Audit
}

export type SlidesService = ReturnType<typeof createSlidesService>

export function createSlidesService({ database, files, clock, publish, audit }: SlidesServiceOptions) {
  async function change<T>(work: (tx: Queryable, record: RecordEntry) => Promise<T>): Promise<T> {
    let isChanged = false
    const result = await database.transact(async (tx) => {
      isChanged = false
      await createSlidesRepository(tx).lock()
      return await work(tx, async (entry) => {
        isChanged = true
        await audit.record(tx, entry)
      })
    })
    if (isChanged) publish('slides')
    return result
  }

  return {
    async listActive(): Promise<Slide[]> {
      return (await createSlidesRepository(database.db).listActive()).map(presentSlide)
    },

    async list(): Promise<Slide[]> {
      return (await createSlidesRepository(database.db).list()).map(presentSlide)
    },

    /** @throws AppError `invalid` without an image, or with one that isn't; `too_big` */
    async add(slide: NewSlide, image: Pick<Upload, 'bytes'> | undefined, actor: Actor): Promise<Slide> {
      if (!image) throw imageMissing()
      const picture = await files.preparePicture(image, pictureRules)
      return await change(async (tx, record) => {
        const slides = createSlidesRepository(tx)
        await files.store(tx, picture.files)
        const now = clock()
        const row = await slides.insert({
          ...slide,
          id: createId(),
          image: JSON.stringify(picture.value),
          position: await slides.count(),
          createdAt: now,
          updatedAt: now,
        })
        await record({ action: 'slide-added', actor, subject: nameOf(row) })
        return presentSlide(row)
      })
    },

    /**
     * @param version the version that the edit was based on
     * @throws AppError `not_found`; `conflict` when the slide was changed since; `invalid`; `too_big`
     */
    async edit(
      id: string,
      version: number,
      edit: SlideChange,
      image: Pick<Upload, 'bytes'> | undefined,
      actor: Actor,
    ): Promise<Slide> {
      const picture = image && (await files.preparePicture(image, pictureRules))
      return await change(async (tx, record) => {
        const slides = createSlidesRepository(tx)
        const current = await findSlide(tx, id)
        if (current.version !== version) throw new AppError('conflict')
        const { title = current.title, description = current.description, active = current.active } = edit
        const after = { title, description, active, image: picture?.value ?? current.image }
        const fields = differing(contentOf(current), after)
        if (fields.length === 0) return presentSlide(current)
        if (picture) await files.store(tx, picture.files)
        const row = await slides.update(id, {
          ...after,
          image: JSON.stringify(after.image),
          version: version + 1,
          updatedAt: clock(),
        })
        if (fields.includes('image')) await files.release(tx, [current.image])
        await record({
          action: 'slide-edited',
          actor,
          subject: nameOf(row),
          fields,
          values: { before: auditValues(current, fields), after: auditValues(row, fields) },
        })
        return presentSlide(row)
      })
    },

    /**
     * @param version undefined for any
     * @throws AppError `not_found`; `conflict` when the slide was changed since
     */
    async delete(id: string, version: number | undefined, actor: Actor): Promise<void> {
      await change(async (tx, record) => {
        const current = await findSlide(tx, id)
        if (version !== undefined && current.version !== version) throw new AppError('conflict')
        await createSlidesRepository(tx).delete(current)
        await files.release(tx, [current.image])
        await record({ action: 'slide-deleted', actor, subject: nameOf(current) })
      })
    },

    /** @throws AppError `conflict` when these aren't the slides any more */
    async reorder(ids: readonly string[], actor: Actor): Promise<Slide[]> {
      return await change(async (tx, record) => {
        const slides = createSlidesRepository(tx)
        const before = (await slides.list()).map(({ id }) => id)
        if (!isDeepStrictEqual(new Set(before), new Set(ids))) {
          throw new AppError('conflict', { detail: slideSentences.otherSlides })
        }
        if (!isDeepStrictEqual(before, ids)) {
          await slides.setOrder(ids)
          await record({ action: 'slides-reordered', actor, affected: ids.length })
        }
        return (await slides.list()).map(presentSlide)
      })
    },
  }
}

async function findSlide(tx: Queryable, id: string): Promise<SlideRow> {
  const row = isUuid(id) ? await createSlidesRepository(tx).find(id) : undefined
  if (!row) throw new AppError('not_found', { detail: slideSentences.missing })
  return row
}

type SlideContent = Pick<SlideRow, 'title' | 'description' | 'image' | 'active'>

function contentOf({ title, description, image, active }: SlideRow): SlideContent {
  return { title, description, image, active }
}

function differing(before: SlideContent, after: SlideContent): (keyof SlideContent)[] {
  const fields = ['title', 'description', 'image', 'active'] as const
  return fields.filter((field) => !isDeepStrictEqual(before[field], after[field]))
}

function auditValues(row: SlideRow, fields: readonly (keyof SlideContent)[]): Record<string, unknown> {
  const values = { ...contentOf(row), image: row.image.jpeg.url }
  return Object.fromEntries(fields.map((field) => [field, values[field]]))
}

function nameOf({ title }: Pick<SlideRow, 'title'>): string {
  return title || untitled
}

function imageMissing(): AppError {
  const message = slideSentences.imageMissing
  return new AppError('invalid', { detail: message, errors: [{ path: 'image', message }] })
}

function presentSlide(row: SlideRow): Slide {
  const { id, version, title, description, image, active, position, createdAt } = row
  return {
    id,
    version,
    title,
    description,
    active,
    order: position,
    createdAt: createdAt.getTime(),
    imageUrl: image.jpeg.url,
    image,
  }
}
