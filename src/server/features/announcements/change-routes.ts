import { createRoute, z } from '@hono/zod-openapi'
import { actorOf } from '#server/http/actor-of.ts'
import { ifMatchHeader, seenVersionHeader } from '#server/http/if-match.ts'
import { parseFields } from '#server/http/parse-fields.ts'
import { readSent } from '#server/http/read-sent.ts'
import { requireAdmin } from '#server/http/require-admin.ts'
import { createRouter, json, problems } from '#server/http/router.ts'
import { sentBody } from '#server/http/sent-body.ts'
import { tagVersion } from '#server/http/version-tag.ts'
import { createAnnouncementEditSchema, createAnnouncementSchema } from '#shared/announcement-form.ts'
import { announcementSentences } from '#shared/announcements.ts'
import type { AnnouncementChanges } from './change-service.ts'
import { managedSchema } from './schemas.ts'

const fileFields = ['image', 'attachment'] as const

const managed = (sentence: string) => ({
  middleware: [requireAdmin(sentence)],
  security: [{ session: [] }],
  tags: ['announcements'],
})

const params = z.object({ id: z.string() })

const ofFiles =
  'The image is a JPEG, PNG, GIF or WEBP of at most 5 MB; the attachment is smaller than 10 MB. Times are milliseconds, ISO texts with a zone, or YYYY-MM-DDTHH:mm by the program’s clocks.'

interface ChangeRoutesOptions {
  changes: AnnouncementChanges
  /** Whose clocks show the times that are sent without a zone. */
  timeZone: string
}

/** How the coordinator adds, edits and deletes announcements (spec §4, §5). */
export function createAnnouncementChangeRoutes({ changes, timeZone }: ChangeRoutesOptions) {
  const addedFields = createAnnouncementSchema(timeZone)
  const editedFields = createAnnouncementEditSchema(timeZone)

  const addAnnouncement = createRoute({
    ...managed(announcementSentences.onlyAdminsAdd),
    method: 'post',
    path: '/announcements',
    summary: 'Add an announcement',
    description: `Without publishAt it is published at once; a draft is not. ${ofFiles}`,
    request: { body: sentBody(addedFields, fileFields) },
    responses: {
      201: json(managedSchema, 'As it is stored, with its version as ETag.'),
      ...problems('unauthenticated', 'invalid', 'too_big', 'too_many_requests'),
    },
  })

  const editAnnouncement = createRoute({
    ...managed(announcementSentences.onlyAdminsEdit),
    method: 'patch',
    path: '/announcements/{id}',
    summary: 'Edit an announcement',
    description: `Changes the fields that were sent. A new file replaces the former one; keepExistingImage and keepExistingAttachment take it away when they are false. ${ofFiles}`,
    request: { params, headers: ifMatchHeader, body: sentBody(editedFields, fileFields) },
    responses: {
      200: json(managedSchema, 'As it is stored, with its version as ETag.'),
      ...problems('unauthenticated', 'not_found', 'invalid', 'conflict', 'too_big', 'too_many_requests'),
    },
  })

  const deleteAnnouncement = createRoute({
    ...managed(announcementSentences.onlyAdminsDelete),
    method: 'delete',
    path: '/announcements/{id}',
    summary: 'Delete an announcement for good, with its files',
    request: { params, headers: seenVersionHeader },
    responses: {
      204: { description: 'Deleted.' },
      ...problems('unauthenticated', 'invalid', 'not_found', 'conflict'),
    },
  })

  return createRouter()
    .openapi(addAnnouncement, async (c) => {
      const sent = await readSent(c, fileFields)
      const added = await changes.add(parseFields(addedFields, sent.fields), sent.files, await actorOf(c))
      return c.json(tagVersion(c, added), 201)
    })
    .openapi(editAnnouncement, async (c) => {
      const { id } = c.req.valid('param')
      const version = c.req.valid('header')['if-match']
      const sent = await readSent(c, fileFields)
      const change = { edit: parseFields(editedFields, sent.fields), sentFiles: sent.files }
      const edited = await changes.edit(id, version, change, await actorOf(c))
      return c.json(tagVersion(c, edited), 200)
    })
    .openapi(deleteAnnouncement, async (c) => {
      const { id } = c.req.valid('param')
      await changes.delete(id, c.req.valid('header')['if-match'], await actorOf(c))
      return c.body(null, 204)
    })
}
