import { isDeepStrictEqual } from 'node:util'
import { v7 as createId } from 'uuid'
import type { Queryable } from '#server/database/schema.ts'
import type { FilesService } from '#server/features/files/service.ts'
import type { UploadedFile } from '#server/http/read-body.ts'
import type { Access } from '#server/lib/access.ts'
import type { Staff } from '#server/lib/actor.ts'
import {
  type ChangeContext,
  changesBetween,
  commitChange,
  mustBeCurrent,
  mustBeOwn,
  mustExist,
  undoMs,
} from '#server/lib/change.ts'
import { AppError, invalid } from '#server/lib/errors.ts'
import type { FormatContent } from '#server/lib/formatting.ts'
import {
  type AnnouncementEdit,
  type NewAnnouncement,
  problemOfTimes,
} from '#shared/announcements/announcement-form.ts'
import { announcementMailSentences, type MailTo } from '#shared/announcements/announcement-mail.ts'
import type { ManagedAnnouncement } from '#shared/announcements/announcement-response.ts'
import { announcementSentences } from '#shared/announcements/announcements.ts'
import { imageLimits } from '#shared/files/images.ts'
import { presentManaged } from './present.ts'
import { type AnnouncementRow, createAnnouncementsRepository } from './repository.ts'

const pictureRules = { maxBytes: imageLimits.announcement, widths: [400, 800, 1440], jpegWidth: 1200 }

interface AnnouncementChangesOptions extends ChangeContext {
  files: Pick<FilesService, 'preparePicture' | 'prepareAttachment' | 'store' | 'release'>
  format: FormatContent
  /** Why announcements can't be mailed; empty when they can. */
  mailHindrance: () => string
}

export interface AnnouncementFiles {
  image?: UploadedFile | undefined
  attachment?: UploadedFile | undefined
}

export type AnnouncementChanges = ReturnType<typeof createAnnouncementChanges>

export function createAnnouncementChanges(options: AnnouncementChangesOptions) {
  const { clock, files, format, mailHindrance } = options
  const endOfUndo = () => new Date(clock().getTime() - undoMs)
  const present = (row: AnnouncementRow) => presentManaged(row, clock(), format)

  async function prepare({ image, attachment }: AnnouncementFiles) {
    const file = attachment && files.prepareAttachment(attachment)
    const picture = image && (await files.preparePicture(image, pictureRules))
    const stored = [...(picture?.files ?? []), ...(file?.files ?? [])]
    return { image: picture?.value, attachment: file?.value, files: stored }
  }

  return {
    async add(
      { draft = false, publishAt, expireAt, mailTo, ...input }: NewAnnouncement,
      uploads: AnnouncementFiles,
      actor: Staff,
    ): Promise<ManagedAnnouncement> {
      const prepared = await prepare(uploads)
      const now = clock()
      const row = await commitChange(options, 'announcements', async (tx, record) => {
        await files.store(tx, prepared.files)
        const row = await createAnnouncementsRepository(tx).insert({
          id: createId(),
          title: input.title,
          content: input.content,
          ...eventAfter(input, noEvent),
          pinned: input.pinned ?? false,
          ...timesAfter({ draft, publishAt, expireAt }, noTimes, now),
          image: prepared.image ?? null,
          attachment: prepared.attachment ?? null,
          ...mailAfter(mailTo, notMailed, { access: actor.access, mailHindrance }),
          createdAt: now,
          updatedAt: now,
          createdBy: actor.adminId,
          authorEmail: actor.name,
        })
        await record({ action: 'announcement-added', actor, subject: row.title })
        return row
      })
      return present(row)
    },

    async edit(
      id: string,
      version: number,
      { edit, uploads }: { edit: AnnouncementEdit; uploads: AnnouncementFiles },
      actor: Staff,
    ): Promise<ManagedAnnouncement> {
      const prepared = await prepare(uploads)
      const row = await commitChange(options, 'announcements', async (tx, record) => {
        const current = await lock(tx, id, version)
        const now = clock()
        const { title, content, pinned, keepExistingImage, keepExistingAttachment } = edit
        const next = {
          title,
          content,
          pinned,
          ...eventAfter(edit, current),
          ...timesAfter(edit, current, now),
          image: prepared.image ?? (keepExistingImage === false ? null : current.image),
          attachment: prepared.attachment ?? (keepExistingAttachment === false ? null : current.attachment),
          ...mailAfter(edit.mailTo, current, { access: actor.access, mailHindrance }),
        }
        const { fields, after } = changesBetween(current, next)
        if (fields.length === 0) return current
        await files.store(tx, prepared.files)
        const row = await createAnnouncementsRepository(tx).update(id, { ...after, updatedAt: now })
        await files.release(tx, [current.image, current.attachment])
        await record({
          action: 'announcement-edited',
          actor,
          subject: row.title,
          fields: fields.map((name) => (name === 'publishedAt' ? 'publishAt' : name)),
        })
        return row
      })
      return present(row)
    },

    async delete(id: string, version: number | undefined, actor: Staff): Promise<void> {
      await commitChange(options, 'announcements', async (tx, record) => {
        const current = await lock(tx, id, version)
        mustBeOwn(current.createdBy, actor)
        await createAnnouncementsRepository(tx).update(id, { deletedAt: clock() })
        await record({ action: 'announcement-deleted', actor, subject: current.title })
      })
    },

    async restore(id: string, actor: Staff): Promise<void> {
      await commitChange(options, 'announcements', async (tx, record) => {
        const announcements = createAnnouncementsRepository(tx)
        const deleted = await announcements.lockDeleted(id, endOfUndo())
        const row = mustExist(deleted, 'This announcement can no longer be restored.')
        mustBeOwn(row.createdBy, actor)
        await announcements.update(id, { deletedAt: null })
        await record({ action: 'announcement-restored', actor, subject: row.title })
      })
    },

    /** Erases deleted announcements. Privacy: their files go too. */
    eraseDeleted: () =>
      options.database.transact(async (tx) => {
        const rows = await createAnnouncementsRepository(tx).erase(endOfUndo())
        await files.release(
          tx,
          rows.flatMap(({ image, attachment }) => [image, attachment]),
        )
      }),
  }
}

async function lock(tx: Queryable, id: string, version: number | undefined): Promise<AnnouncementRow> {
  return mustBeCurrent(
    await createAnnouncementsRepository(tx).lock(id),
    announcementSentences.missing,
    version,
  )
}

type EventDetails = Pick<AnnouncementRow, 'category' | 'eventAt' | 'place'>

const noEvent: EventDetails = { category: 'General', eventAt: null, place: '' }

function eventAfter(
  { category, eventAt, place }: Pick<AnnouncementEdit, keyof EventDetails>,
  current: EventDetails,
): EventDetails {
  const next = category ?? current.category
  if (next !== 'Event') return { ...noEvent, category: next }
  const isSame = eventAt === undefined || isSameMinute(eventAt, current.eventAt)
  return { category: next, eventAt: isSame ? current.eventAt : eventAt, place: place ?? current.place }
}

type MailChoice = Pick<AnnouncementRow, 'mailTo' | 'mailedAt' | 'mailProblem'>

const notMailed: MailChoice = { mailTo: null, mailedAt: null, mailProblem: '' }

function mailAfter(
  input: MailTo | undefined,
  { mailTo, mailedAt, mailProblem }: MailChoice,
  { access, mailHindrance }: { access: Access; mailHindrance: () => string },
): Pick<MailChoice, 'mailTo' | 'mailProblem'> {
  const next = input === undefined ? mailTo : input
  // This holds even if another account chose the recipients: what is written now would be mailed.
  if (mailedAt === null && next !== null && !access.includes(next)) {
    throw new AppError('permission_denied', announcementMailSentences.otherComponent)
  }
  if (next === mailTo) return { mailTo, mailProblem }
  if (mailedAt !== null) throw invalid('mailTo', announcementMailSentences.mailed)
  const hindrance = next === null ? '' : mailHindrance()
  if (hindrance !== '') throw invalid('mailTo', hindrance)
  return { mailTo: next, mailProblem: '' }
}

type PublicationTimes = Pick<AnnouncementRow, 'publishedAt' | 'expireAt'>

export const noTimes: PublicationTimes = { publishedAt: null, expireAt: null }

const minuteMs = 60_000

export function timesAfter(
  edit: Pick<AnnouncementEdit, 'draft' | 'publishAt' | 'expireAt'>,
  current: PublicationTimes,
  now: Date,
): PublicationTimes {
  const publishedAt = publishedAfter(edit, current.publishedAt, now)
  const isSameEnd = edit.expireAt === undefined || isSameMinute(edit.expireAt, current.expireAt)
  const expireAt = isSameEnd ? current.expireAt : (edit.expireAt ?? null)
  const isSameBeginning = publishedAt === null || isDeepStrictEqual(publishedAt, current.publishedAt)
  // Stored values stay valid, though the end may have passed meanwhile.
  const problem =
    isSameEnd && isSameBeginning ? undefined : problemOfTimes({ publishAt: publishedAt, expireAt }, now)
  if (problem) throw invalid(problem.path, problem.message)
  return { publishedAt, expireAt }
}

function publishedAfter(
  { draft, publishAt }: Pick<AnnouncementEdit, 'draft' | 'publishAt'>,
  current: Date | null,
  now: Date,
): Date | null {
  if (draft === true) return null
  if (publishAt) return isSameMinute(publishAt, current) ? current : publishAt
  // An announcement without a time is published now, unless it was published before.
  if (current === null) return draft === false ? now : null
  return publishAt === null && current > now ? now : current
}

// Forms have minutes only: missing seconds are no change.
function isSameMinute(input: Date | null, current: Date | null): boolean {
  if (input === null || current === null) return input === current
  const exact = current.getTime()
  return [exact, exact - (exact % minuteMs)].includes(input.getTime())
}
