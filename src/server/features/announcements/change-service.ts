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
  files: Pick<FilesService, 'preparePicture' | 'prepareAttachment' | 'keep' | 'release'>
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

  function keep(tx: Queryable, { image, attachment }: PreparedFiles): Promise<void> {
    return files.keep(tx, [...(image?.files ?? []), ...(attachment?.files ?? [])])
  }

  return {
    /** @throws AppError `invalid` or `too_big` with the sentence for the person */
    async add(
      sent: NewAnnouncement,
      sentFiles: AnnouncementFiles,
      actor: Actor,
    ): Promise<ManagedAnnouncement> {
      const prepared = await prepare(sentFiles)
      const now = clock()
      const added = await database.transact(async (tx) => {
        await keep(tx, prepared)
        const row = await createAnnouncementsRepository(tx).insert({
          id: createId(),
          ...stored({
            title: sent.title,
            content: sent.content,
            category: sent.category ?? 'General',
            pinned: sent.pinned ?? false,
            ...timesAfter({ ...sent, draft: sent.draft ?? false }, noTimes, now),
            image: prepared.image?.value ?? null,
            attachment: prepared.attachment?.value ?? null,
            ...mailAfter(sent.mailTo, notMailed, canMail),
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
      { edit, sentFiles }: { edit: AnnouncementEdit; sentFiles: AnnouncementFiles },
      actor: Actor,
    ): Promise<ManagedAnnouncement> {
      const prepared = await prepare(sentFiles)
      const { row, isChanged } = await database.transact(async (tx) => {
        const held = await lock(tx, id)
        if (held.version !== version) throw new AppError('conflict')
        const now = clock()
        const next = { ...stateAfter(edit, prepared, held, now), ...mailAfter(edit.mailTo, held, canMail) }
        const fields = changedFields(held, next)
        if (fields.length === 0) return { row: held, isChanged: false }
        await keep(tx, prepared)
        const change = { ...stored(next), version: version + 1, updatedAt: now }
        const row = await createAnnouncementsRepository(tx).update(id, change)
        await files.release(tx, [held.image, held.attachment])
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
        const held = await lock(tx, id)
        if (version !== undefined && held.version !== version) throw new AppError('conflict')
        await createAnnouncementsRepository(tx).delete(id)
        await files.release(tx, [held.image, held.attachment])
        await audit.record(tx, { action: 'announcement-deleted', actor, subject: held.title })
      })
      publish('announcements')
    },
  }
}

async function lock(tx: Queryable, id: string): Promise<AnnouncementRow> {
  const held = isUuid(id) ? await createAnnouncementsRepository(tx).lock(id) : undefined
  if (!held) throw new AppError('not_found', { detail: announcementSentences.missing })
  return held
}

function stateAfter(
  edit: AnnouncementEdit,
  { image, attachment }: PreparedFiles,
  held: AnnouncementRow,
  now: Date,
): Omit<AnnouncementState, 'mailTo' | 'mailProblem'> {
  const keptImage = edit.keepExistingImage === false ? null : held.image
  const keptAttachment = edit.keepExistingAttachment === false ? null : held.attachment
  return {
    title: edit.title ?? held.title,
    content: edit.content ?? held.content,
    category: edit.category ?? held.category,
    pinned: edit.pinned ?? held.pinned,
    ...timesAfter(edit, held, now),
    image: image?.value ?? keptImage,
    attachment: attachment?.value ?? keptAttachment,
  }
}

function stored({ image, attachment, ...others }: AnnouncementState) {
  return {
    ...others,
    image: image && JSON.stringify(image),
    attachment: attachment && JSON.stringify(attachment),
  }
}

function changedFields(held: AnnouncementRow, next: AnnouncementState): string[] {
  // The keys of a literal object, which Object.keys forgets.
  const names = Object.keys(next) as (keyof AnnouncementState)[]
  return names
    .filter((name) => !isDeepStrictEqual(held[name], next[name]))
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
  sent: MailTo | undefined,
  { mailTo, mailedAt, mailProblem }: MailChoice,
  canMail: () => boolean,
): Pick<MailChoice, 'mailTo' | 'mailProblem'> {
  if (sent === undefined || sent === mailTo) return { mailTo, mailProblem }
  if (mailedAt !== null) throw refused(announcementMailSentences.mailed)
  if (sent !== null && !canMail()) throw refused(mailSentences.notConfigured)
  return { mailTo: sent, mailProblem: '' }
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
  held: PublicationTimes,
  now: Date,
): PublicationTimes {
  const publishedAt = publishedAfter(edit, held.publishedAt, now)
  const isSameEnd = edit.expireAt === undefined || isSameMinute(edit.expireAt, held.expireAt)
  const expireAt = isSameEnd ? held.expireAt : (edit.expireAt ?? null)
  const isSameBeginning = publishedAt === null || isDeepStrictEqual(publishedAt, held.publishedAt)
  // What was right when it was stored stays, though its end may have passed meanwhile.
  const problem =
    isSameEnd && isSameBeginning ? undefined : problemOfTimes({ publishAt: publishedAt, expireAt }, now)
  if (problem) throw new AppError('invalid', { detail: problem.message, errors: [problem] })
  return { publishedAt, expireAt }
}

function publishedAfter(
  { draft, publishAt }: Pick<AnnouncementEdit, 'draft' | 'publishAt'>,
  held: Date | null,
  now: Date,
): Date | null {
  if (draft === true) return null
  if (publishAt) return isSameMinute(publishAt, held) ? held : publishAt
  // Without a time it is published now, unless it was before.
  if (held === null) return draft === false ? now : null
  return publishAt === null && held > now ? now : held
}

// Forms have minutes only: missing seconds are no change.
function isSameMinute(sent: Date | null, held: Date | null): boolean {
  if (sent === null || held === null) return sent === held
  const exact = held.getTime()
  return [exact, exact - (exact % minuteMs)].includes(sent.getTime())
}
