import { z } from '@hono/zod-openapi'
import { pictureSchema } from '#shared/files/picture.ts'
import { departments } from './org-chart.ts'

export const orgNodeSchema = z
  .object({
    id: z.string(),
    version: z.number().int(),
    name: z.string(),
    title: z.string(),
    department: z.enum(['', ...departments]),
    parentId: z.string().nullable().openapi({ description: 'Null for a root.' }),
    order: z.number().int().openapi({ description: 'Among its siblings, from 0.' }),
    createdAt: z.number().int().openapi({ description: 'Milliseconds since 1970.' }),
    imageUrl: z.string().nullable().openapi({ description: 'The photo as JPEG.' }),
    image: pictureSchema.nullable(),
  })
  .openapi('OrgNode')

export const orgChartSchema = z
  .object({
    items: z
      .array(orgNodeSchema)
      .openapi({ description: 'Parents before their children, siblings in their order.' }),
    version: z.string().openapi({
      description: 'The version of the arrangement; changes when a node is added, removed or moved.',
    }),
  })
  .openapi('OrgChart')

export type OrgNode = z.infer<typeof orgNodeSchema>
export type OrgChartContent = z.infer<typeof orgChartSchema>
