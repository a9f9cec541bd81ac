import { someMissing } from '#server/features/students/service.ts'
import type { Staff } from '#server/lib/actor.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { createCode } from '#server/lib/code.ts'
import { sha256 } from '#server/lib/digest.ts'
import { AppError } from '#server/lib/errors.ts'
import { slipLength } from '#shared/my/my.ts'
import { studentName } from '#shared/students/student-name.ts'
import { sectionLabel } from '#shared/terms/terms.ts'
import { createSlipRepository } from './slip-repository.ts'

/**
 * Makes the slips of students. A new one ends the old one, and the pages that were opened before. Blocked records get
 * slips too: a restriction doesn't end the right to see one's own data.
 */
export function createSlips({ database, audit, clock }: Pick<AppContext, 'database' | 'audit' | 'clock'>) {
  return async (asked: readonly string[], actor: Staff) => {
    const ids = [...new Set(asked.map((id) => id.toLowerCase()))]
    const codes = new Map(ids.map((id) => [id, createCode(slipLength)]))
    return await database.transact(async (tx) => {
      const slips = createSlipRepository(tx)
      const owners = await slips.lockOwners(ids, actor.access)
      if (owners.length < ids.length) throw new AppError('conflict', someMissing)
      await slips.endOpened(ids)
      const hashes = owners.map(({ id }) => ({ studentId: id, slipHash: sha256(codes.get(id) ?? '') }))
      await slips.keep(hashes, clock())
      const [only, ...others] = ids
      const of = only && others.length === 0 ? { studentId: only } : { studentIds: ids }
      await audit.record(tx, { action: 'slips-made', actor, ...of, affected: ids.length })
      const byId = new Map(owners.map((owner) => [owner.id, owner]))
      return ids.flatMap((id) => {
        const owner = byId.get(id)
        if (!owner) return []
        const { reference, unit, sectionName } = owner
        const section = unit === null || sectionName === null ? '' : sectionLabel({ unit, name: sectionName })
        return [{ id, reference, name: studentName(owner), section, code: codes.get(id) ?? '' }]
      })
    })
  }
}
