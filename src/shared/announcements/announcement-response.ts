import { z } from '@hono/zod-openapi'
import { pictureSchema } from '#shared/files/picture.ts'
import { namedObject } from '#shared/named-object.ts'
import { nstpComponents } from '#shared/students/student-choices.ts'
import { announcementCategories, announcementStates } from './announcements.ts'

const instant = (description: string) => z.int().describe(description)
const url = (description: string) => z.string().nullable().describe(description)

const common = {
  id: z.uuid(),
  title: z.string(),
  content: z.string().describe('As typed: a Markdown subset.'),
  contentHtml: z.string().describe('The content as safe HTML.'),
  excerpt: z.string().describe('The beginning as plain text.'),
  category: z.enum(announcementCategories),
  pinned: z.boolean(),
  eventAt: z.int().nullable().describe('Of an Event: when it begins.'),
  place: z.string().describe("Of an Event: where it is; '' for none."),
  createdAt: instant('In milliseconds since 1970, as all instants.'),
  updatedAt: instant('The last change.'),
  imageUrl: url('The image as JPEG.'),
  image: z.union([pictureSchema, z.null()]),
  attachmentUrl: url('The file to download.'),
  attachmentName: z.string().nullable(),
  attachmentType: z.string().nullable(),
  attachmentSize: z.int().nullable().describe('In bytes.'),
}

const publicSchema = namedObject('Announcement', {
  ...common,
  publishAt: instant('Since when it is public.'),
})

export const managedSchema = namedObject('ManagedAnnouncement', {
  ...common,
  publishAt: z.int().nullable().describe('Null for a draft.'),
  expireAt: z.int().nullable().describe('Until when it is public.'),
  mailTo: z
    .enum(['', ...nstpComponents])
    .nullable()
    .describe("The component to mail at publication: '' for all students, null for none."),
  mailedAt: z.int().nullable(),
  mailProblem: z.string().describe("Why it was not mailed; '' for no problem."),
  createdBy: z.uuid().nullable().describe('The administrator who added it; null when the account is gone.'),
  authorEmail: z.string().describe("The administrator's e-mail address at that time."),
  version: z.int(),
  state: z.enum(announcementStates),
})

const nextCursor = z.string().nullable().describe('The cursor of the next page.')

export const announcementListSchema = z.union([
  namedObject('ManagedAnnouncementPage', { items: z.array(managedSchema), nextCursor }),
  namedObject('AnnouncementPage', { items: z.array(publicSchema), nextCursor }),
])

export const upcomingSchema = namedObject('UpcomingEvents', { items: z.array(publicSchema) })

export const announcementSchema = z.union([managedSchema, publicSchema])

export type Announcement = z.infer<typeof publicSchema>
export type ManagedAnnouncement = z.infer<typeof managedSchema>
