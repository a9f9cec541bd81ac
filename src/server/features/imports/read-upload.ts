import type { Context } from 'hono'
import { AppError } from '#server/errors.ts'
import type { AppEnv } from '#server/http/context.ts'
import { importSentences, maxImportBytes } from '#shared/imports.ts'

export interface Upload {
  file: Buffer
  fileName: string
}

const missing = 'Please choose a file to import.'

/**
 * The file of a request: its whole body, named by the query's `fileName`, or the part `file` of a form.
 *
 * @throws AppError `invalid` when there is none, `too_big` when it is larger than 20 MB
 */
export async function readUpload(c: Context<AppEnv>, fileName: string): Promise<Upload> {
  const upload = isForm(c) ? await readForm(c) : { file: await readBody(c), fileName }
  if (upload.file.length > maxImportBytes) throw new AppError('too_big', { detail: importSentences.tooBig })
  if (upload.file.length === 0) {
    throw new AppError('invalid', { detail: missing, errors: [{ path: 'file', message: missing }] })
  }
  return upload
}

function isForm(c: Context<AppEnv>): boolean {
  return c.req.header('Content-Type')?.toLowerCase().startsWith('multipart/form-data') ?? false
}

async function readForm(c: Context<AppEnv>): Promise<Upload> {
  const form = await c.req.formData().catch((cause: unknown) => {
    throw new AppError('invalid', { detail: 'The upload could not be read. Please try again.', cause })
  })
  const part = form.get('file')
  if (part === null || typeof part === 'string') return { file: Buffer.alloc(0), fileName: '' }
  return { file: Buffer.from(await part.arrayBuffer()), fileName: part.name }
}

/** Counted while it arrives: the length may be undeclared. */
async function readBody(c: Context<AppEnv>): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of c.req.raw.body ?? []) {
    length += piece.length
    if (length > maxImportBytes) throw new AppError('too_big', { detail: importSentences.tooBig })
    pieces.push(piece)
  }
  return Buffer.concat(pieces, length)
}
