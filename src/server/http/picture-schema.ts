import { z } from '@hono/zod-openapi'

/** An uploaded image in an API description. */
export const pictureSchema = z
  .object({
    width: z.number().int(),
    height: z.number().int(),
    webp: z.array(z.object({ url: z.string(), width: z.number().int() })).readonly(),
    jpeg: z.object({ url: z.string(), width: z.number().int(), height: z.number().int() }),
  })
  .openapi('Picture', { description: 'An image in several widths, the smallest first.' })
