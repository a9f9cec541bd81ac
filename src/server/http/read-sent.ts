import type { Context } from 'hono'
import { AppError } from '#server/errors.ts'
import type { AppEnv } from './context.ts'

/** A file as it was sent. */
export interface SentFile {
  bytes: Buffer
  /** '' when it was sent without one. */
  fileName: string
  /** As declared; nothing may rely on it. */
  mediaType: string
}

/** A body of fields and files, whichever way it was written. */
export interface Sent {
  /** From a form they are texts, from JSON whatever was sent. */
  fields: Record<string, unknown>
  files: Partial<Record<string, SentFile>>
}

const incomplete = 'The upload arrived incomplete. Please try again.'
const notJson = 'The request could not be read. Please check its format.'

/** Whether a request is a form with files. */
export function isForm(c: Context<AppEnv>): boolean {
  return c.req.header('Content-Type')?.toLowerCase().startsWith('multipart/form-data') ?? false
}

/**
 * Reads fields and files of a multipart form, or of JSON. In JSON a file is a data URL in its field or, as
 * programs of the prototype send it, in `{field}Base64`, with `{field}Name` and `{field}Type` beside it.
 *
 * @param fileFields the fields that hold files
 * @throws AppError `invalid` when the body can't be read: the sender's mistake
 */
export async function readSent(c: Context<AppEnv>, fileFields: readonly string[]): Promise<Sent> {
  return isForm(c) ? await readForm(c, fileFields) : await readJson(c, fileFields)
}

/** The same of a form. A field without a chosen file is one that wasn't sent. */
export async function readForm(c: Context<AppEnv>, fileFields: readonly string[]): Promise<Sent> {
  const sent: Sent = { fields: {}, files: {} }
  for (const [field, value] of await formOf(c)) {
    if (fileFields.includes(field)) {
      const file = await sentFile(field, value)
      if (file) sent.files[field] = file
    } else if (typeof value === 'string') {
      sent.fields[field] = value
    } else {
      throw unreadable(field)
    }
  }
  return sent
}

async function sentFile(field: string, value: string | File): Promise<SentFile | undefined> {
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
    // Cut off, or without its boundary.
    throw new AppError('invalid', { detail: incomplete, cause })
  }
}

async function readJson(c: Context<AppEnv>, fileFields: readonly string[]): Promise<Sent> {
  const members = await jsonOf(c)
  const ofFiles = fileFields.flatMap((field) => [field, `${field}Base64`, `${field}Name`, `${field}Type`])
  const sent: Sent = {
    fields: Object.fromEntries(Object.entries(members).filter(([name]) => !ofFiles.includes(name))),
    files: {},
  }
  for (const field of fileFields) {
    const text = members[`${field}Base64`] ?? members[field]
    if (text === undefined || text === null || text === '') continue
    const file = fileOf(text)
    if (!file) throw unreadable(field)
    sent.files[field] = {
      bytes: file.bytes,
      fileName: textOf(members[`${field}Name`]),
      mediaType: textOf(members[`${field}Type`]) || file.mediaType,
    }
  }
  return sent
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

async function jsonOf(c: Context<AppEnv>): Promise<Record<string, unknown>> {
  const body: unknown = await c.req.json().catch((cause: unknown) => {
    throw new AppError('invalid', { detail: notJson, cause })
  })
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new AppError('invalid', { detail: notJson })
  }
  return { ...body }
}

/** The bytes of a data URL, or of bare base64. */
function fileOf(text: unknown): Pick<SentFile, 'bytes' | 'mediaType'> | undefined {
  if (typeof text !== 'string') return undefined
  const comma = text.startsWith('data:') ? text.indexOf(',') : -1
  const head = text.slice(0, comma + 1)
  if (head !== '' && !head.endsWith(';base64,')) return undefined
  const base64 = text.slice(comma + 1)
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return undefined
  return { bytes: Buffer.from(base64, 'base64'), mediaType: head.slice('data:'.length).split(';')[0] ?? '' }
}

function unreadable(field: string): AppError {
  const message = 'This file could not be read. Please choose it again.'
  return new AppError('invalid', { detail: message, errors: [{ path: field, message }] })
}
