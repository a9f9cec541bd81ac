import type * as mini from 'zod/mini'
import { jsonSchemaOf } from './documented.ts'

const binary = { type: 'string', format: 'binary' } as const
const dataUrl = { type: 'string', description: 'A data URL.' } as const

/**
 * Describes a body that its route reads by `readSent`.
 *
 * @param fields its fields; the route checks them itself, by `parseFields`
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
