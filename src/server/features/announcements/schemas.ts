import { z } from '@hono/zod-openapi'
import { pictureSchema } from '#server/http/picture-schema.ts'
import { announcementCategories, announcementStates } from '#shared/announcements.ts'
import { nstpComponents } from '#shared/student-choices.ts'

const instant = (description: string) => z.number().int().openapi({ description })
const url = (description: string) => z.string().nullable().openapi({ description })

const common = {
  id: z.uuid(),
  title: z.string(),
  content: z.string().openapi({ description: 'As it was typed: a Markdown subset.' }),
  contentHtml: z.string().openapi({ description: 'The content as safe HTML.' }),
  excerpt: z.string().openapi({ description: 'The beginning as plain text.' }),
  category: z.enum(announcementCategories),
  pinned: z.boolean(),
  createdAt: instant('In milliseconds since 1970, as all instants.'),
  updatedAt: instant('The last change.'),
  imageUrl: url('The image as JPEG.'),
  image: pictureSchema.nullable(),
  attachmentUrl: url('The file to download.'),
  attachmentName: z.string().nullable(),
  attachmentType: z.string().nullable(),
  attachmentSize: z.number().int().nullable().openapi({ description: 'In bytes.' }),
}

const publicSchema = z
  .object({ ...common, publishAt: instant('Since when it is public.') })
  .openapi('Announcement')

/** As the coordinator reads it. */
export const managedSchema = z
  .object({
    ...common,
    publishAt: z.number().int().nullable().openapi({ description: 'Null for a draft.' }),
    expireAt: z.number().int().nullable().openapi({ description: 'Until when it is public.' }),
    mailTo: z
      .enum(['', ...nstpComponents])
      .nullable()
      .openapi({
        description: "Who gets it by mail when it is published: '' for all students, null for nobody.",
      }),
    mailedAt: z.number().int().nullable(),
    mailProblem: z
      .string()
      .openapi({ description: "Why it was not mailed when it was due; '' for nothing." }),
    version: z.number().int(),
    state: z.enum(announcementStates),
  })
  .openapi('ManagedAnnouncement')

const nextCursor = z.string().nullable().openapi({ description: 'Where the next piece begins.' })

/** The manager's form has more to say of each. */
export const listSchema = z.union([
  z.object({ items: z.array(managedSchema), nextCursor }).openapi('ManagedAnnouncementPage'),
  z.object({ items: z.array(publicSchema), nextCursor }).openapi('AnnouncementPage'),
])

export const announcementSchema = z.union([managedSchema, publicSchema])

const maxLimit = 50
const limitMessage = `Please give the limit as a whole number from 1 to ${maxLimit}.`

export const listQuery = z.strictObject({
  category: z
    .enum(announcementCategories, `Please choose the category: ${announcementCategories.join(', ')}.`)
    .optional(),
  limit: z
    .string(limitMessage)
    .regex(/^\d{1,2}$/, limitMessage)
    .transform(Number)
    .refine((value) => value >= 1 && value <= maxLimit, limitMessage)
    .default(20)
    .openapi({ type: 'integer', minimum: 1, maximum: maxLimit, default: 20 }),
  cursor: z.string().default('').openapi({ description: 'The nextCursor of the piece before.' }),
  all: z
    .enum(['true', 'false'], 'Please say true or false.')
    .default('false')
    .openapi({ description: 'For the administrator: also what is not public.' }),
  state: z
    .enum(announcementStates, `Please choose the state: ${announcementStates.join(', ')}.`)
    .optional()
    .openapi({ description: 'For the administrator, with all.' }),
})
