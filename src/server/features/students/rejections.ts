import { v7 as createId } from 'uuid'
import { codeOf } from '#server/database/errors.ts'
import type { Actor } from '#server/lib/actor.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { commitChange } from '#server/lib/change.ts'
import { AppError } from '#server/lib/errors.ts'
import { missingSentence } from '#server/lib/missing-students.ts'
import { createRejectionRepository } from './rejection-repository.ts'
import { lockSerials } from './serial-number-service.ts'

const dayMs = 86_400_000
const networkDays = 30
const shownNetworks = 50
const notNullViolation = '23502'

export type Rejections = ReturnType<typeof createRejections>

/** Rejects fake registrations. For a day they can be restored; then the records and their e-mails are deleted. */
export function createRejections(context: AppContext) {
  const { database, clock, publish, audit } = context
  const repository = createRejectionRepository(database.db)
  const before = (days: number) => new Date(clock().getTime() - days * dayMs)

  return {
    async preview(ids: readonly string[], actor: Actor) {
      const previewed = await repository.preview(ids)
      const { sample } = previewed
      const detail = { sampleOf: 'rejection' }
      const entry = { action: 'students-listed', actor, affected: sample.length, detail } as const
      await audit.recordView(database.db, entry, sample.map(({ id }) => id).join())
      return previewed
    },

    // Rejects all records or none. Records that an import made or updated stay, because an import has an undo.
    // Students who are in a term stay too.
    async reject(ids: readonly string[], actor: Actor) {
      const uniqueIds = [...new Set(ids)]
      const id = createId()
      const count = await commitChange(
        context,
        'students',
        async (tx, record) => {
          const rejections = createRejectionRepository(tx)
          const found = await rejections.lock(uniqueIds)
          const missing = uniqueIds.length - found.length
          if (missing > 0) throw new AppError('conflict', missingSentence(missing, 'rejected'))
          const studentIds = found.flatMap((row) => (row.isKept ? [] : row.id))
          if (studentIds.length === 0) return 0
          await rejections.reject(studentIds, { id, at: clock(), actor: actor.name })
          await record({ action: 'registrations-rejected', actor, studentIds })
          return studentIds.length
        },
        { long: true },
      )
      if (count > 0) publish('mail')
      return { id, count }
    },

    async undo(id: string, actor: Actor) {
      const done = await commitChange(
        context,
        'students',
        async (tx, record) => {
          const rejections = createRejectionRepository(tx)
          await lockSerials(tx)
          const studentIds = await rejections.restore(id, before(1))
          const skipped = await rejections.noteUndone(id, before(1))
          if (studentIds.length + skipped === 0) {
            throw new AppError('not_found', 'This rejection can no longer be undone.')
          }
          await record({ action: 'rejection-undone', actor, studentIds })
          return { count: studentIds.length, skipped }
        },
        { long: true },
      ).catch((error: unknown) => {
        // The stored record lacks a column of a later version.
        if (codeOf(error) !== notNullViolation) throw error
        const detail = 'The portal was updated after this rejection, so it can no longer be undone.'
        throw new AppError('conflict', { detail, cause: error })
      })
      publish('mail')
      return done
    },

    async list() {
      const items = await repository.list(before(1))
      return items.map(({ at, ...rest }) => ({
        ...rest,
        at: at.toISOString(),
        until: new Date(at.getTime() + dayMs).toISOString(),
      }))
    },

    networks: () => repository.networks(before(networkDays), shownNetworks),

    async expire() {
      await repository.expire(before(1))
      await repository.forgetNetworks(before(networkDays))
    },
  }
}
