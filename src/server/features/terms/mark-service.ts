import type { Queryable } from '#server/database/schema.ts'
import type { Access } from '#server/lib/access.ts'
import type { Staff } from '#server/lib/actor.ts'
import { type ChangeContext, commitChange } from '#server/lib/change.ts'
import { AppError, invalid } from '#server/lib/errors.ts'
import { idOfKey } from '#server/lib/idempotency.ts'
import type { FieldError } from '#shared/problem.ts'
import type { Settings } from '#shared/settings/settings.ts'
import type { NstpComponent } from '#shared/students/student-choices.ts'
import { isEntered, type ProposedMark } from '#shared/terms/mark-proposal.ts'
import { markingMessages, outcomeOf } from '#shared/terms/marking.ts'
import { type Marks, marksMessages, mostMarksAtOnce } from '#shared/terms/marks.ts'
import type { EnteredMarks, MarkList } from '#shared/terms/marks-response.ts'
import { type Level, type Outcome, termLabel } from '#shared/terms/terms.ts'
import { type ChangeCause, createEnrolmentsRepository, type StoredMark } from './enrolment-repository.ts'
import { createMarksRepository, type LockedMark } from './mark-repository.ts'
import { createMarkSchemesRepository } from './mark-scheme-repository.ts'
import { attendedBy, proposalsOf } from './mark-scheme-service.ts'
import type { TermRow } from './repository.ts'
import { findTerm, lockAnyTerm } from './service.ts'

interface MarksOptions extends ChangeContext {
  settings: () => Settings
}

export function createMarks(options: MarksOptions) {
  const { database, clock, audit, settings } = options

  return {
    async list(
      termId: string,
      wanted: { component: NstpComponent; level: Level; section?: string | undefined },
      actor: Staff,
    ): Promise<MarkList> {
      const { db } = database
      const term = await findTerm(db, termId)
      const rows = await createMarksRepository(db, actor.access).list(termId, wanted)
      const listed = rows.filter(({ restriction }) => restriction === null)
      if (listed.length > mostMarksAtOnce) throw new AppError('too_big', marksMessages.tooMany)
      const detail = { term: termId, component: wanted.component, level: wanted.level, list: 'marks' }
      const affected = listed.length
      const entry = { action: 'students-listed', actor, subject: termLabel(term), affected, detail } as const
      await audit.recordView(db, entry, wanted.section)
      const scheme = await createMarkSchemesRepository(db, actor.access).find(termId, wanted.component)
      const ids = listed.map(({ id }) => id)
      const attended = await attendedBy(db, actor.access, scheme, ids)
      return {
        scheme,
        items: listed.map((row) => {
          const {
            recordId,
            restriction: _none,
            id,
            version,
            mark,
            outcome,
            percent,
            parts,
            scores,
            ...student
          } = row
          return {
            ...{ id, version, mark, outcome, percent, parts, scores },
            attended: attended(id),
            student: { id: recordId, ...student },
          }
        }),
        leftOut: rows.length - listed.length,
      }
    },

    /**
     * Saves the marks of enrolments that nobody else has changed since they were read. The others stay as they are. A mark
     * that the parts give is stored with them.
     */
    async enter(
      termId: string,
      { items, reason }: Marks,
      key: string | undefined,
      actor: Staff,
    ): Promise<EnteredMarks> {
      const batchId = idOfKey(actor.adminId ?? '', `marks ${termId}`, key)
      const wanted = withOutcomes(items, settings())
      const ids = items.map(({ id }) => id)
      return await commitChange(options, 'terms', async (tx, record) => {
        const marks = createMarksRepository(tx, actor.access)
        await marks.lockTerms(ids)
        const term = await lockAnyTerm(tx, termId)
        mustHaveReason(term, reason)
        const held = new Map((await marks.lock(termId, ids)).map((row) => [row.id, row]))
        if (held.size < ids.length) throw new AppError('not_found', marksMessages.gone)

        const { marking } = settings()
        const proposals = await proposalsOf(tx, { termId, rows: [...held.values()], marking }, actor.access)
        const rows = wanted.flatMap((item, index): SentMark[] => {
          const now = held.get(item.id)
          return now ? [sentMark({ item, index, now }, proposals.get(item.id))] : []
        })
        // What already has the mark is none: so a request that is sent again gets the same answer.
        const conflicts = rows.filter(({ isSame, isCurrent }) => !isSame && !isCurrent)
        const changed = rows.filter(({ isSame, isCurrent }) => !isSame && isCurrent)
        mustSayWhy(changed, reason)
        await mustPassOnce(tx, changed, actor.access)
        if (changed.length > 0) {
          await storeMarks(tx, changed, { at: clock(), byId: actor.adminId, batchId, reason })
          await record({
            action: 'marks-entered',
            actor,
            subject: termLabel(term),
            studentIds: changed.map(({ now }) => now.recordId),
          })
        }
        const same = rows.filter(({ isSame }) => isSame)
        return {
          batchId,
          items: [
            ...changed.map(({ item: { id, mark, outcome }, now }) => ({
              id,
              version: now.version + 1,
              mark,
              outcome,
            })),
            ...same.map(({ now }) => presentMark(now)),
          ],
          conflicts: conflicts.map(({ now }) => presentMark(now)),
        }
      })
    },
  }
}

type Item = Marks['items'][number] & { outcome: Outcome }

/** @throws AppError `invalid` with what is no mark in the school's scale */
function withOutcomes(items: Marks['items'], { marking }: Settings): Item[] {
  const errors: FieldError[] = []
  const wanted = items.flatMap((item, index) => {
    const outcome = outcomeOf(item.mark, marking)
    if (outcome !== undefined) return [{ ...item, outcome }]
    errors.push({ path: `items.${index}.mark`, message: markingMessages.mark(marking) })
    return []
  })
  if (errors.length > 0) throw new AppError('invalid', { errors })
  return wanted
}

/** @throws AppError `invalid` for a closed term without one */
export function mustHaveReason({ state }: Pick<TermRow, 'state'>, reason: string | undefined): void {
  if (state === 'closed' && reason === '') throw invalid('reason', marksMessages.reason)
}

interface MarkToStore {
  item: Pick<Item, 'id' | 'mark' | 'outcome'>
  now: LockedMark
  // What is stored with the mark; undefined for one that was typed or imported.
  entered?: ProposedMark | undefined
}

interface ChangedMark extends MarkToStore {
  item: Item
  index: number
}

interface SentMark extends ChangedMark {
  isSame: boolean
  // Whether neither the enrolment nor what its parts give was changed since it was read.
  isCurrent: boolean
  isAgainst: boolean
}

function sentMark(sent: ChangedMark, proposed: ProposedMark | undefined): SentMark {
  const { item, now } = sent
  const entered = proposed?.mark === item.mark ? proposed : undefined
  const isNumber = item.outcome === 'passed' || item.outcome === 'failed'
  return {
    ...sent,
    entered,
    isSame:
      now.mark === item.mark && (!item.isProposed || (entered !== undefined && isEntered(now, entered))),
    isCurrent: now.version === item.version && (!item.isProposed || entered !== undefined),
    isAgainst: isNumber && proposed !== undefined && entered === undefined,
  }
}

/** @throws AppError `invalid` for a number against what the parts give, without a reason */
function mustSayWhy(changed: readonly SentMark[], reason: string): void {
  if (reason === '' && changed.some(({ isAgainst }) => isAgainst)) {
    throw invalid('reason', marksMessages.against)
  }
}

/** @throws AppError `invalid` for a second pass of a level */
async function mustPassOnce(tx: Queryable, changed: readonly ChangedMark[], access: Access): Promise<void> {
  const passing = changed.filter(({ item }) => item.outcome === 'passed')
  const passes = await createMarksRepository(tx, access).findPasses(passing.map(({ item }) => item.id))
  const errors = passing.flatMap(({ item, index, now }) => {
    const term = passes.get(item.id)
    if (!term) return []
    const message = marksMessages.passedBefore(nameOf(now), termLabel(term))
    return [{ path: `items.${index}.mark`, message }]
  })
  if (errors.length > 0) throw new AppError('invalid', { errors })
}

export const nameOf = ({ lastName, firstName }: Pick<LockedMark, 'lastName' | 'firstName'>) =>
  `${lastName}, ${firstName}`

const presentMark = ({ id, version, mark, outcome }: LockedMark) => ({ id, version, mark, outcome })

export async function storeMarks(
  tx: Queryable,
  changed: readonly MarkToStore[],
  cause: ChangeCause,
): Promise<void> {
  const enrolments = createEnrolmentsRepository(tx)
  const marks = changed.map(({ item: { id, mark, outcome }, now, entered }) => ({
    now,
    stored: { id, mark, outcome, percent: entered?.percent ?? null, parts: entered?.parts ?? null },
  }))
  await enrolments.setMarks(marks.map(({ stored }) => stored))
  const changes = marks.map(({ stored, now }) => ({
    enrolmentId: stored.id,
    what: 'mark' as const,
    before: markOf(now),
    after: markOf(stored),
    version: now.version + 1,
  }))
  await enrolments.note(changes, cause)
}

function markOf({
  mark,
  outcome,
  percent,
  parts,
}: Pick<StoredMark, 'mark' | 'outcome' | 'percent' | 'parts'>) {
  return { mark, outcome, ...(parts !== null && { percent, parts }) }
}
