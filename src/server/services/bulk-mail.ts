import { createAnnouncementBatches } from '#server/features/bulk-email/announcement-batch.ts'
import { type AudiencesOptions, createAudiences } from '#server/features/bulk-email/audience-service.ts'
import { createBatchChanges } from '#server/features/bulk-email/batch-changes.ts'
import { createBatchReadings, type FinishOfBatch } from '#server/features/bulk-email/batch-readings.ts'
import { createBatchRepository } from '#server/features/bulk-email/batch-repository.ts'
import { createRecipientFiles } from '#server/features/bulk-email/recipient-file.ts'
import { createBatchRepeat } from '#server/features/bulk-email/repeat-batch.ts'
import { createBulkSender } from '#server/features/bulk-email/send-bulk.ts'
import { createBatchStart } from '#server/features/bulk-email/start-batch.ts'
import { findHeader } from '#server/features/imports/find-header.ts'
import { guessColumns } from '#server/features/imports/guess-columns.ts'
import { createMailDecisions } from '#server/features/mail-messages/decisions-service.ts'
import { createResultsExport } from '#server/features/mail-messages/results-export.ts'
import { createMailRetention } from '#server/features/mail-messages/retention.ts'
import { createMailMessages, type PreviewMessage } from '#server/features/mail-messages/service.ts'
import type { Mailer } from '#server/mail/mailer.ts'
import type { Foundation } from './foundation.ts'

interface BulkMailOptions {
  mailer: Mailer
  /** When the last message of a batch will probably be sent. */
  finishOf: FinishOfBatch
  /** The students that the list shows by the same filters. */
  addressed: AudiencesOptions['addressed']
  /** The active students of some addresses. */
  withAddresses: AudiencesOptions['withAddresses']
  /** Which of some addresses want no announcements by mail. */
  optedOutOf: AudiencesOptions['optedOutOf']
  /** Shows a message as its recipient reads it. */
  preview: PreviewMessage
  /** How long mail is kept, in months. */
  retentionMonths: () => number
}

/** Mail to many: begun, watched, and what became of it. */
export function createBulkMailServices(foundation: Foundation, options: BulkMailOptions) {
  const { mailer, finishOf, addressed, withAddresses, optedOutOf, preview, retentionMonths } = options
  const { env, database, notices, clock, audit } = foundation
  const { db } = database
  const changes = { database, clock, audit, publish: notices.publish, mailer }
  const audiences = createAudiences({ db, addressed, withAddresses, optedOutOf })
  const startBatch = createBatchStart({ ...changes, audiences })
  const readings = createBatchReadings({ db, finishOf })
  return {
    writeAnnouncementBatch: createAnnouncementBatches({ audiences, audit }),
    /** Removes old mail. */
    expire: createMailRetention({ db, clock, months: retentionMonths }),
    parts: {
      bulkMail: {
        audiences,
        // The headings of schools' lists are known from the import of students.
        readRecipientFile: createRecipientFiles({ findHeader, guessColumns }),
        startBatch,
        readings,
        changes: createBatchChanges(changes),
        repeatBatch: createBatchRepeat({ ...changes, optedOutOf }),
        sendBulk: createBulkSender({
          startBatch,
          readings,
          messagesOf: createBatchRepository(db).messages,
          mailer,
          clock,
          timeZone: env.TZ_PROGRAM,
        }),
      },
      mailMessages: {
        messages: createMailMessages({ db, preview }),
        decisions: createMailDecisions({ ...changes, optedOutOf }),
        exportResults: createResultsExport({ db, audit, clock, timeZone: env.TZ_PROGRAM }),
      },
    },
  }
}
