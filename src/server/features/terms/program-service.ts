import { studentMissing } from '#server/features/students/change-service.ts'
import type { Access } from '#server/lib/access.ts'
import type { Staff } from '#server/lib/actor.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { mustExist } from '#server/lib/change.ts'
import { nextLevelOf } from '#shared/terms/credits.ts'
import type { Program } from '#shared/terms/program-response.ts'
import { type Level, termLabel } from '#shared/terms/terms.ts'
import { type CreditRow, createProgramRepository, type ProgramEnrolment } from './program-repository.ts'

/** What a student did of NSTP: here by terms, elsewhere by credits. */
export function createProgram({ database, audit }: Pick<AppContext, 'database' | 'audit'>) {
  return {
    async read(studentId: string, actor: Staff): Promise<Program> {
      const { access } = actor
      const program = createProgramRepository(database.db, access)
      const { reference } = mustExist(await program.findStudent(studentId), studentMissing)
      const [enrolments, changes, credits, papers] = await Promise.all([
        program.enrolments(studentId),
        access.can('enrolments') ? program.changes(studentId) : [],
        program.credits(studentId),
        access.can('papers') ? program.papers(studentId) : [],
      ])
      // Beside the record it is the same view.
      const entry = { action: 'student-viewed', actor, studentId, subject: reference } as const
      await audit.recordView(database.db, entry)
      const { done, isExempt } = doneOf(enrolments, credits)
      return {
        nextLevel: nextLevelOf({ done, isExempt }),
        exempt: isExempt,
        // What was done in another component is of those who work with that.
        enrolments: enrolments
          .filter(({ component }) => access.includes(component))
          .map((enrolment) => ({
            ...presentEnrolment(enrolment, access),
            history: changes
              .filter(({ enrolmentId }) => enrolmentId === enrolment.id)
              .map(({ enrolmentId: _own, at, ...change }) => ({ ...change, at: at.toISOString() })),
          })),
        credits: credits.map((credit) => presentCredit(credit, access)),
        papers,
      }
    },
  }
}

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
    mark,
    outcome,
    ...own
  } = enrolment
  return {
    ...own,
    ...(access.can('marks.read') && { mark, outcome }),
    section: sectionId === null ? null : { id: sectionId, unit: unit ?? '', name: section ?? '' },
    officialAt: officialAt?.toISOString() ?? null,
    term: { id: termId, label: termLabel({ semester, academicYear }), state },
  }
}

/** Privacy: the ground and its evidence may tell a citizenship or a former school, and the mark is one. */
function presentCredit({ at, revokedAt, ...credit }: CreditRow, access: Access): Program['credits'][number] {
  const hidden = { school: '', mark: '', ground: null, evidence: '', revokeReason: '' }
  return {
    ...credit,
    ...(!access.can('credits') && hidden),
    at: at.toISOString(),
    revokedAt: revokedAt?.toISOString() ?? null,
  }
}
