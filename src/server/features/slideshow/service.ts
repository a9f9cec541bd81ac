import { isDeepStrictEqual } from 'node:util'
import { v7 as createId } from 'uuid'
import type { PictureFiles } from '#server/features/files/service.ts'
import type { UploadedFile } from '#server/http/read-body.ts'
import type { Actor } from '#server/lib/actor.ts'
import { type ChangeContext, changesBetween, changesOf, mustBeCurrent, pick } from '#server/lib/change.ts'
import { AppError, invalid } from '#server/lib/errors.ts'
import { imageLimits } from '#shared/files/images.ts'
import { slideSentences } from '#shared/slideshow/slides.ts'
import type { Slide } from '#shared/slideshow/slides-response.ts'
import type { NewSlide, SlideChange } from '#shared/slideshow/slides-schema.ts'
import { createSlidesRepository, type SlideRow, type SlidesRepository } from './repository.ts'

const pictureRules = { maxBytes: imageLimits.slide, widths: [640, 1280, 1920], jpegWidth: 1280 }

type Image = Pick<UploadedFile, 'bytes'> | undefined

export function createSlidesService(options: ChangeContext & { files: PictureFiles }) {
  const { database, files, clock } = options

  const change = changesOf(options, 'slides', async (tx) => {
    const slides = createSlidesRepository(tx)
    await slides.lock()
    return slides
  })

  const list = async (which?: { onlyActive: boolean }): Promise<Slide[]> =>
    (await createSlidesRepository(database.db).list(which)).map(presentSlide)

  return {
    listActive: () => list({ onlyActive: true }),
    list: () => list(),

    async add(slide: NewSlide, image: Image, actor: Actor): Promise<Slide> {
      if (!image) throw invalid('image', slideSentences.imageMissing)
      const picture = await files.preparePicture(image, pictureRules)
      return await change(async (slides, tx, record) => {
        await files.store(tx, picture.files)
        const now = clock()
        const times = { createdAt: now, updatedAt: now }
        const row = await slides.insert({ ...slide, id: createId(), image: picture.value, ...times })
        await record({ action: 'slide-added', actor, subject: nameOf(row) })
        return presentSlide(row)
      })
    },

    async edit(id: string, version: number, edit: SlideChange, image: Image, actor: Actor): Promise<Slide> {
      const picture = image && (await files.preparePicture(image, pictureRules))
      return await change(async (slides, tx, record) => {
        const current = await findSlide(slides, id, version)
        const { fields, after } = changesBetween(current, { ...edit, image: picture?.value })
        if (fields.length === 0) return presentSlide(current)
        await files.store(tx, picture?.files)
        const row = await slides.update(id, { ...after, updatedAt: clock() })
        await files.release(tx, [current.image])
        const values = { before: auditValues(current, fields), after: auditValues(row, fields) }
        await record({ action: 'slide-edited', actor, subject: nameOf(row), fields, values })
        return presentSlide(row)
      })
    },

    async delete(id: string, version: number | undefined, actor: Actor): Promise<void> {
      await change(async (slides, tx, record) => {
        const current = await findSlide(slides, id, version)
        await slides.delete(current)
        await files.release(tx, [current.image])
        await record({ action: 'slide-deleted', actor, subject: nameOf(current) })
      })
    },

    reorder: async (ids: readonly string[], actor: Actor): Promise<Slide[]> =>
      change(async (slides, _tx, record) => {
        const before = (await slides.list()).map(({ id }) => id)
        if (!isDeepStrictEqual(new Set(before), new Set(ids))) {
          throw new AppError('conflict', slideSentences.otherSlides)
        }
        if (!isDeepStrictEqual(before, ids)) {
          await slides.setOrder(ids)
          await record({ action: 'slides-reordered', actor, affected: ids.length })
        }
        return (await slides.list()).map(presentSlide)
      }),
  }
}

async function findSlide(slides: SlidesRepository, id: string, version: number | undefined) {
  return mustBeCurrent(await slides.find(id), slideSentences.missing, version)
}

function auditValues(row: SlideRow, fields: readonly (keyof SlideRow)[]) {
  return pick({ ...row, image: row.image.jpeg.url }, fields)
}

const nameOf = ({ title }: SlideRow) => title || 'Untitled slide'

function presentSlide({ position, createdAt, updatedAt, ...slide }: SlideRow): Slide {
  return { ...slide, order: position, createdAt: createdAt.getTime(), imageUrl: slide.image.jpeg.url }
}
