import { z } from '@hono/zod-openapi'
import type { FilesService } from '#server/features/files/service.ts'
import { isAllowed, mustBe } from '#server/http/auth.ts'
import { cachedFor } from '#server/http/cache/cached-routes.ts'
import { files as allowFiles, inJson } from '#server/http/limits.ts'
import { multipartBody, readBody } from '#server/http/read-body.ts'
import { created, createRouter, done, jsonBody, ok, publicRoutes, staffRoutes } from '#server/http/router.ts'
import {
  cursorQuery,
  ifMatchHeader,
  parseFields,
  seenVersionHeader,
  tagVersion,
  trueOrFalse,
  wholeNumber,
} from '#server/http/schemas.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { createFormatting } from '#server/lib/formatting.ts'
import {
  createAnnouncementEditSchema,
  createAnnouncementSchema,
} from '#shared/announcements/announcement-form.ts'
import {
  announcementListSchema,
  announcementSchema,
  managedSchema,
  upcomingSchema,
} from '#shared/announcements/announcement-response.ts'
import {
  announcementCategories,
  announcementLimits,
  announcementSentences,
  announcementStates,
  upcomingEvents,
} from '#shared/announcements/announcements.ts'
import { attachmentLimit, imageLimits } from '#shared/files/images.ts'
import { textMessages } from '#shared/form-text.ts'
import { type AnnouncementChanges, createAnnouncementChanges } from './change-service.ts'
import { cacheFormatted, createAnnouncementsService, createPublicationClock } from './service.ts'

const listQuery = z.strictObject({
  category: z
    .enum(announcementCategories, `Please choose the category: ${announcementCategories.join(', ')}.`)
    .optional(),
  limit: wholeNumber('limit', 50, 20),
  cursor: cursorQuery,
  all: trueOrFalse.describe("With the permission `content`: include announcements that aren't public."),
  state: z
    .enum(announcementStates, `Please choose the state: ${announcementStates.join(', ')}.`)
    .optional()
    .describe('With all=true.'),
})

const fileFields = ['image', 'attachment'] as const
const limits = allowFiles(
  inJson(imageLimits.announcement + attachmentLimit),
  'The files are too large. An image may have at most 5MB, and an attachment must be less than 10MB.',
)

const managed = (sentence: string) => staffRoutes('announcements', 'content', sentence)

const ofFiles =
  'The image is a JPEG, PNG, GIF or WEBP of at most 5 MB; the attachment is smaller than 10 MB. Times are milliseconds, ISO texts with a zone, or YYYY-MM-DDTHH:mm in the program’s time zone. eventAt and place are stored for the category Event only.'

function createChangeRoutes(changes: AnnouncementChanges, timeZone: string) {
  const addedFields = createAnnouncementSchema(timeZone)
  const editedFields = createAnnouncementEditSchema(timeZone)

  const addAnnouncement = managed(announcementSentences.onlyAdminsAdd).post(
    '/announcements',
    'Add an announcement',
    {
      description: `Without publishAt it is published at once, unless it is a draft. ${ofFiles}`,
      body: multipartBody(addedFields, fileFields),
      responses: created(managedSchema, 'The stored announcement, with its version as ETag.'),
      problems: ['too_many_requests'],
      limits,
    },
  )

  const editAnnouncement = managed(announcementSentences.onlyAdminsEdit).patch(
    '/announcements/{id}',
    'Edit an announcement',
    {
      description: `Changes the fields in the request. A new file replaces the old one; keepExistingImage=false and keepExistingAttachment=false remove it. ${ofFiles}`,
      headers: ifMatchHeader,
      body: multipartBody(editedFields, fileFields),
      responses: ok(managedSchema, 'The stored announcement, with its version as ETag.'),
      problems: ['too_many_requests'],
      limits,
    },
  )

  const deleteAnnouncement = managed(announcementSentences.onlyAdminsDelete).delete(
    '/announcements/{id}',
    'Delete an announcement',
    {
      description: 'For ten minutes it can be restored; then it and its files are deleted permanently.',
      headers: seenVersionHeader,
      responses: done('Deleted.'),
    },
  )

  const restoreAnnouncement = managed(announcementSentences.onlyAdminsDelete).post(
    '/announcements/{id}/restore',
    'Restore an announcement that was just deleted',
    { description: 'Within ten minutes. It is as it was before.', responses: done('Restored.') },
  )

  return createRouter()
    .answerVersion(addAnnouncement, async ({ c, actor }) => {
      const { fields, files } = await readBody(c, fileFields)
      const wanted = parseFields(addedFields, fields)
      if (wanted.mailTo != null) await mustBe(c, 'mail')
      return await changes.add(wanted, files, actor)
    })
    .answerVersion(editAnnouncement, async ({ c, id, version, actor }) => {
      const { fields, files: uploads } = await readBody(c, fileFields)
      const change = { edit: parseFields(editedFields, fields), uploads }
      if (change.edit.mailTo != null) await mustBe(c, 'mail')
      return await changes.edit(id, version, change, actor)
    })
    .answer(deleteAnnouncement, ({ id, version, actor }) => changes.delete(id, version, actor))
    .answer(restoreAnnouncement, ({ id, actor }) => changes.restore(id, actor))
}

const listAnnouncements = publicRoutes('announcements').get('/announcements', 'List announcements', {
  description:
    'Public announcements: pinned first, then newest. With all=true and the permission `content`: all, newest first, with state and version.',
  query: listQuery,
  responses: ok(announcementListSchema, 'One page of the list.'),
  cached: cachedFor(['announcements'], { parameters: ['category', 'limit', 'cursor'] }),
  problems: ['unauthenticated'],
})

const readAnnouncement = publicRoutes('announcements').get('/announcements/{id}', 'Read an announcement', {
  description: 'Public ones; with the permission `content` any, with its version as ETag.',
  responses: ok(announcementSchema, 'The announcement.'),
  cached: cachedFor(['announcements']),
})

const listUpcoming = publicRoutes('announcements').get('/announcements/upcoming', 'List the next events', {
  description: `At most ${upcomingEvents} public announcements of the category Event that lie ahead, the next first.`,
  responses: ok(upcomingSchema, 'The next events.'),
  cached: cachedFor(['announcements']),
})

const publicCaching = { 'Cache-Control': 'private, no-cache' }

const { content: maxContent } = announcementLimits

const preview = staffRoutes('announcements', 'content', announcementSentences.onlyAdminsAdd).post(
  '/announcements/preview',
  "Preview an announcement's content",
  {
    description: 'Stores nothing.',
    body: jsonBody(
      z.strictObject({
        content: z
          .string(textMessages.notText('content'))
          .max(maxContent, textMessages.tooLong('content', maxContent)),
      }),
      'The content.',
    ),
    responses: ok(z.object({ contentHtml: z.string().describe('Safe HTML.') }), 'The formatted content.'),
  },
)

interface AnnouncementsOptions {
  files: FilesService
  mailHindrance: () => string
}

export function createAnnouncements(context: AppContext, { files, mailHindrance }: AnnouncementsOptions) {
  const { env, timeZone } = context
  const ownOrigin = env.PUBLIC_URL && new URL(env.PUBLIC_URL).origin
  const format = cacheFormatted(createFormatting({ ownOrigin }))
  const announcements = createAnnouncementsService({ ...context, format })
  const changes = createAnnouncementChanges({ ...context, files, format, mailHindrance })
  const { nextChange } = announcements
  const routes = createRouter()
    .answer(listAnnouncements, async ({ c, query }) => {
      const { all, state = null, category = null, limit, cursor } = query
      const wanted = { category, limit, cursor }
      if (all === 'false') return c.json(await announcements.list(wanted), 200, publicCaching)
      await mustBe(c, 'content')
      return c.json(await announcements.listManaged(wanted, state), 200, { 'Cache-Control': 'no-store' })
    })
    .answer(listUpcoming, async ({ c }) =>
      c.json({ items: await announcements.upcoming() }, 200, publicCaching),
    )
    .answer(readAnnouncement, async ({ c, id }) => {
      if (!(await isAllowed(c, 'content'))) return c.json(await announcements.read(id), 200, publicCaching)
      return c.json(tagVersion(c, await announcements.readManaged(id)), 200)
    })
    .answer(preview, ({ body }) => ({ contentHtml: announcements.preview(body.content) }))
    .route('/', createChangeRoutes(changes, timeZone))
  return {
    service: announcements,
    publications: createPublicationClock({ ...context, nextChange }),
    sweep: changes.eraseDeleted,
    routes,
  }
}
