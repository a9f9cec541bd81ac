import type { Actor } from '#server/actor.ts'
import type { Clock } from '#server/clock.ts'
import type { UnseenRepository } from './unseen-repository.ts'

interface UnseenStudentsOptions {
  repository: UnseenRepository
  clock: Clock
}

export type UnseenStudents = ReturnType<typeof createUnseenStudents>

/** Registrations that an administrator hasn't seen in the list yet: what the bell counts. */
export function createUnseenStudents({ repository, clock }: UnseenStudentsOptions) {
  return {
    async count({ adminId }: Actor): Promise<number> {
      return adminId === null ? 0 : await repository.count(adminId)
    },

    async markSeen({ adminId }: Actor): Promise<void> {
      if (adminId !== null) await repository.markSeen(adminId, clock())
    },
  }
}
