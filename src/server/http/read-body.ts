import type { Context } from 'hono'
import type * as mini from 'zod/mini'
import { AppError, invalid } from '#server/lib/errors.ts'
import { imageMessages } from '#shared/files/images.ts'
import type { AppEnv } from './context.ts'
import { jsonSchemaOf } from './schemas.ts'

export interface UploadedFile {
  bytes: Buffer
  fileName: string
  // The client declared it; don't rely on it.
  mediaType: string
}

export interface RequestBody {
  // Texts from a form, any JSON value from JSON.
  fields: Record<string, unknown>
  files: Partial<Record<string, UploadedFile>>
}

const incomplete = 'The upload arrived incomplete. Please try again.'
const notJson = 'The request could not be read. Please check its format.'

export function isForm(c: Context<AppEnv>): boolean {
  return c.req.header('Content-Type')?.toLowerCase().startsWith('multipart/form-data') ?? false
}

/**
 * Reads fields and files of a multipart form, or of JSON. In JSON a file is a data URL in its field or, from programs
 * of the prototype, in `{field}Base64`, with `{field}Name` and `{field}Type`.
 * @param fileFields the fields with files
 * @throws AppError `invalid` when the body can't be read
 */
export async function readBody(c: Context<AppEnv>, fileFields: readonly string[]): Promise<RequestBody> {
  return isForm(c) ? await readForm(c, fileFields) : await readJson(c, fileFields)
}

// A file field without a chosen file is omitted.
export async function readForm(c: Context<AppEnv>, fileFields: readonly string[]): Promise<RequestBody> {
  const body: RequestBody = { fields: {}, files: {} }
  for (const [field, value] of await formOf(c)) {
    if (fileFields.includes(field)) {
      const file = await uploadedFile(field, value)
      if (file) body.files[field] = file
    } else if (typeof value === 'string') {
      body.fields[field] = value
    } else {
      throw unreadable(field)
    }
  }
  return body
}

async function uploadedFile(field: string, value: string | File): Promise<UploadedFile | undefined> {
  if (typeof value === 'string') {
    if (value !== '') throw unreadable(field)
    return undefined
  }
  const bytes = Buffer.from(await value.arrayBuffer())
  return bytes.length > 0 || value.name !== ''
    ? { bytes, fileName: value.name, mediaType: value.type }
    : undefined
}

async function formOf(c: Context<AppEnv>): Promise<FormData> {
  try {
    return await c.req.formData()
  } catch (cause) {
    // The body was cut off, or lacks its boundary.
    throw new AppError('invalid', { detail: incomplete, cause })
  }
}

async function readJson(c: Context<AppEnv>, fileFields: readonly string[]): Promise<RequestBody> {
  const members = await jsonOf(c)
  const ofFiles = fileFields.flatMap((field) => [field, `${field}Base64`, `${field}Name`, `${field}Type`])
  const body: RequestBody = {
    fields: Object.fromEntries(Object.entries(members).filter(([name]) => !ofFiles.includes(name))),
    files: {},
  }
  for (const field of fileFields) {
    const text = members[`${field}Base64`] ?? members[field]
    if (text === undefined || text === null || text === '') continue
    const file = fileOf(text)
    if (!file) throw unreadable(field)
    body.files[field] = {
      bytes: file.bytes,
      fileName: textOf(members[`${field}Name`]),
      mediaType: textOf(members[`${field}Type`]) || file.mediaType,
    }
  }
  return body
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

async function jsonOf(c: Context<AppEnv>): Promise<Record<string, unknown>> {
  const body: unknown = await c.req.json().catch((cause: unknown) => {
    throw new AppError('invalid', { detail: notJson, cause })
  })
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new AppError('invalid', notJson)
  return { ...body }
}

function fileOf(text: unknown): Pick<UploadedFile, 'bytes' | 'mediaType'> | undefined {
  if (typeof text !== 'string') return undefined
  const comma = text.startsWith('data:') ? text.indexOf(',') : -1
  const head = text.slice(0, comma + 1)
  if (head !== '' && !head.endsWith(';base64,')) return undefined
  const base64 = text.slice(comma + 1)
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return undefined
  return { bytes: Buffer.from(base64, 'base64'), mediaType: head.slice('data:'.length).split(';')[0] ?? '' }
}

function unreadable(field: string): AppError {
  return invalid(field, 'This file could not be read. Please choose it again.')
}

const text = { type: 'string' } as const
export const binary = { type: 'string', format: 'binary' } as const
const dataUrl = { type: 'string', description: 'A data URL.' } as const
const base64 = { type: 'string', description: 'Base64 or a data URL, instead of the file field.' } as const

/**
 * The OpenAPI body of a route that uses `readSent`.
 * @param fields described only; the route validates them by `parseFields`
 * @param files the fields with files
 */
export function multipartBody(fields: mini.ZodMiniType, files: readonly string[]) {
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

/**
 * The bytes of the one image in a request: the part `image` of a form, or the body itself.
 * @throws AppError `invalid` when there is none, or when the body doesn't match its media type
 */
export async function readImage(c: Context<AppEnv>): Promise<Buffer> {
  const bytes = isForm(c)
    ? (await readForm(c, ['image'])).files.image?.bytes
    : Buffer.from(await c.req.arrayBuffer())
  if (bytes === undefined || bytes.byteLength === 0) throw invalid('image', imageMessages.type)
  return bytes
}
