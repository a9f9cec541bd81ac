import type { Insertable } from 'kysely'
import { v7 as createId } from 'uuid'
import type { ImportsTable, Queryable } from '#server/database/schema.ts'
import { createImportsRepository } from '#server/features/imports/imports-repository.ts'
import { officeItself } from '#server/lib/access.ts'
import { ownActor } from '#server/lib/actor.ts'
import type { Audit } from '#server/lib/audit.ts'
import type { ListMember, ListPurpose, RowFields } from '#server/lib/list-purpose.ts'

const actor = ownActor('command line')

interface AppliedList<Member extends ListMember> {
  list: ListPurpose<Member>
  about: Pick<Insertable<ImportsTable>, 'purpose' | 'termId' | 'paperId' | 'reference' | 'receivedOn'>
  fileName: string
  rows: readonly { enrolmentId: string; recordId: string; fields: RowFields }[]
  instant: Date
  audit: Audit
}

/** Stores an import whose rows have expired by now, and applies them. */
export async function applyList<Member extends ListMember>(
  tx: Queryable,
  { list, about, fileName, rows, instant, audit }: AppliedList<Member>,
): Promise<void> {
  const aboutId = about.termId ?? about.paperId
  if (!aboutId) throw new Error(`${fileName} is about nothing.`)
  const importId = createId()
  await createImportsRepository(tx).insert({
    ...about,
    id: importId,
    fileName,
    createdAt: instant,
    createdBy: actor.name,
    state: 'imported',
    rowCount: rows.length,
    importedCount: rows.length,
    importedAt: instant,
    rowsDeletedAt: instant,
    headers: [],
    guessedDateOrder: 'month-first',
  })
  await list.apply(tx, rows, { aboutId, importId, at: instant, actor, access: officeItself })
  await audit.record(tx, {
    action: 'list-applied',
    actor,
    subject: fileName,
    studentIds: rows.map(({ recordId }) => recordId),
    detail: { rows: rows.length, import: importId },
  })
}
