import { z } from '@hono/zod-openapi'
import { pictureSchema } from '#server/http/picture-schema.ts'
import { slideLimits } from '#shared/slides.ts'

export const slideSchema = z
  .object({
    id: z.uuid(),
    version: z.number().int(),
    title: z.string().openapi({ description: "'' when it has none, as its description." }),
    description: z.string(),
    active: z.boolean(),
    order: z.number().int().openapi({ description: 'From 0 without gaps.' }),
    createdAt: z.number().int().openapi({ description: 'In milliseconds since 1970.' }),
    imageUrl: z.string().openapi({ description: 'The image as JPEG.' }),
    image: pictureSchema,
  })
  .openapi('Slide')

export const slideListSchema = z.object({ items: z.array(slideSchema) }).openapi('SlideList')

export const listQuery = z.strictObject({
  all: z
    .enum(['true', 'false'], 'Please say true or false.')
    .default('false')
    .openapi({ description: 'For the administrator: also the inactive ones.' }),
})

const members = {
  title: { type: 'string', maxLength: slideLimits.title },
  description: { type: 'string', maxLength: slideLimits.description },
  active: { type: 'boolean' },
} as const

/**
 * The body of a new or changed slide. It is only described here: forms and JSON are read by one reader, which an
 * upload must not pass twice.
 */
export const slideBody = {
  content: {
    'multipart/form-data': {
      schema: {
        type: 'object',
        properties: { ...members, image: { type: 'string', format: 'binary' } },
      },
    },
    'application/json': {
      schema: {
        type: 'object',
        properties: { ...members, image: { type: 'string', description: 'A data URL.' } },
      },
    },
  },
} as const
