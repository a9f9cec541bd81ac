import type { Logger } from 'pino'
import { v7 as createId, validate as isUuid } from 'uuid'
import type { Notices } from '#server/database/notices.ts'
import type { AppDatabase } from '#server/database/pool.ts'
import type { Queryable } from '#server/database/schema.ts'
import { type Actor, ownActor } from '#server/lib/actor.ts'
import type { Audit } from '#server/lib/audit.ts'
import type { Clock } from '#server/lib/clock.ts'
import { AppError } from '#server/lib/errors.ts'
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

/** An announcement as it is mailed. */
export interface MailedAnnouncement {
  id: string
  title: string
  content: string
  /** A component, or '' for all. */
  mailTo: string
}

interface AnnouncementBatchesOptions {
  audiences: Pick<Audiences, 'ofStudents'>
  audit: Audit
}

export type WriteAnnouncementBatch = ReturnType<typeof createAnnouncementBatches>

/** Makes the function that writes an announcement's batch: a message for each student of its component. */
export function createAnnouncementBatches({ audiences, audit }: AnnouncementBatchesOptions) {
  /**
   * @param tx the transaction that notes that the announcement was mailed
   * @throws AppError `too_big` for more students than one batch goes to
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

/** How soon a mailing that failed is tried again, in milliseconds. */
const retryMs = 5_000

interface MailWhenDueOptions {
  mailDue: () => Promise<void>
  notices: Pick<Notices, 'subscribe'>
  log: Logger
  /** Aborts when the server stops. */
  closing: AbortSignal
}

/**
 * Mails announcements as soon as they are public. The topic `announcements` tells of every change, also of those that
 * come by the publication clock; each process hears it, and one of them mails.
 */
export function createMailWhenDue({ mailDue, notices, log, closing }: MailWhenDueOptions) {
  let running: Promise<void> | null = null
  let isAnew = false
  let timer: NodeJS.Timeout | undefined

  function mailSoon(): void {
    clearTimeout(timer)
    if (closing.aborted) return
    if (running) {
      isAnew = true
      return
    }
    running = mailDue()
      .catch((error: unknown) => {
        if (closing.aborted) return
        log.warn({ err: error }, 'announcements that are due not mailed; trying again')
        timer = setTimeout(mailSoon, retryMs)
      })
      .finally(() => {
        running = null
        if (!isAnew) return
        isAnew = false
        mailSoon()
      })
  }

  return {
    /** Mails what is due already, and from now on what becomes due. */
    start(): void {
      const stopListening = notices.subscribe((topic) => {
        if (topic === 'announcements') mailSoon()
      })
      closing.addEventListener('abort', () => {
        stopListening()
        clearTimeout(timer)
      })
      mailSoon()
    },

    /** Waits for what is under way. */
    async close(): Promise<void> {
      await running
    },
  }
}
