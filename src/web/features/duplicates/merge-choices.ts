import type { StudentRecord } from '#shared/student.ts'
import { type StudentField, studentFieldNames } from '#shared/student-fields.ts'
import type { StudentMerge } from '#shared/students.ts'

export type Side = 'left' | 'right'

export const sides: readonly Side[] = ['left', 'right']

/** Two records beside each other. */
export type Pair = Record<Side, StudentRecord>

/** What a person decided about two records; what isn't there follows the defaults. */
export interface MergeChoices {
  /** The record that stays, with its reference and dates. */
  keep: Side
  /** Whose value a field takes. */
  take: { [Field in StudentField]?: Side | undefined }
}

export function otherSide(side: Side): Side {
  return side === 'left' ? 'right' : 'left'
}

/** The fields in which the two differ, in form order. */
export function differingFields({ left, right }: Pair): StudentField[] {
  return studentFieldNames.filter((field) => left[field] !== right[field])
}

/** The fields that say the same and say something. */
export function commonFields({ left, right }: Pair): StudentField[] {
  return studentFieldNames.filter((field) => left[field] === right[field] && left[field] !== '')
}

/** An active record stays rather than an archived one, then the earlier: its reference was given out first. */
export function defaultChoices({ left, right }: Pair): MergeChoices {
  if (left.archived !== right.archived) return { keep: left.archived ? 'right' : 'left', take: {} }
  return { keep: left.registrationDate <= right.registrationDate ? 'left' : 'right', take: {} }
}

/** Whose value a field gets: what was decided, else that of the record that stays, unless it is empty. */
export function sideOf(field: StudentField, { keep, take }: MergeChoices, pair: Pair): Side {
  return take[field] ?? (pair[keep][field] === '' ? otherSide(keep) : keep)
}

/** All values from one record; the record that stays is another question. */
export function takeAll(side: Side, choices: MergeChoices, pair: Pair): MergeChoices {
  return { ...choices, take: Object.fromEntries(differingFields(pair).map((field) => [field, side])) }
}

/** The choices as the API takes them. */
export function mergeOf(choices: MergeChoices, pair: Pair): StudentMerge {
  const { keep } = choices
  const kept = pair[keep]
  const dropped = pair[otherSide(keep)]
  const take = differingFields(pair).map((field) => [
    field,
    sideOf(field, choices, pair) === keep ? 'keep' : 'drop',
  ])
  return {
    keepId: kept.id,
    keepVersion: kept.version,
    dropId: dropped.id,
    dropVersion: dropped.version,
    take: Object.fromEntries(take),
  }
}
