import { z } from '@hono/zod-openapi'
import type { PictureFiles } from '#server/features/files/service.ts'
import { mustBe } from '#server/http/auth.ts'
import { cachedFor } from '#server/http/cache/cached-routes.ts'
import { files as allowFiles, inJson } from '#server/http/limits.ts'
import { multipartBody, readBody } from '#server/http/read-body.ts'
import { createRouter, formBody, json, noContent, publicRoutes, staffRoutes } from '#server/http/router.ts'
import {
  ifMatchHeader,
  parseFields,
  seenVersionHeader,
  tagVersion,
  trueOrFalse,
} from '#server/http/schemas.ts'
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
  request: { query: listQuery },
  responses: { 200: json(slideListSchema, 'The slides.') },
  cached: cachedFor(['slides']),
  problems: ['unauthenticated'],
})

const addSlide = onlyAdmins(slideSentences.onlyAdminsAdd).post('/slides', 'Add a slide at the end', {
  description: 'An image is required: JPEG, PNG, GIF or WEBP of at most 5 MB.',
  request: { body: multipartBody(newSlideSchema, fileFields) },
  responses: { 201: json(slideSchema, 'The slide, with its version as ETag.') },
  problems: ['too_many_requests'],
  limits,
})

const editSlide = onlyAdmins(slideSentences.onlyAdminsEdit).patch('/slides/{id}', 'Change a slide', {
  description: "Omitted fields don't change. A new image has at most 5 MB.",
  request: { headers: ifMatchHeader, body: multipartBody(slideChangeSchema, fileFields) },
  responses: { 200: json(slideSchema, 'The slide after the change, with its version as ETag.') },
  problems: ['conflict', 'too_many_requests'],
  limits,
})

const deleteSlide = onlyAdmins(slideSentences.onlyAdminsDelete).delete(
  '/slides/{id}',
  'Delete a slide and its picture permanently',
  {
    request: { headers: seenVersionHeader },
    responses: { 204: { description: 'Deleted.' } },
    problems: ['conflict'],
  },
)

const reorderSlides = onlyAdmins(slideSentences.onlyAdminsReorder).put(
  '/slides/order',
  'Reorder the slides',
  {
    request: { body: formBody(slideOrderSchema, 'SlideOrder', 'The ids of all slides.') },
    responses: { 200: json(slideListSchema, 'All slides in their new order.') },
    problems: ['conflict'],
  },
)

export function createSlideshow(context: AppContext, { files }: { files: PictureFiles }) {
  const slides = createSlidesService({ ...context, files })

  const routes = createRouter()
    .openapi(listSlides, async (c) => {
      if (c.req.valid('query').all === 'false') {
        return c.json({ items: await slides.listActive() }, 200, { 'Cache-Control': 'private, no-cache' })
      }
      await mustBe(c, 'content')
      return c.json({ items: await slides.list() }, 200, { 'Cache-Control': 'no-store' })
    })
    .openapi(addSlide, async (c) => {
      const { fields, files } = await readBody(c, fileFields)
      const slide = await slides.add(parseFields(newSlideSchema, fields), files.image, c.var.actor)
      return c.json(tagVersion(c, slide), 201)
    })
    .openapi(editSlide, async (c) => {
      const { id } = c.req.valid('param')
      const version = c.req.valid('header')['if-match']
      const { fields, files } = await readBody(c, fileFields)
      const change = parseFields(slideChangeSchema, fields)
      return c.json(tagVersion(c, await slides.edit(id, version, change, files.image, c.var.actor)), 200)
    })
    .openapi(deleteSlide, (c) =>
      noContent(c, slides.delete(c.req.valid('param').id, c.req.valid('header')['if-match'], c.var.actor)),
    )
    .openapi(reorderSlides, async (c) => {
      const { ids } = c.req.valid('json')
      return c.json({ items: await slides.reorder(ids, c.var.actor) }, 200)
    })
  return { routes }
}
