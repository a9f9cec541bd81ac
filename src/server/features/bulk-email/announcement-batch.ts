import { v7 as createId } from 'uuid'
import type { Actor } from '#server/actor.ts'
import type { Audit } from '#server/audit.ts'
import type { Queryable } from '#server/database/schema.ts'
import { addMessages } from '#server/mail/ledger/ledger-repository.ts'
import type { BatchSource, StudentAudience } from '#shared/mail.ts'
import type { Audiences } from './audience-service.ts'
import { createBatchRepository } from './batch-repository.ts'

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
