import { createRoute, z } from '@hono/zod-openapi'
import { etag } from 'hono/etag'
import { actorOf } from '#server/http/actor.ts'
import { documented, pictureSchema } from '#server/http/documented.ts'
import { parseFields } from '#server/http/parse-fields.ts'
import { multipartBody, readBody } from '#server/http/read-body.ts'
import { requireAdmin } from '#server/http/require-admin.ts'
import { createRouter, json, problems } from '#server/http/router.ts'
import { ifMatchHeader, seenVersionHeader, tagVersion } from '#server/http/version-tag.ts'
import { departments, orgSentences } from '#shared/org-chart/org-chart.ts'
import { newOrgNodeSchema, orgNodeEditSchema, orgOrderSchema } from '#shared/org-chart/org-chart-schema.ts'
import type { OrgChartService } from './service.ts'

const orgNodeSchema = z
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

const orgChartSchema = z
  .object({
    items: z
      .array(orgNodeSchema)
      .openapi({ description: 'Parents before their children, siblings in their order.' }),
    version: z.string().openapi({
      description: 'The version of the arrangement; changes when a node is added, removed or moved.',
    }),
  })
  .openapi('OrgChart')

const tags = ['org-chart']
const admin = { middleware: [requireAdmin(orgSentences.onlyAdmins)], security: [{ session: [] }], tags }
const params = z.object({ id: z.string() })
const photo = ['image']

const readChart = createRoute({
  method: 'get',
  path: '/org-chart',
  tags,
  summary: 'Read the organizational chart',
  middleware: [etag()],
  responses: {
    200: json(orgChartSchema, 'Every node in a flat list.'),
    304: { description: 'It is still as If-None-Match says.' },
  },
})

const addNode = createRoute({
  ...admin,
  method: 'post',
  path: '/org-chart/nodes',
  summary: 'Add a node',
  description: 'It becomes the last child of its parent. A photo may have 2 MB.',
  request: { body: multipartBody(newOrgNodeSchema, photo) },
  responses: {
    201: json(orgNodeSchema, 'The new node, with its version as ETag.'),
    ...problems('invalid', 'unauthenticated', 'too_big', 'too_many_requests'),
  },
})

const editNode = createRoute({
  ...admin,
  method: 'patch',
  path: '/org-chart/nodes/{id}',
  summary: 'Edit a node',
  description:
    'Any fields. Under another parent it becomes the last child. A new photo replaces the old ' +
    'one; keepExistingImage=false removes it.',
  request: { params, headers: ifMatchHeader, body: multipartBody(orgNodeEditSchema, photo) },
  responses: {
    200: json(orgNodeSchema, 'The node after the change, with its version as ETag.'),
    ...problems('invalid', 'unauthenticated', 'not_found', 'conflict', 'too_big', 'too_many_requests'),
  },
})

const deleteNode = createRoute({
  ...admin,
  method: 'delete',
  path: '/org-chart/nodes/{id}',
  summary: 'Delete a node',
  description: 'Only a node without children.',
  request: { params, headers: seenVersionHeader },
  responses: {
    204: { description: 'Deleted.' },
    ...problems('invalid', 'unauthenticated', 'not_found', 'conflict'),
  },
})

const arrange = createRoute({
  ...admin,
  method: 'put',
  path: '/org-chart/order',
  summary: 'Arrange the whole chart',
  description:
    "Every node with its parent, siblings in order; all or nothing. `version` is the chart's " +
    'version before the change.',
  request: {
    body: { required: true, ...json(documented(orgOrderSchema, 'OrgOrder'), 'The arrangement.') },
  },
  responses: {
    200: json(orgChartSchema, 'The chart after the change.'),
    ...problems('invalid', 'unauthenticated', 'conflict'),
  },
})

export function createOrgChartRoutes({ chart }: { chart: OrgChartService }) {
  return createRouter()
    .openapi(readChart, async (c) =>
      c.json(await chart.read(), 200, { 'Cache-Control': 'private, no-cache' }),
    )
    .openapi(addNode, async (c) => {
      const body = await readBody(c, photo)
      const fields = parseFields(newOrgNodeSchema, body.fields)
      const node = await chart.add(fields, body.files.image, await actorOf(c))
      return c.json(tagVersion(c, node), 201)
    })
    .openapi(editNode, async (c) => {
      const body = await readBody(c, photo)
      const edit = parseFields(orgNodeEditSchema, body.fields)
      const { id } = c.req.valid('param')
      const version = c.req.valid('header')['if-match']
      const node = await chart.edit(id, version, { edit, image: body.files.image }, await actorOf(c))
      return c.json(tagVersion(c, node), 200)
    })
    .openapi(deleteNode, async (c) => {
      const { id } = c.req.valid('param')
      await chart.delete(id, c.req.valid('header')['if-match'], await actorOf(c))
      return c.body(null, 204)
    })
    .openapi(arrange, async (c) => c.json(await chart.arrange(c.req.valid('json'), await actorOf(c)), 200))
}
