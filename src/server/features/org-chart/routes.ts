import { etag } from 'hono/etag'
import type { PictureFiles } from '#server/features/files/service.ts'
import { cachedFor } from '#server/http/cache/cached-routes.ts'
import { files as allowFiles, inJson } from '#server/http/limits.ts'
import { multipartBody, readBody } from '#server/http/read-body.ts'
import {
  created,
  createRouter,
  done,
  formBody,
  json,
  ok,
  publicRoutes,
  staffRoutes,
} from '#server/http/router.ts'
import { ifMatchHeader, parseFields, seenVersionHeader } from '#server/http/schemas.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { imageLimits, imageMessages } from '#shared/files/images.ts'
import { orgSentences } from '#shared/org-chart/org-chart.ts'
import { orgChartSchema, orgNodeSchema } from '#shared/org-chart/org-chart-response.ts'
import { newOrgNodeSchema, orgNodeEditSchema, orgOrderSchema } from '#shared/org-chart/org-chart-schema.ts'
import { createOrgChartService } from './service.ts'

const admin = staffRoutes('org-chart', 'content', orgSentences.onlyAdmins)
const photo = ['image']
const limits = allowFiles(inJson(imageLimits.orgPhoto), imageMessages.tooLarge(imageLimits.orgPhoto), 'image')

const readChart = publicRoutes('org-chart').get('/org-chart', 'Read the organizational chart', {
  responses: {
    200: json(orgChartSchema, 'Every node in a flat list.'),
    304: { description: 'It is still as If-None-Match says.' },
  },
  cached: cachedFor(['org-chart']),
  middleware: etag(),
})

const addNode = admin.post('/org-chart/nodes', 'Add a node', {
  description:
    'It becomes the last child of its parent. A photo is a JPEG, PNG, GIF or WEBP of at most 2 MB.',
  body: multipartBody(newOrgNodeSchema, photo),
  responses: created(orgNodeSchema, 'The new node, with its version as ETag.'),
  problems: ['too_many_requests'],
  limits,
})

const editNode = admin.patch('/org-chart/nodes/{id}', 'Edit a node', {
  description:
    'Any fields. Under another parent it becomes the last child. A new photo, of at most 2 MB, ' +
    'replaces the old one; keepExistingImage=false removes it.',
  headers: ifMatchHeader,
  body: multipartBody(orgNodeEditSchema, photo),
  responses: ok(orgNodeSchema, 'The node after the change, with its version as ETag.'),
  problems: ['too_many_requests'],
  limits,
})

const deleteNode = admin.delete('/org-chart/nodes/{id}', 'Delete a node', {
  description: 'Only a node without children.',
  headers: seenVersionHeader,
  responses: done('Deleted.'),
})

const arrange = admin.put('/org-chart/order', 'Arrange the whole chart', {
  description:
    "Every node with its parent, siblings in order; all or nothing. `version` is the chart's " +
    'version before the change.',
  body: formBody(orgOrderSchema, 'OrgOrder', 'The arrangement.'),
  responses: ok(orgChartSchema, 'The chart after the change.'),
  problems: ['conflict'],
})

export function createOrgChart(context: AppContext, { files }: { files: PictureFiles }) {
  const chart = createOrgChartService({ ...context, files })

  const routes = createRouter()
    .answer(readChart, async ({ c }) =>
      c.json(await chart.read(), 200, { 'Cache-Control': 'private, no-cache' }),
    )
    .answerVersion(addNode, async ({ c, actor }) => {
      const { fields, files } = await readBody(c, photo)
      return await chart.add(parseFields(newOrgNodeSchema, fields), files.image, actor)
    })
    .answerVersion(editNode, async ({ c, id, version, actor }) => {
      const { fields, files } = await readBody(c, photo)
      const change = { edit: parseFields(orgNodeEditSchema, fields), image: files.image }
      return await chart.edit(id, version, change, actor)
    })
    .answer(deleteNode, ({ id, version, actor }) => chart.delete(id, version, actor))
    .answer(arrange, ({ body, actor }) => chart.arrange(body, actor))
  return { routes }
}
