import { z } from '@hono/zod-openapi'
import type { PictureFiles } from '#server/features/files/service.ts'
import { mustBe } from '#server/http/auth.ts'
import { cachedFor } from '#server/http/cache/cached-routes.ts'
import { files as allowFiles, inJson } from '#server/http/limits.ts'
import { multipartBody, readBody } from '#server/http/read-body.ts'
import { created, createRouter, done, formBody, ok, publicRoutes, staffRoutes } from '#server/http/router.ts'
import { ifMatchHeader, parseFields, seenVersionHeader, trueOrFalse } from '#server/http/schemas.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { imageLimits, imageMessages } from '#shared/files/images.ts'
import { slideSentences } from '#shared/slideshow/slides.ts'
import { slideListSchema, slideSchema } from '#shared/slideshow/slides-response.ts'
import { newSlideSchema, slideChangeSchema, slideOrderSchema } from '#shared/slideshow/slides-schema.ts'
import { createSlidesService } from './service.ts'

const listQuery = z.strictObject({
  all: trueOrFalse.describe('With the permission `content`: include inactive slides.'),
})

const fileFields = ['image']
const limits = allowFiles(inJson(imageLimits.slide), imageMessages.tooLarge(imageLimits.slide), 'image')

const onlyAdmins = (sentence: string) => staffRoutes('slides', 'content', sentence)

const listSlides = publicRoutes('slides').get('/slides', 'List slides', {
  description: 'Active slides in order. With all=true and the permission `content`: all.',
  query: listQuery,
  responses: ok(slideListSchema, 'The slides.'),
  cached: cachedFor(['slides']),
  problems: ['unauthenticated'],
})

const addSlide = onlyAdmins(slideSentences.onlyAdminsAdd).post('/slides', 'Add a slide at the end', {
  description: 'An image is required: JPEG, PNG, GIF or WEBP of at most 5 MB.',
  body: multipartBody(newSlideSchema, fileFields),
  responses: created(slideSchema, 'The slide, with its version as ETag.'),
  problems: ['too_many_requests'],
  limits,
})

const editSlide = onlyAdmins(slideSentences.onlyAdminsEdit).patch('/slides/{id}', 'Change a slide', {
  description: "Omitted fields don't change. A new image has at most 5 MB.",
  headers: ifMatchHeader,
  body: multipartBody(slideChangeSchema, fileFields),
  responses: ok(slideSchema, 'The slide after the change, with its version as ETag.'),
  problems: ['too_many_requests'],
  limits,
})

const deleteSlide = onlyAdmins(slideSentences.onlyAdminsDelete).delete(
  '/slides/{id}',
  'Delete a slide and its picture permanently',
  { headers: seenVersionHeader, responses: done('Deleted.') },
)

const reorderSlides = onlyAdmins(slideSentences.onlyAdminsReorder).put(
  '/slides/order',
  'Reorder the slides',
  {
    body: formBody(slideOrderSchema, 'SlideOrder', 'The ids of all slides.'),
    responses: ok(slideListSchema, 'All slides in their new order.'),
    problems: ['conflict'],
  },
)

export function createSlideshow(context: AppContext, { files }: { files: PictureFiles }) {
  const slides = createSlidesService({ ...context, files })

  const routes = createRouter()
    .answer(listSlides, async ({ c, query }) => {
      if (query.all === 'false') {
        return c.json({ items: await slides.listActive() }, 200, { 'Cache-Control': 'private, no-cache' })
      }
      await mustBe(c, 'content')
      return c.json({ items: await slides.list() }, 200, { 'Cache-Control': 'no-store' })
    })
    .answerVersion(addSlide, async ({ c, actor }) => {
      const { fields, files } = await readBody(c, fileFields)
      return await slides.add(parseFields(newSlideSchema, fields), files.image, actor)
    })
    .answerVersion(editSlide, async ({ c, id, version, actor }) => {
      const { fields, files } = await readBody(c, fileFields)
      const change = parseFields(slideChangeSchema, fields)
      return await slides.edit(id, version, change, files.image, actor)
    })
    .answer(deleteSlide, ({ id, version, actor }) => slides.delete(id, version, actor))
    .answer(reorderSlides, async ({ body, actor }) => ({ items: await slides.reorder(body.ids, actor) }))
  return { routes }
}
