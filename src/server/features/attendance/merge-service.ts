import type { Queryable } from '#server/database/schema.ts'
import { createAttendanceMergeRepository, type MergedAttendance } from './merge-repository.ts'

export type { MergedAttendance }

/** Call it before the dropped record is deleted: its attendance would go with it. */
export function mergeAttendance(
  tx: Queryable,
  merging: { from: string; to: string },
): Promise<MergedAttendance> {
  return createAttendanceMergeRepository(tx).merge(merging)
}

/**
 * The undo of `mergeAttendance`.
 * @param splitting has the ids of the requests that go back
 * @returns false if one of them was granted since: the kept record has the excuse, in the place of what it had
 */
export async function splitAttendance(
  tx: Queryable,
  splitting: { from: string; to: string; requests: readonly string[] },
  merged: MergedAttendance | undefined,
): Promise<boolean> {
  if (!merged) return true
  const attendance = createAttendanceMergeRepository(tx)
  if (await attendance.isExcusedSince(splitting, merged)) return false
  await attendance.split(splitting, merged)
  return true
}
