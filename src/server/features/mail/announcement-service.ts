import type { Logger } from 'pino'
import { v7 as createId, validate as isUuid } from 'uuid'
import type { Notices } from '#server/database/notices.ts'
import type { AppDatabase } from '#server/database/pool.ts'
import type { Queryable } from '#server/database/schema.ts'
import { type Actor, ownActor } from '#server/lib/actor.ts'
import type { Audit } from '#server/lib/audit.ts'
import type { Clock } from '#server/lib/clock.ts'
import { AppError } from '#server/lib/errors.ts'
import { createTask, type Task } from '#server/lib/scheduler.ts'
import {
  type AnnouncementMailing,
  announcementMailSentences,
} from '#shared/announcements/announcement-mail.ts'
import { announcementSentences } from '#shared/announcements/announcements.ts'
import { type BatchSource, mailSentences, type StudentAudience } from '#shared/mail/mail.ts'
import type { Topic } from '#shared/topics.ts'
import { createAnnouncementMailRepository, type MailableAnnouncement } from './announcement-repository.ts'
import type { Audiences } from './audience-service.ts'
import { createBatchRepository } from './batch-repository.ts'
import { addMessages } from './ledger-repository.ts'
import type { Mailer } from './mailer.ts'

// ms: after a long downtime, old news is not mailed automatically.
const maxDelayMs = 24 * 60 * 60_000

// Writes the batch in the transaction that marks the announcement as mailed.
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

/** Mails each announcement once, also with several processes. */
export function createAnnouncementMailService(options: AnnouncementMailOptions) {
  const { database, mailer, writeBatch, clock, publish } = options

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

  async function mailOne(tx: Queryable, due: MailableAnnouncement, now: Date): Promise<string> {
    const dueSince = Math.max(due.publishedAt?.getTime() ?? 0, due.updatedAt.getTime())
    if (now.getTime() - dueSince > maxDelayMs) return announcementMailSentences.late
    if (!mailer.isConfigured()) return mailSentences.notConfigured
    try {
      await mail(tx, due, ownActor('system'), now)
      return ''
    } catch (error) {
      // Too many students for one batch: thrown before anything was written.
      if (error instanceof AppError && error.code === 'too_big') return error.message
      throw error
    }
  }

  async function mail(tx: Queryable, due: MailableAnnouncement, actor: Actor, now: Date): Promise<void> {
    const { id, title, content, mailTo } = due
    if (mailTo === null) throw new AppError('invalid', { detail: announcementMailSentences.noRecipients })
    await writeBatch(tx, { id, title, content, mailTo }, actor, now)
    await createAnnouncementMailRepository(tx).noteMailed(id, now)
  }

  return {
    async mailDue(): Promise<void> {
      while (await mailNext());
    },

    /** @throws AppError `not_found`; `invalid` unless it is public and has recipients; `unavailable` while e-mail isn't configured */
    async mailNow(id: string, actor: Actor): Promise<void> {
      const isNew = await database.transact(async (tx) => {
        const now = clock()
        const announcement = isUuid(id) ? await createAnnouncementMailRepository(tx).lock(id) : undefined
        if (!announcement) throw new AppError('not_found', { detail: announcementSentences.missing })
        if (announcement.mailedAt !== null) return false
        if (!isPublic(announcement, now))
          throw new AppError('invalid', { detail: announcementMailSentences.notPublic })
        if (!mailer.isConfigured()) throw new AppError('unavailable', { detail: mailSentences.notConfigured })
        await mail(tx, announcement, actor, now)
        return true
      })
      if (!isNew) return
      mailer.wake()
      publish('mail')
    },

    mailings: (ids: readonly string[]): Promise<AnnouncementMailing[]> =>
      createAnnouncementMailRepository(database.db).mailings(ids.filter((id) => isUuid(id))),
  }
}

function isPublic({ publishedAt, expireAt }: MailableAnnouncement, now: Date): boolean {
  return publishedAt !== null && publishedAt <= now && (expireAt === null || expireAt > now)
}

export interface MailedAnnouncement {
  id: string
  title: string
  content: string
  mailTo: string
}

interface AnnouncementBatchesOptions {
  audiences: Pick<Audiences, 'ofStudents'>
  audit: Audit
}

export function createAnnouncementBatches({ audiences, audit }: AnnouncementBatchesOptions) {
  /**
   * @param tx the transaction that marks the announcement as mailed
   * @throws AppError `too_big` above the size of one batch
   */
  return async (tx: Queryable, announcement: MailedAnnouncement, actor: Actor, now: Date): Promise<void> => {
    const { id: announcementId, title, content, mailTo } = announcement
    const id = createId()
    const audience: StudentAudience = { archive: 'active', ...componentOf(mailTo) }
    const source: BatchSource = { kind: 'students', audience }
    const { addressees, optedOut, duplicateCount, invalidCount } = await audiences.ofStudents(tx, audience)
    const counts = {
      recipientCount: addressees.length,
      optedOutCount: optedOut.length,
      duplicateCount,
      invalidCount,
    }
    await createBatchRepository(tx).insert({
      id,
      kind: 'announcement',
      subject: title,
      template: 'announcement',
      body: content,
      createdAt: now,
      createdBy: actor.name,
      source: JSON.stringify(source),
      announcementId,
      repeatOf: null,
      submissionKey: null,
      ...counts,
    })
    await addMessages(
      tx,
      addressees.map(({ email, studentId, values }) => ({
        kind: 'announcement' as const,
        batchId: id,
        ...(studentId ? { studentId } : {}),
        recipient: email,
        subject: title,
        content: { template: 'batch' as const, values },
      })),
      now,
    )
    await audit.record(tx, {
      action: 'mail-batch-started',
      actor,
      subject: title,
      affected: addressees.length,
      detail: { batch: id, to: 'announcement', component: mailTo || 'all', optedOut: optedOut.length },
    })
  }
}

function componentOf(mailTo: string): Pick<StudentAudience, 'component'> {
  return mailTo === 'ROTC' || mailTo === 'CWTS' || mailTo === 'LTS' ? { component: mailTo } : {}
}

// ms
const retryMs = 5_000

interface MailWhenDueOptions {
  mailDue: () => Promise<void>
  notices: Pick<Notices, 'subscribe'>
  log: Logger
  closing: AbortSignal
}

/** The topic `announcements` reports every change, also those of the publication clock. Every process gets the notice; one mails. */
export function createMailWhenDue({ mailDue, notices, log, closing }: MailWhenDueOptions) {
  let task: Task | undefined
  return {
    start(): void {
      const name = 'mailing due announcements'
      task = createTask({ name, run: mailDue, retryMs, topic: 'announcements', notices, log, closing })
      task.wake()
    },
    close: async () => task?.close(),
  }
}
