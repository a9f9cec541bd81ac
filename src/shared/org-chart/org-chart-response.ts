import { z } from '@hono/zod-openapi'
import { pictureSchema } from '#shared/files/picture.ts'
import { namedObject } from '#shared/named-object.ts'
import { departments } from './org-chart.ts'

export const orgNodeSchema = namedObject('OrgNode', {
  id: z.string(),
  version: z.int(),
  name: z.string(),
  title: z.string(),
  department: z.enum(['', ...departments]),
  parentId: z.string().nullable().describe('Null for a root.'),
  order: z.int().describe('Among its siblings, from 0.'),
  createdAt: z.int().describe('Milliseconds since 1970.'),
  imageUrl: z.string().nullable().describe('The photo as JPEG.'),
  image: z.union([pictureSchema, z.null()]),
})

export const orgChartSchema = namedObject('OrgChart', {
  items: z.array(orgNodeSchema).describe('Parents before their children, siblings in their order.'),
  version: z
    .string()
    .describe('The version of the arrangement; changes when a node is added, removed or moved.'),
})

export type OrgNode = z.infer<typeof orgNodeSchema>
export type OrgChartContent = z.infer<typeof orgChartSchema>
