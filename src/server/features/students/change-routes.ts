import { createRoute, z } from '@hono/zod-openapi'
import { actorOf } from '#server/http/actor-of.ts'
import { documented, jsonSchemaOf } from '#server/http/documented.ts'
import { ifMatchHeader } from '#server/http/if-match.ts'
import { requireAdmin } from '#server/http/require-admin.ts'
import { createRouter, json, problems } from '#server/http/router.ts'
import { tagVersion } from '#server/http/version-tag.ts'
import { readFieldAliases } from '#shared/field-rules.ts'
import { studentEditSchema } from '#shared/student-edit.ts'
import type { StudentChanges } from './change-service.ts'
import { recordAnswer } from './schemas.ts'

const admin = { middleware: [requireAdmin()], security: [{ session: [] }], tags: ['students'] }
const params = z.object({ id: z.string() })

const editBody = documented(studentEditSchema, 'StudentEdit', readFieldAliases).openapi({
  properties: {
    ...jsonSchemaOf(studentEditSchema).properties,
    birthdate: { type: 'string', description: 'Read as dateOfBirth.' },
    gender: { type: 'string', description: 'Read as sex.' },
  },
})

const editStudent = createRoute({
  ...admin,
  method: 'patch',
  path: '/students/{id}',
  summary: 'Edit a student',
  description:
    'Any of the fields, by the rules of the registration; the office may also choose LTS, the 5th year, and ' +
    'courses and academic years that other records hold. The year level is its number or its label. A value ' +
    'that the record holds already always passes and changes nothing.',
  request: {
    params,
    headers: ifMatchHeader,
    body: { required: true, ...json(editBody, 'The fields to change.') },
  },
  responses: { 200: recordAnswer, ...problems('invalid', 'unauthenticated', 'not_found', 'conflict') },
})

const archiveStudent = createRoute({
  ...admin,
  method: 'post',
  path: '/students/{id}/archive',
  summary: 'Archive a student',
  request: { params },
  responses: { 200: recordAnswer, ...problems('unauthenticated', 'not_found') },
})

const unarchiveStudent = createRoute({
  ...admin,
  method: 'post',
  path: '/students/{id}/unarchive',
  summary: 'Make an archived student active again',
  request: { params },
  responses: { 200: recordAnswer, ...problems('unauthenticated', 'not_found') },
})

const deleteStudent = createRoute({
  ...admin,
  method: 'delete',
  path: '/students/{id}',
  summary: 'Delete a student for good',
  request: { params },
  responses: { 204: { description: 'Deleted.' }, ...problems('unauthenticated', 'not_found') },
})

/** Changes of single records (spec §2 Students tab, §4). */
export function createStudentChangeRoutes({ changes }: { changes: StudentChanges }) {
  return createRouter()
    .openapi(editStudent, async (c) => {
      const { id } = c.req.valid('param')
      const version = c.req.valid('header')['if-match']
      return c.json(
        tagVersion(c, await changes.edit(id, version, c.req.valid('json'), await actorOf(c))),
        200,
      )
    })
    .openapi(archiveStudent, async (c) =>
      c.json(tagVersion(c, await changes.archive(c.req.valid('param').id, await actorOf(c))), 200),
    )
    .openapi(unarchiveStudent, async (c) =>
      c.json(tagVersion(c, await changes.unarchive(c.req.valid('param').id, await actorOf(c))), 200),
    )
    .openapi(deleteStudent, async (c) => {
      await changes.delete(c.req.valid('param').id, await actorOf(c))
      return c.body(null, 204)
    })
}
