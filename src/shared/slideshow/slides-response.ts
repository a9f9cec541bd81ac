import { z } from '@hono/zod-openapi'
import { pictureSchema } from '#shared/files/picture.ts'
import { namedObject } from '#shared/named-object.ts'

export const slideSchema = namedObject('Slide', {
  id: z.uuid(),
  version: z.int(),
  title: z.string().describe("'' if missing, as for description."),
  description: z.string(),
  active: z.boolean(),
  order: z.int().describe('From 0 without gaps.'),
  createdAt: z.int().describe('In milliseconds since 1970.'),
  imageUrl: z.string().describe('The image as JPEG.'),
  image: pictureSchema,
})

export const slideListSchema = namedObject('SlideList', { items: z.array(slideSchema) })

export type Slide = z.infer<typeof slideSchema>
