import * as z from 'zod/mini'
import type { OrgNode } from '#shared/org-chart.ts'
import { newOrgNodeSchema } from '#shared/org-chart-schema.ts'
import type { FieldError } from '#shared/problem.ts'

/** What the form holds. Names are those of the API's fields and ids of their controls. */
export interface NodeValues {
  name: string
  title: string
  department: string
  /** '' for none. */
  parentId: string
  /** What was chosen and isn't sent yet. */
  image: File | null
  /** The photo in use is to go. */
  isImageRemoved: boolean
}

/** What a new position begins with. */
export type NewNodeBasis = Pick<OrgNode, 'parentId' | 'department'>

/** @param held null for a new position, which begins with the basis */
export function valuesOf(held: OrgNode | null, basis: NewNodeBasis): NodeValues {
  return {
    name: held?.name ?? '',
    title: held?.title ?? '',
    department: (held ?? basis).department,
    parentId: (held ?? basis).parentId ?? '',
    image: null,
    isImageRemoved: false,
  }
}

const fields = ['name', 'title', 'department', 'parentId'] as const

/** The broken rules in form order. */
export function problemsOf(values: NodeValues): FieldError[] {
  const sent = Object.fromEntries(fields.map((field) => [field, values[field]]))
  const { error } = z.safeParse(newOrgNodeSchema, sent)
  return (error?.issues ?? []).map(({ path, message }) => ({ path: path.join('.'), message }))
}

/**
 * What is sent. Of an edit only what was changed: the rest stays as somebody else may have made it.
 *
 * @param seen the values that the form began with; null for a new position
 */
export function bodyOf(values: NodeValues, seen: NodeValues | null): FormData {
  const body = new FormData()
  for (const field of fields) {
    if (seen === null || values[field] !== seen[field]) body.set(field, values[field])
  }
  if (values.image) body.set('image', values.image)
  else if (seen !== null && values.isImageRemoved) body.set('keepExistingImage', 'false')
  return body
}
