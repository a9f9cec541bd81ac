import type { Context } from 'hono'
import { AppError } from '#server/errors.ts'
import type { AppEnv } from '#server/http/context.ts'
import { isForm, readForm } from '#server/http/read-sent.ts'
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
  const upload = isForm(c) ? await readFormFile(c) : { file: await readBody(c), fileName }
  if (upload.file.length > maxImportBytes) throw new AppError('too_big', { detail: importSentences.tooBig })
  if (upload.file.length === 0) {
    throw new AppError('invalid', { detail: missing, errors: [{ path: 'file', message: missing }] })
  }
  return upload
}

async function readFormFile(c: Context<AppEnv>): Promise<Upload> {
  const { files } = await readForm(c, ['file'])
  return { file: files.file?.bytes ?? Buffer.alloc(0), fileName: files.file?.fileName ?? '' }
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
