import type { Access } from '#server/lib/access.ts'
import type { Staff } from '#server/lib/actor.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { mustExist } from '#server/lib/change.ts'
import { studentMissing } from '#server/lib/missing-students.ts'
import { nextLevelOf } from '#shared/terms/credits.ts'
import type { Program } from '#shared/terms/program-response.ts'
import { type Level, termLabel } from '#shared/terms/terms.ts'
import { visibleOfEnrolment } from './enrolment-list-service.ts'
import { type CreditRow, createProgramReader, type ProgramEnrolment } from './program-repository.ts'

/** What a student did of NSTP: here by terms, elsewhere by credits. */
export function createProgram({ database, audit }: Pick<AppContext, 'database' | 'audit'>) {
  const readProgram = createProgramReader(database)

  return {
    async read(studentId: string, actor: Staff): Promise<Program> {
      const { access } = actor
      const found = mustExist(await readProgram(studentId, access), studentMissing)
      const { reference, enrolments, changes, credits, papers } = found
      // Beside the record it is the same view.
      const entry = { action: 'student-viewed', actor, studentId, subject: reference } as const
      await audit.recordView(database.db, entry)
      const { done, isExempt } = doneOf(enrolments, credits)
      return {
        ...(access.can('marks.read') && { nextLevel: nextLevelOf({ done, isExempt }) }),
        exempt: isExempt,
        // What was done in another component is of those who work with that.
        enrolments: enrolments
          .filter(({ component }) => access.includes(component))
          .map((enrolment) => ({
            ...presentEnrolment(enrolment, access),
            history: changes
              .filter(({ enrolmentId }) => enrolmentId === enrolment.id)
              .map(({ enrolmentId: _own, at, ...change }) => ({ ...change, at: instant(at) })),
          })),
        credits: credits.map((credit) => presentCredit(credit, access)),
        papers,
      }
    },
  }
}

const instant = (text: string) => new Date(text).toISOString()

function doneOf(enrolments: readonly ProgramEnrolment[], credits: readonly CreditRow[]) {
  const valid = credits.filter(({ revokedAt }) => revokedAt === null)
  const done: Level[] = [
    ...enrolments.flatMap(({ outcome, level }) => (outcome === 'passed' ? [level] : [])),
    ...valid.flatMap(({ level }) => (level === null ? [] : [level])),
  ]
  return { done, isExempt: valid.some(({ kind }) => kind === 'exemption') }
}

function presentEnrolment(
  enrolment: ProgramEnrolment,
  access: Access,
): Omit<Program['enrolments'][number], 'history'> {
  const {
    termId,
    academicYear,
    semester,
    state,
    sectionId,
    unit,
    section,
    officialAt,
    reason: _reason,
    entry: _entry,
    mark: _mark,
    outcome: _outcome,
    ...own
  } = enrolment
  return {
    ...own,
    ...visibleOfEnrolment(enrolment, access),
    section: sectionId === null ? null : { id: sectionId, unit: unit ?? '', name: section ?? '' },
    officialAt: officialAt && instant(officialAt),
    term: { id: termId, label: termLabel({ semester, academicYear }), state },
  }
}

/** Privacy: the ground and its evidence may tell a citizenship or a former school, and the mark is one. */
function presentCredit({ at, revokedAt, ...credit }: CreditRow, access: Access): Program['credits'][number] {
  const hidden = { school: '', mark: '', ground: null, evidence: '', revokeReason: '' }
  return {
    ...credit,
    ...(!access.can('credits') && hidden),
    at: instant(at),
    revokedAt: revokedAt && instant(revokedAt),
  }
}
