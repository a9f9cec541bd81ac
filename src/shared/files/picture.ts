import { z } from '@hono/zod-openapi'

export const pictureSchema = z
  .object({
    width: z.int(),
    height: z.int(),
    webp: z.array(z.object({ url: z.string(), width: z.int() })).readonly(),
    jpeg: z.object({ url: z.string(), width: z.int(), height: z.int() }),
  })
  .openapi('Picture', { description: 'An image in several widths, the smallest first.' })

export type Picture = z.infer<typeof pictureSchema>

export interface Attachment {
  url: string
  name: string
  type: string
  // bytes
  size: number
}
