import { v7 as createId } from 'uuid'
import type { Queryable } from '#server/database/schema.ts'
import type { Access } from '#server/lib/access.ts'
import type { Staff } from '#server/lib/actor.ts'
import { type ChangeContext, commitChange, mustExist } from '#server/lib/change.ts'
import { AppError } from '#server/lib/errors.ts'
import { creditMessages, type NewCredit, nextLevelOf } from '#shared/terms/credits.ts'
import type { Program } from '#shared/terms/program-response.ts'
import { type Level, termLabel } from '#shared/terms/terms.ts'
import {
  type CreditRow,
  createCreditsRepository,
  createProgramRepository,
  type ProgramEnrolment,
} from './credit-repository.ts'

const studentMissing = 'Student not found'

/** What a student did of NSTP: here by terms, elsewhere by credits. */
export function createCredits(options: ChangeContext) {
  const { database, clock } = options

  return {
    async program(studentId: string, access: Access): Promise<Program> {
      const program = createProgramRepository(database.db, access)
      mustExist(await program.findStudent(studentId), studentMissing)
      const [enrolments, changes, credits] = await Promise.all([
        program.enrolments(studentId),
        access.can('enrolments') ? program.changes(studentId) : [],
        program.credits(studentId),
      ])
      const { done, isExempt } = doneOf(enrolments, credits)
      return {
        nextLevel: nextLevelOf({ done, isExempt }),
        exempt: isExempt,
        enrolments: enrolments.map((enrolment) => ({
          ...presentEnrolment(enrolment, access),
          history: changes
            .filter(({ enrolmentId }) => enrolmentId === enrolment.id)
            .map(({ enrolmentId: _own, at, ...change }) => ({ ...change, at: at.toISOString() })),
        })),
        credits: credits.map(({ at, revokedAt, ...credit }) => ({
          ...credit,
          at: at.toISOString(),
          revokedAt: revokedAt?.toISOString() ?? null,
        })),
      }
    },

    /** @throws AppError `conflict` where the student has or needs it no more */
    async add(studentId: string, credit: NewCredit, actor: Staff): Promise<{ id: string }> {
      return await commitChange(options, 'terms', async (tx, record) => {
        const program = createProgramRepository(tx, actor.access)
        const { reference } = mustExist(await program.lockStudent(studentId), studentMissing)
        const valid = (await program.credits(studentId)).filter(({ revokedAt }) => revokedAt === null)
        const { kind, level } = credit
        if (valid.some((one) => one.kind === kind && one.level === level)) {
          const sentence = level === null ? creditMessages.isExempt : creditMessages.hasOne(level)
          throw new AppError('conflict', sentence)
        }
        const isPassed = (await program.enrolments(studentId)).some(
          (one) => one.level === level && one.outcome === 'passed',
        )
        if (level !== null && isPassed) throw new AppError('conflict', creditMessages.passed(level))
        const id = createId()
        await createCreditsRepository(tx).insert({
          ...credit,
          id,
          studentId,
          decidedById: actor.adminId,
          decidedAt: clock(),
        })
        const detail = { step: 'added', kind, level, ground: credit.ground }
        await record({ action: 'credit-changed', actor, studentId, subject: reference, detail })
        return { id }
      })
    },

    async revoke(id: string, reason: string, actor: Staff): Promise<void> {
      await commitChange(options, 'terms', async (tx, record) => {
        const credits = createCreditsRepository(tx)
        const found = mustExist(await credits.find(id), creditMessages.missing)
        const { reference } = mustExist(
          await createProgramRepository(tx, actor.access).lockStudent(found.studentId),
          creditMessages.missing,
        )
        // Revoked or moved by a merge while the record was locked by another.
        const { studentId, kind, level } = mustExist(await credits.find(id), creditMessages.missing)
        await credits.revoke(id, { at: clock(), byId: actor.adminId, reason })
        const detail = { step: 'revoked', kind, level }
        await record({ action: 'credit-changed', actor, studentId, subject: reference, detail })
      })
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

/**
 * Before a record is merged into another and deleted. @returns the ids of what was moved, for the undo
 * @throws AppError `conflict` where both have the same
 */
export async function mergeCredits(
  tx: Queryable,
  { from, to }: { from: string; to: string },
): Promise<string[]> {
  const credits = createCreditsRepository(tx)
  const clash = await credits.findClash(from, to)
  if (clash) {
    const what = clash.level === null ? 'an exemption' : `a credit of NSTP ${clash.level}`
    throw new AppError('conflict', creditMessages.ofBoth(what))
  }
  return await credits.giveTo(to, { from })
}

export async function splitCredits(
  tx: Queryable,
  { from, to, ids }: { from: string; to: string; ids: readonly string[] },
): Promise<void> {
  if (ids.length > 0) await createCreditsRepository(tx).giveTo(to, { from, ids })
}
