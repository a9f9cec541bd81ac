import * as z from 'zod/mini'
import { AppError } from '#server/lib/errors.ts'

/** @throws AppError `invalid` with the broken rules by field */
export function parseFields<T extends z.ZodMiniType>(schema: T, fields: unknown): z.output<T> {
  const result = z.safeParse(schema, fields)
  if (result.success) return result.data
  const errors = result.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }))
  throw new AppError('invalid', { errors, ...(errors[0] ? { detail: errors[0].message } : {}) })
}
