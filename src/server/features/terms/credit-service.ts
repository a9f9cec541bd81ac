import { v7 as createId } from 'uuid'
import type { Queryable } from '#server/database/schema.ts'
import type { Staff } from '#server/lib/actor.ts'
import { type ChangeContext, commitChange, mustExist, undoMs } from '#server/lib/change.ts'
import { AppError, invalid } from '#server/lib/errors.ts'
import { missingSentence, studentMissing } from '#server/lib/missing-students.ts'
import { isComponent } from '#shared/students/student-choices.ts'
import {
  creditMessages,
  type EarlierGraduates,
  earlierGraduate,
  type NewCredit,
} from '#shared/terms/credits.ts'
import type { CreditedGraduates } from '#shared/terms/program-response.ts'
import { levels } from '#shared/terms/terms.ts'
import { createCreditsRepository } from './credit-repository.ts'

/**
 * Marks say who graduated in the years that this system has. Where it has no term yet, the year must have begun before this
 * calendar year: nobody who enlists in the first year graduated before it.
 * @throws AppError `invalid`
 */
async function mustBeEarlier(tx: Queryable, academicYear: string, now: Date): Promise<void> {
  const isBegun = Number(academicYear.slice(0, 4)) >= now.getUTCFullYear()
  if (isBegun || (await createCreditsRepository(tx).hasTermUpTo(academicYear)))
    throw invalid('academicYear', creditMessages.notEarlier)
}

/** Credits and exemptions for what a student did of NSTP elsewhere. */
export function createCredits(options: ChangeContext) {
  const { clock } = options

  return {
    /** @throws AppError `conflict` where the student has or needs it no more */
    async add(studentId: string, credit: NewCredit, actor: Staff): Promise<{ id: string }> {
      return await commitChange(options, 'terms', async (tx, record) => {
        const credits = createCreditsRepository(tx)
        const { reference } = mustExist(await credits.lockStudent(studentId, actor.access), studentMissing)
        const done = await credits.listDone(studentId)
        const { kind, level } = credit
        if (credit.ground === earlierGraduate) await mustBeEarlier(tx, credit.academicYear, clock())
        if (done.some((one) => one.kind === kind && one.level === level)) {
          const sentence = level === null ? creditMessages.isExempt : creditMessages.hasOne
          throw new AppError('conflict', sentence)
        }
        const isPassed = done.some((one) => one.kind === 'passed' && one.level === level)
        if (isPassed) throw new AppError('conflict', creditMessages.passed)
        const id = createId()
        await credits.insert({ ...credit, id, studentId, decidedById: actor.adminId, decidedAt: clock() })
        // Privacy: the ground may tell a citizenship, and no erasure reaches the trail.
        const detail = { step: 'added', kind, level }
        await record({ action: 'credit-changed', actor, studentId, subject: reference, detail })
        return { id }
      })
    },

    /** Credits the levels that a student lacks. Blocked records are left as they are, and so are exempt students. */
    async addEarlierGraduates(
      { students, academicYear, component, evidence }: EarlierGraduates,
      actor: Staff,
    ): Promise<CreditedGraduates> {
      return await commitChange(
        options,
        'terms',
        async (tx, record) => {
          const credits = createCreditsRepository(tx)
          const found = await credits.lockStudents(students, actor.access)
          const missing = new Set(students).size - found.length
          if (missing > 0) throw new AppError('conflict', missingSentence(missing, 'credited'))
          await mustBeEarlier(tx, academicYear, clock())
          const free = found.filter(({ isBlocked }) => !isBlocked)
          const exempt = new Set(await credits.listExempt(free.map(({ id }) => id)))
          const done = new Set(
            (await credits.listLevels(free.map(({ id }) => id))).map(
              ({ studentId, level }) => `${studentId} ${level}`,
            ),
          )
          const batchId = createId()
          const decidedAt = clock()
          const added = free.flatMap(({ id: studentId, nstpComponent }) =>
            levels
              .filter((level) => !exempt.has(studentId) && !done.has(`${studentId} ${level}`))
              .map((level) => ({
                ...{ id: createId(), studentId, level, academicYear, evidence, batchId, decidedAt },
                component: component ?? (isComponent(nstpComponent) ? nstpComponent : null),
                kind: 'credit' as const,
                ground: earlierGraduate,
                decidedById: actor.adminId,
              })),
          )
          await credits.insertMany(added)
          const studentIds = [...new Set(added.map(({ studentId }) => studentId))]
          if (studentIds.length > 0) {
            const detail = { step: 'added', kind: 'credit', ground: earlierGraduate }
            await record({ action: 'credit-changed', actor, studentIds, detail })
          }
          const count = studentIds.length
          return { id: batchId, count, unchanged: free.length - count, blocked: found.length - free.length }
        },
        { long: true },
      )
    },

    /** Only the account that added them may undo it, within ten minutes. @throws AppError `not_found` */
    async undoEarlierGraduates(batchId: string, actor: Staff): Promise<{ count: number }> {
      return await commitChange(
        options,
        'terms',
        async (tx, record) => {
          const since = new Date(clock().getTime() - undoMs)
          const studentIds = await createCreditsRepository(tx).deleteBatch(batchId, {
            since,
            byId: actor.adminId,
          })
          if (studentIds.length === 0) throw new AppError('not_found', creditMessages.tooLate)
          const detail = { step: 'undone', kind: 'credit' }
          await record({ action: 'credit-changed', actor, studentIds, detail })
          return { count: studentIds.length }
        },
        { long: true },
      )
    },

    async revoke(id: string, reason: string, actor: Staff): Promise<void> {
      await commitChange(options, 'terms', async (tx, record) => {
        const credits = createCreditsRepository(tx)
        const found = mustExist(await credits.find(id), creditMessages.missing)
        const { reference } = mustExist(
          await credits.lockStudent(found.studentId, actor.access),
          creditMessages.missing,
        )
        // Race: the credit may have been revoked, or moved by a merge, while another had locked the record.
        const { studentId, kind, level } = mustExist(await credits.find(id), creditMessages.missing)
        await credits.revoke(id, { at: clock(), byId: actor.adminId, reason })
        const detail = { step: 'revoked', kind, level }
        await record({ action: 'credit-changed', actor, studentId, subject: reference, detail })
      })
    },
  }
}

/**
 * Call it before a record is merged into another and deleted.
 * @throws AppError `conflict` where both have the same credit
 */
export async function mustBeWithoutSameCredit(
  tx: Queryable,
  { from, to }: { from: string; to: string },
): Promise<void> {
  const clash = await createCreditsRepository(tx).findClash(from, to)
  if (clash?.isPassed) throw new AppError('conflict', creditMessages.passedAndCredited)
  if (clash) {
    const what = clash.level === null ? 'an exemption' : 'a credit of the same level'
    throw new AppError('conflict', creditMessages.ofBoth(what))
  }
}
