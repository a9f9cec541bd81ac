import { z } from '@hono/zod-openapi'
import { pictureSchema } from '#shared/files/picture.ts'

export const slideSchema = z
  .object({
    id: z.uuid(),
    version: z.number().int(),
    title: z.string().openapi({ description: "'' if missing, as for description." }),
    description: z.string(),
    active: z.boolean(),
    order: z.number().int().openapi({ description: 'From 0 without gaps.' }),
    createdAt: z.number().int().openapi({ description: 'In milliseconds since 1970.' }),
    imageUrl: z.string().openapi({ description: 'The image as JPEG.' }),
    image: pictureSchema,
  })
  .openapi('Slide')

export const slideListSchema = z.object({ items: z.array(slideSchema) }).openapi('SlideList')

export type Slide = z.infer<typeof slideSchema>
