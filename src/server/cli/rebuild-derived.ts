import type { Transaction } from 'kysely'
import type { Tables } from '#server/database/schema.ts'
import { rebuildCounts } from '#server/database/student-counts/keep.ts'
import { createAnnouncementMailRepository } from '#server/features/announcement-mail/repository.ts'
import { rebuildStudentSearch } from '#server/features/students/selection-repository.ts'
import { endRestoredMail } from '#server/mail/ledger/restored-mail.ts'
import { announcementMailSentences } from '#shared/announcement-mail.ts'

/**
 * Makes anew what is computed from the rows and therefore in no backup, and ends what must not go on from where it was then. Features
 * that keep such tables add theirs.
 *
 * @param timeZone the program's, by whose calendar is counted
 */
export async function rebuildDerived(tx: Transaction<Tables>, timeZone: string): Promise<void> {
  await rebuildCounts(tx, timeZone)
  await rebuildStudentSearch(tx)
  await endRestoredMail(tx, new Date())
  await createAnnouncementMailRepository(tx).noteRestored(announcementMailSentences.restored)
}
