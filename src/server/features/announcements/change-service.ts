import { isDeepStrictEqual } from 'node:util'
import { v7 as createId, validate as isUuid } from 'uuid'
import type { AppDatabase } from '#server/database/pool.ts'
import type { Queryable } from '#server/database/schema.ts'
import type { FilesService, Prepared, Upload } from '#server/features/files/service.ts'
import type { Actor } from '#server/lib/actor.ts'
import type { Audit } from '#server/lib/audit.ts'
import type { Clock } from '#server/lib/clock.ts'
import { AppError } from '#server/lib/errors.ts'
import type { FormatContent } from '#server/lib/formatting.ts'
import {
  type AnnouncementEdit,
  type NewAnnouncement,
  problemOfTimes,
} from '#shared/announcements/announcement-form.ts'
import { announcementMailSentences, type MailTo } from '#shared/announcements/announcement-mail.ts'
import { announcementSentences, type ManagedAnnouncement } from '#shared/announcements/announcements.ts'
import { imageLimits } from '#shared/files/images.ts'
import type { Attachment, Picture } from '#shared/files/picture.ts'
import { mailSentences } from '#shared/mail/mail.ts'
import type { Topic } from '#shared/topics.ts'
import { presentManaged } from './present.ts'
import { type AnnouncementRow, createAnnouncementsRepository } from './repository.ts'

const pictureRules = { maxBytes: imageLimits.announcement, widths: [400, 800, 1440], jpegWidth: 1200 }

interface AnnouncementChangesOptions {
  database: Pick<AppDatabase, 'transact'>
  clock: Clock
  publish: (topic: Topic) => void
  audit: Audit
  files: Pick<FilesService, 'preparePicture' | 'prepareAttachment' | 'store' | 'release'>
  format: FormatContent
  canMail: () => boolean
}

export interface AnnouncementFiles {
  image?: Upload | undefined
  attachment?: Upload | undefined
}

interface PreparedFiles {
  image: Prepared<Picture> | null
  attachment: Prepared<Attachment> | null
}

type AnnouncementState = Pick<
  AnnouncementRow,
  | 'title'
  | 'content'
  | 'category'
  | 'pinned'
  | 'publishedAt'
  | 'expireAt'
  | 'image'
  | 'attachment'
  | 'mailTo'
  | 'mailProblem'
>

export type AnnouncementChanges = ReturnType<typeof createAnnouncementChanges>

export function createAnnouncementChanges(options: AnnouncementChangesOptions) {
  const { database, clock, publish, audit, files, format, canMail } = options
  const present = (row: AnnouncementRow) => presentManaged(row, clock(), format)

  async function prepare({ image, attachment }: AnnouncementFiles): Promise<PreparedFiles> {
    return {
      attachment: attachment ? files.prepareAttachment(attachment) : null,
      image: image ? await files.preparePicture(image, pictureRules) : null,
    }
  }

  function storeFiles(tx: Queryable, { image, attachment }: PreparedFiles): Promise<void> {
    return files.store(tx, [...(image?.files ?? []), ...(attachment?.files ?? [])])
  }

  return {
    /** @throws AppError `invalid` or `too_big` with the sentence for the person */
    async add(
      input: NewAnnouncement,
      uploads: AnnouncementFiles,
      actor: Actor,
    ): Promise<ManagedAnnouncement> {
      const prepared = await prepare(uploads)
      const now = clock()
      const added = await database.transact(async (tx) => {
        await storeFiles(tx, prepared)
        const row = await createAnnouncementsRepository(tx).insert({
          id: createId(),
          ...stored({
            title: input.title,
            content: input.content,
            category: input.category ?? 'General',
            pinned: input.pinned ?? false,
            ...timesAfter({ ...input, draft: input.draft ?? false }, noTimes, now),
            image: prepared.image?.value ?? null,
            attachment: prepared.attachment?.value ?? null,
            ...mailAfter(input.mailTo, notMailed, canMail),
          }),
          createdAt: now,
          updatedAt: now,
          createdBy: actor.adminId,
          authorEmail: actor.name,
        })
        await audit.record(tx, { action: 'announcement-added', actor, subject: row.title })
        return row
      })
      publish('announcements')
      return present(added)
    },

    /**
     * @param version the version that the edit was based on
     * @throws AppError `not_found`; `conflict` when it was changed since; `invalid` or `too_big`
     */
    async edit(
      id: string,
      version: number,
      { edit, uploads }: { edit: AnnouncementEdit; uploads: AnnouncementFiles },
      actor: Actor,
    ): Promise<ManagedAnnouncement> {
      const prepared = await prepare(uploads)
      const { row, isChanged } = await database.transact(async (tx) => {
        const current = await lock(tx, id)
        if (current.version !== version) throw new AppError('conflict')
        const now = clock()
        const next = {
          ...stateAfter(edit, prepared, current, now),
          ...mailAfter(edit.mailTo, current, canMail),
        }
        const fields = changedFields(current, next)
        if (fields.length === 0) return { row: current, isChanged: false }
        await storeFiles(tx, prepared)
        const change = { ...stored(next), version: version + 1, updatedAt: now }
        const row = await createAnnouncementsRepository(tx).update(id, change)
        await files.release(tx, [current.image, current.attachment])
        await audit.record(tx, { action: 'announcement-edited', actor, subject: row.title, fields })
        return { row, isChanged: true }
      })
      if (isChanged) publish('announcements')
      return present(row)
    },

    /**
     * @param version undefined for any
     * @throws AppError `not_found`; `conflict` when it was changed since
     */
    async delete(id: string, version: number | undefined, actor: Actor): Promise<void> {
      await database.transact(async (tx) => {
        const current = await lock(tx, id)
        if (version !== undefined && current.version !== version) throw new AppError('conflict')
        await createAnnouncementsRepository(tx).delete(id)
        await files.release(tx, [current.image, current.attachment])
        await audit.record(tx, { action: 'announcement-deleted', actor, subject: current.title })
      })
      publish('announcements')
    },
  }
}

async function lock(tx: Queryable, id: string): Promise<AnnouncementRow> {
  const current = isUuid(id) ? await createAnnouncementsRepository(tx).lock(id) : undefined
  if (!current) throw new AppError('not_found', { detail: announcementSentences.missing })
  return current
}

function stateAfter(
  edit: AnnouncementEdit,
  { image, attachment }: PreparedFiles,
  current: AnnouncementRow,
  now: Date,
): Omit<AnnouncementState, 'mailTo' | 'mailProblem'> {
  const oldImage = edit.keepExistingImage === false ? null : current.image
  const oldAttachment = edit.keepExistingAttachment === false ? null : current.attachment
  return {
    title: edit.title ?? current.title,
    content: edit.content ?? current.content,
    category: edit.category ?? current.category,
    pinned: edit.pinned ?? current.pinned,
    ...timesAfter(edit, current, now),
    image: image?.value ?? oldImage,
    attachment: attachment?.value ?? oldAttachment,
  }
}

function stored({ image, attachment, ...others }: AnnouncementState) {
  return {
    ...others,
    image: image && JSON.stringify(image),
    attachment: attachment && JSON.stringify(attachment),
  }
}

function changedFields(current: AnnouncementRow, next: AnnouncementState): string[] {
  // The keys of a literal object, whose type Object.keys loses.
  const names = Object.keys(next) as (keyof AnnouncementState)[]
  return names
    .filter((name) => !isDeepStrictEqual(current[name], next[name]))
    .map((name) => (name === 'publishedAt' ? 'publishAt' : name))
}

interface MailChoice {
  mailTo: string | null
  mailedAt: Date | null
  mailProblem: string
}

const notMailed: MailChoice = { mailTo: null, mailedAt: null, mailProblem: '' }

/** @throws AppError `invalid` when it was mailed already, or can't be mailed */
function mailAfter(
  input: MailTo | undefined,
  { mailTo, mailedAt, mailProblem }: MailChoice,
  canMail: () => boolean,
): Pick<MailChoice, 'mailTo' | 'mailProblem'> {
  if (input === undefined || input === mailTo) return { mailTo, mailProblem }
  if (mailedAt !== null) throw refused(announcementMailSentences.mailed)
  if (input !== null && !canMail()) throw refused(mailSentences.notConfigured)
  return { mailTo: input, mailProblem: '' }
}

function refused(message: string): AppError {
  return new AppError('invalid', { detail: message, errors: [{ path: 'mailTo', message }] })
}

interface PublicationTimes {
  publishedAt: Date | null
  expireAt: Date | null
}

export const noTimes: PublicationTimes = { publishedAt: null, expireAt: null }

const minuteMs = 60_000

/** @throws AppError `invalid` when it would end before it begins, or now */
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
  if (problem) throw new AppError('invalid', { detail: problem.message, errors: [problem] })
  return { publishedAt, expireAt }
}

function publishedAfter(
  { draft, publishAt }: Pick<AnnouncementEdit, 'draft' | 'publishAt'>,
  current: Date | null,
  now: Date,
): Date | null {
  if (draft === true) return null
  if (publishAt) return isSameMinute(publishAt, current) ? current : publishAt
  // Without a time it is published now, unless it was before.
  if (current === null) return draft === false ? now : null
  return publishAt === null && current > now ? now : current
}

// Forms have minutes only: missing seconds are no change.
function isSameMinute(input: Date | null, current: Date | null): boolean {
  if (input === null || current === null) return input === current
  const exact = current.getTime()
  return [exact, exact - (exact % minuteMs)].includes(input.getTime())
}
