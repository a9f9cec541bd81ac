import { validate as isUuid } from 'uuid'
import type { Queryable } from '#server/database/schema.ts'
import { officeItself } from '#server/lib/access.ts'
import { ownActor, type Staff } from '#server/lib/actor.ts'
import { mustExist } from '#server/lib/change.ts'
import { AppError } from '#server/lib/errors.ts'
import { createTask, type Task } from '#server/lib/scheduler.ts'
import { announcementMailSentences } from '#shared/announcements/announcement-mail.ts'
import { announcementSentences } from '#shared/announcements/announcements.ts'
import { mailSentences } from '#shared/mail/mail.ts'
import type { StudentAudience } from '#shared/mail/mail-batch.ts'
import type { AnnouncementMailing } from '#shared/mail/mail-response.ts'
import { perZone } from '#shared/program-calendar.ts'
import { isComponent } from '#shared/students/student-choices.ts'
import { createAnnouncementMailRepository, type MailableAnnouncement } from './announcement-repository.ts'
import type { Audiences } from './audience-service.ts'
import { type MailContext, mustReachMany } from './mail-context.ts'
import { writeBatch } from './start-service.ts'

// ms: after a long downtime, old news is not mailed automatically.
const maxDelayMs = 24 * 60 * 60_000

const retryMs = 5_000

export type AnnouncementMailService = ReturnType<typeof createAnnouncementMailService>

/** Mails each announcement once, also with several processes. */
export function createAnnouncementMailService(context: MailContext, audiences: Audiences) {
  const { database, mailer, clock, publish, timeZone, publicAddress } = context
  let task: Task | undefined

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
    else publish('mail')
    return true
  }

  async function mailOne(tx: Queryable, due: MailableAnnouncement, now: Date): Promise<string> {
    const dueSince = Math.max(due.publishedAt?.getTime() ?? 0, due.updatedAt.getTime())
    if (now.getTime() - dueSince > maxDelayMs) return announcementMailSentences.late
    if (!mailer.isConfigured()) return mailSentences.notConfigured
    if (publicAddress() === '') return mailSentences.noPublicAddress
    try {
      await mail(tx, due, { ...ownActor('system'), access: officeItself }, now)
      return ''
    } catch (error) {
      // Too many students for one batch: thrown before anything was written.
      if (error instanceof AppError && error.code === 'too_big') return error.message
      throw error
    }
  }

  /** @throws AppError `too_big` above the size of one batch */
  async function mail(tx: Queryable, due: MailableAnnouncement, actor: Staff, now: Date): Promise<void> {
    const { id: announcementId, title, mailTo } = due
    if (mailTo === null) throw new AppError('invalid', announcementMailSentences.noRecipients)
    if (!actor.access.includes(mailTo)) {
      throw new AppError('permission_denied', announcementMailSentences.otherComponent)
    }
    const audience: StudentAudience = {
      archive: 'active',
      ...(isComponent(mailTo) ? { component: mailTo } : {}),
    }
    const found = await audiences.ofStudents(tx, audience, actor.access)
    const { addressees, optedOut, duplicateCount, invalidCount } = found
    const optedOutCount = optedOut.length
    await writeBatch(tx, context, {
      actor,
      batch: {
        ...{ kind: 'announcement', subject: title, template: 'announcement', announcementId },
        ...{ optedOutCount, duplicateCount, invalidCount, body: bodyOf(due, timeZone) },
        source: JSON.stringify({ kind: 'students', audience }),
      },
      messages: addressees.map(({ email, studentId, values }) => ({
        ...{ kind: 'announcement', studentId, recipient: email, subject: title },
        content: { template: 'batch', values },
      })),
      detail: { to: 'announcement', component: mailTo || 'all', optedOut: optedOutCount },
    })
    await createAnnouncementMailRepository(tx).noteMailed(announcementId, now)
  }

  return {
    // The topic `announcements` reports every change, also those of the publication clock. Every process gets the notice; one mails.
    start(): void {
      const run = async () => {
        while (await mailNext());
      }
      task = createTask({
        ...context,
        name: 'mailing due announcements',
        run,
        retryMs,
        topic: 'announcements',
      })
      task.wake()
    },

    close: async () => task?.close(),

    async mailNow(id: string, actor: Staff): Promise<void> {
      const isNew = await database.transact(async (tx) => {
        const now = clock()
        const locked = await createAnnouncementMailRepository(tx).lock(id)
        const announcement = mustExist(locked, announcementSentences.missing)
        if (announcement.mailedAt !== null) return false
        if (!isPublic(announcement, now)) throw new AppError('invalid', announcementMailSentences.notPublic)
        mustReachMany(context)
        await mail(tx, announcement, actor, now)
        return true
      })
      if (isNew) mailer.wake()
    },

    mailings: (ids: readonly string[], { access, adminId }: Staff): Promise<AnnouncementMailing[]> =>
      createAnnouncementMailRepository(database.db).mailings(
        ids.filter((id) => isUuid(id)),
        access.components === 'all' ? null : adminId,
      ),
  }
}

function isPublic({ publishedAt, expireAt }: MailableAnnouncement, now: Date): boolean {
  return publishedAt !== null && publishedAt <= now && (expireAt === null || expireAt > now)
}

// The facts are Markdown, like the content.
function bodyOf({ content, eventAt, place }: MailableAnnouncement, timeZone: string): string {
  const facts = [
    ...(eventAt === null ? [] : [`- **When:** ${eventTexts(timeZone).format(eventAt)}`]),
    ...(place === '' ? [] : [`- **Where:** ${place.replace(/[!-/:-@[-`{-~]/g, '\\$&')}`]),
  ]
  return facts.length === 0 ? content : `${facts.join('\n')}\n\n${content}`
}

const eventTexts = perZone(
  (timeZone) => new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeStyle: 'short', timeZone }),
)
