import { validate as isUuid } from 'uuid'
import { type Actor, ownActor } from '#server/actor.ts'
import type { Clock } from '#server/clock.ts'
import type { AppDatabase } from '#server/database/pool.ts'
import type { Queryable } from '#server/database/schema.ts'
import { AppError } from '#server/errors.ts'
import type { Mailer } from '#server/mail/mailer.ts'
import { type AnnouncementMailing, announcementMailSentences } from '#shared/announcement-mail.ts'
import { announcementSentences } from '#shared/announcements.ts'
import { mailSentences } from '#shared/mail.ts'
import type { Topic } from '#shared/topics.ts'
import { createAnnouncementMailRepository, type MailableAnnouncement } from './repository.ts'

/**
 * What was due longer ago isn't mailed by itself, in milliseconds: after a long standstill, news of last week would
 * surprise.
 */
const lateMs = 24 * 60 * 60_000

/** Writes the batch of an announcement in the transaction that notes that it was mailed. */
type WriteBatch = (
  tx: Queryable,
  announcement: { id: string; title: string; content: string; mailTo: string },
  actor: Actor,
  now: Date,
) => Promise<void>

interface AnnouncementMailOptions {
  database: Pick<AppDatabase, 'db' | 'transact'>
  mailer: Pick<Mailer, 'isConfigured' | 'wake'>
  writeBatch: WriteBatch
  clock: Clock
  publish: (topic: Topic) => void
}

export type AnnouncementMailService = ReturnType<typeof createAnnouncementMailService>

/** Announcements that are mailed when they are published: each once, whoever of several processes comes first. */
export function createAnnouncementMailService(options: AnnouncementMailOptions) {
  const { database, mailer, writeBatch, clock, publish } = options

  /** @returns whether there was one */
  async function mailNext(): Promise<boolean> {
    const ended = await database.transact(async (tx) => {
      const now = clock()
      const announcements = createAnnouncementMailRepository(tx)
      const due = await announcements.lockDue(now)
      if (!due) return 'nothing due'
      const problem = await mailOne(tx, due, now)
      if (problem === '') return 'mailed'
      await announcements.noteProblem(due.id, problem)
      return 'not mailed'
    })
    if (ended === 'nothing due') return false
    if (ended === 'mailed') mailer.wake()
    publish('mail')
    return true
  }

  /** @returns why it can't be; '' when it was */
  async function mailOne(tx: Queryable, due: MailableAnnouncement, now: Date): Promise<string> {
    const dueSince = Math.max(due.publishedAt?.getTime() ?? 0, due.updatedAt.getTime())
    if (now.getTime() - dueSince > lateMs) return announcementMailSentences.late
    if (!mailer.isConfigured()) return mailSentences.notConfigured
    try {
      await mail(tx, due, ownActor('system'), now)
      return ''
    } catch (error) {
      // More students than one batch goes to: said before anything was written.
      if (error instanceof AppError && error.code === 'too_big') return error.message
      throw error
    }
  }

  async function mail(tx: Queryable, due: MailableAnnouncement, actor: Actor, now: Date): Promise<void> {
    const { id, title, content, mailTo } = due
    if (mailTo === null) throw new AppError('invalid', { detail: announcementMailSentences.toNobody })
    await writeBatch(tx, { id, title, content, mailTo }, actor, now)
    await createAnnouncementMailRepository(tx).noteMailed(id, now)
  }

  return {
    /** Mails what is due. */
    async mailDue(): Promise<void> {
      while (await mailNext());
    },

    /**
     * Mails one that was not mailed when it was due. One that was mailed is not mailed again.
     *
     * @throws AppError `not_found`; `invalid` unless it is public and there is somebody to mail it to; `unavailable`
     *   while e-mail isn't configured
     */
    async mailNow(id: string, actor: Actor): Promise<void> {
      const isNew = await database.transact(async (tx) => {
        const now = clock()
        const held = isUuid(id) ? await createAnnouncementMailRepository(tx).lock(id) : undefined
        if (!held) throw new AppError('not_found', { detail: announcementSentences.missing })
        if (held.mailedAt !== null) return false
        if (!isPublic(held, now))
          throw new AppError('invalid', { detail: announcementMailSentences.notPublic })
        if (!mailer.isConfigured()) throw new AppError('unavailable', { detail: mailSentences.notConfigured })
        await mail(tx, held, actor, now)
        return true
      })
      if (!isNew) return
      mailer.wake()
      publish('mail')
    },

    /** How far the mailings of some announcements are; what was not mailed is left out. */
    mailings: (ids: readonly string[]): Promise<AnnouncementMailing[]> =>
      createAnnouncementMailRepository(database.db).mailings(ids.filter((id) => isUuid(id))),
  }
}

function isPublic({ publishedAt, expireAt }: MailableAnnouncement, now: Date): boolean {
  return publishedAt !== null && publishedAt <= now && (expireAt === null || expireAt > now)
}
