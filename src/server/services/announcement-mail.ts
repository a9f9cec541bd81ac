import { createMailWhenDue } from '#server/features/announcement-mail/mail-when-due.ts'
import { createAnnouncementMailService } from '#server/features/announcement-mail/service.ts'
import type { WriteAnnouncementBatch } from '#server/features/bulk-email/announcement-batch.ts'
import type { Mailer } from '#server/mail/mailer.ts'
import type { Foundation } from './foundation.ts'

interface AnnouncementMailOptions {
  mailer: Mailer
  writeBatch: WriteAnnouncementBatch
}

/** Announcements by mail, when they are published. */
export function createAnnouncementMailServices(foundation: Foundation, options: AnnouncementMailOptions) {
  const { publish } = foundation.notices
  const mailings = createAnnouncementMailService({ ...foundation, ...options, publish })
  const whenDue = createMailWhenDue({ ...foundation, mailDue: mailings.mailDue })
  return {
    /** When the mail account was read. */
    start: whenDue.start,
    close: whenDue.close,
    parts: { announcementMail: { mailings } },
  }
}
