import type { Context } from 'hono'
import { AppError } from '#server/errors.ts'
import { imageMessages } from '#shared/images.ts'
import type { AppEnv } from './context.ts'

/**
 * The image of a request: the field `image` of a form, or the body itself. Its size is bounded by the route's
 * body limit.
 *
 * @throws AppError `invalid` when there is none, or the body isn't what its type says
 */
export async function readUpload(c: Context<AppEnv>): Promise<Buffer> {
  const isForm = c.req.header('Content-Type')?.startsWith('multipart/form-data') ?? false
  const bytes = isForm ? await imageOfForm(c) : await c.req.arrayBuffer()
  if (bytes === undefined || bytes.byteLength === 0) {
    throw new AppError('invalid', {
      detail: imageMessages.type,
      errors: [{ path: 'image', message: imageMessages.type }],
    })
  }
  return Buffer.from(bytes)
}

async function imageOfForm(c: Context<AppEnv>): Promise<ArrayBuffer | undefined> {
  const image = (await readForm(c)).get('image')
  return image instanceof File ? await image.arrayBuffer() : undefined
}

async function readForm(c: Context<AppEnv>): Promise<FormData> {
  try {
    return await c.req.formData()
  } catch (cause) {
    // Cut off, or without its boundary: the sender's mistake.
    const detail = 'The upload arrived incomplete. Please try again.'
    throw new AppError('invalid', { detail, errors: [{ path: 'image', message: detail }], cause })
  }
}
