import type * as mini from 'zod/mini'
import { jsonSchemaOf } from './documented.ts'

const text = { type: 'string' } as const
const binary = { type: 'string', format: 'binary' } as const
const dataUrl = { type: 'string', description: 'A data URL.' } as const
const base64 = { type: 'string', description: 'Base64 or a data URL, in place of the field itself.' } as const

/**
 * Describes a body that its route reads by `readSent`.
 *
 * @param fields its fields; the route checks them itself, by `parseFields`
 * @param files the fields that hold files
 */
export function sentBody(fields: mini.ZodMiniType, files: readonly string[]) {
  const described = jsonSchemaOf(fields)
  const withFiles = (membersOf: (file: string) => Record<string, typeof text>) => ({
    ...described,
    properties: Object.fromEntries(
      [described.properties, ...files.map(membersOf)].flatMap((members) => Object.entries(members)),
    ),
  })
  return {
    required: true,
    content: {
      'multipart/form-data': { schema: withFiles((file) => ({ [file]: binary })) },
      'application/json': {
        schema: withFiles((file) => ({
          [file]: dataUrl,
          [`${file}Base64`]: base64,
          [`${file}Name`]: text,
          [`${file}Type`]: text,
        })),
      },
    },
  }
}
