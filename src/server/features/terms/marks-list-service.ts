import type { ListPurpose, RowFields, RowVerdict } from '#server/lib/list-purpose.ts'
import {
  isPassedByRounding,
  isPercent,
  type MarkingScale,
  markingMessages,
  markOfFile,
  outcomeNames,
  outcomeOf,
} from '#shared/terms/marking.ts'
import { marksMessages } from '#shared/terms/marks.ts'
import { type Outcome, type Semester, termLabel } from '#shared/terms/terms.ts'
import { planUndo, takeBack } from './batch-service.ts'
import { createEnrolmentsRepository } from './enrolment-repository.ts'
import { followComponent } from './enrolment-service.ts'
import { createListRepository, type TermMember } from './list-repository.ts'
import { createMarksRepository } from './mark-repository.ts'
import { mustHaveReason, nameOf, storeMarks } from './mark-service.ts'
import { mustReach, ofComponent } from './registrar-list-service.ts'
import { createTermsRepository } from './repository.ts'
import { findTerm, lockAnyTerm } from './service.ts'

export interface MarkedMember extends TermMember {
  /** The other term in which the student passed the level. */
  passedIn: { academicYear: string; semester: Semester } | undefined
}

/** Marks from a file: entered as in the grid, in a closed term with a reason. */
export function createMarksList({
  marking,
  timeZone,
}: {
  marking: () => MarkingScale
  timeZone: string
}): ListPurpose<MarkedMember> {
  return {
    topics: ['terms'],

    async open(db, { aboutId: termId }) {
      const { academicYear } = await findTerm(db, termId)
      return { academicYear }
    },

    async mayApply(db, { aboutId: termId, reason }) {
      mustHaveReason(await findTerm(db, termId), reason)
    },

    async lock(tx, { aboutId: termId, reason }) {
      // The grid of marks takes the same lock: nobody passes a level in two terms at once.
      await createTermsRepository(tx).lockAround(termId)
      mustHaveReason(await lockAnyTerm(tx, termId), reason)
    },

    async members(db, { aboutId: termId, access, recordIds }) {
      const members = await createListRepository(db, access).members(termId, recordIds)
      const ids = members.map(({ enrolmentId }) => enrolmentId)
      const passes = await createMarksRepository(db, access).findPasses(ids)
      return members.map((member) => ({
        ...member,
        held: member.mark,
        passedIn: passes.get(member.enrolmentId),
      }))
    },

    async judging() {
      const scale = marking()
      return { judge: ({ fields }, member) => judge(fields, member, scale) }
    },

    // An error in a whole column, such as another scale, shows in them.
    async notes(_db, { rows }) {
      const scale = marking()
      const outcomes = rows.flatMap(({ fields }) => {
        const outcome = outcomeOf(markOfFile(fields.mark ?? '', scale), scale)
        return outcome === undefined || outcome === 'none' ? [] : [outcome]
      })
      return outcomes.length === 0 ? [] : [countsOf(outcomes)]
    },

    async apply(tx, rows, { aboutId: termId, importId, at, actor, access, reason = '' }) {
      const scale = marking()
      const ids = rows.map(({ enrolmentId }) => enrolmentId)
      const held = new Map(
        (await createMarksRepository(tx, access).lock(termId, ids)).map((row) => [row.id, row]),
      )
      const changed = rows.flatMap(({ enrolmentId: id, fields }) => {
        const now = held.get(id)
        const mark = markOfFile(fields.mark ?? '', scale)
        const outcome = outcomeOf(mark, scale)
        return now && outcome ? [{ item: { id, mark, outcome }, now }] : []
      })
      await storeMarks(tx, changed, { at, byId: actor?.adminId ?? null, batchId: importId, reason })
    },

    async undo(tx, { aboutId: termId, importId, at, actor, access }) {
      await mustReach(tx, importId, access)
      const changes = await createEnrolmentsRepository(tx).lockBatch(importId, access)
      const undo = await planUndo(tx, { id: termId }, changes, { access })
      const adminId = actor?.adminId ?? null
      await takeBack(tx, undo, { byId: adminId, at })
      const studentIds = undo.marked.map(({ studentId }) => studentId)
      // Some students may have got another component meanwhile.
      await followComponent(tx, studentIds, { at, timeZone, adminId })
      return studentIds
    },
  }
}

function judge(fields: RowFields, member: MarkedMember, scale: MarkingScale): RowVerdict {
  const mark = markOfFile(fields.mark ?? '', scale)
  // An empty cell is no mark, and takes none back.
  if (mark === '') return { state: 'unchanged' }
  const outcome = outcomeOf(mark, scale)
  if (outcome === undefined) {
    return problem(isPercent(mark) ? markingMessages.percent(scale) : markingMessages.mark(scale))
  }
  if (member.isTwice) return problem(marksMessages.twoLevels(nameOf(member)))
  if (mark === markOfFile(member.mark, scale)) return { state: 'unchanged' }
  if (outcome === 'passed' && member.passedIn) {
    const term = termLabel(member.passedIn)
    return problem(marksMessages.passedBefore(nameOf(member), term))
  }
  const verdict = ofComponent(fields, member, 'ready')
  if (verdict.state !== 'ready' || !isPassedByRounding(fields.mark ?? '', scale)) return verdict
  const message = markingMessages.byRounding(mark, outcome)
  return { state: 'differs', field: 'mark', message, otherwise: 'ready' }
}

function countsOf(outcomes: readonly Outcome[]): string {
  const counted = (['passed', 'failed', 'incomplete', 'dropped'] as const).flatMap((outcome) => {
    const count = outcomes.filter((one) => one === outcome).length
    const isAlways = outcome === 'passed' || outcome === 'failed'
    return count > 0 || isAlways ? [`${count} ${outcomeNames[outcome].toLowerCase()}`] : []
  })
  const marks = outcomes.length === 1 ? '1 mark' : `${outcomes.length} marks`
  return `${marks}: ${counted.join(', ')}.`
}

const problem = (message: string): RowVerdict => ({ state: 'problem', field: 'mark', message })
