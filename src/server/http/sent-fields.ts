import * as mini from 'zod/mini'
import { AppError } from '#server/errors.ts'
import { jsonSchemaOf } from './documented.ts'
import type { Sent } from './read-sent.ts'

const binary = { type: 'string', format: 'binary' } as const
const dataUrl = { type: 'string', description: 'A data URL.' } as const

/**
 * Describes a body that its route reads by `readSent`.
 *
 * @param fields its fields; the route checks them itself, by `validFields`
 * @param files the fields that hold files
 */
export function sentBody(fields: mini.ZodMiniType, files: readonly string[]) {
  const described = jsonSchemaOf(fields)
  const withFiles = (kind: typeof binary | typeof dataUrl) => ({
    ...described,
    properties: { ...described.properties, ...Object.fromEntries(files.map((name) => [name, kind])) },
  })
  return {
    required: true,
    content: {
      'multipart/form-data': { schema: withFiles(binary) },
      'application/json': { schema: withFiles(dataUrl) },
    },
  }
}

/** The fields of a body by their schema. @throws AppError `invalid` with the broken rules in the schema's order */
export function validFields<T extends mini.ZodMiniType>(schema: T, { fields }: Sent): mini.output<T> {
  const result = mini.safeParse(schema, fields)
  if (result.success) return result.data
  const errors = result.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }))
  throw new AppError('invalid', { errors, ...(errors[0] ? { detail: errors[0].message } : {}) })
}
