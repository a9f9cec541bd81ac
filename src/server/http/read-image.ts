import type { Context } from 'hono'
import { AppError } from '#server/errors.ts'
import { imageMessages } from '#shared/images.ts'
import type { AppEnv } from './context.ts'
import { isForm, readForm } from './read-sent.ts'

/**
 * The bytes of the one image in a request: the part `image` of a form, or the body itself.
 *
 * @throws AppError `invalid` when there is none, or the body isn't what its type says
 */
export async function readImage(c: Context<AppEnv>): Promise<Buffer> {
  const bytes = isForm(c)
    ? (await readForm(c, ['image'])).files.image?.bytes
    : Buffer.from(await c.req.arrayBuffer())
  if (bytes === undefined || bytes.byteLength === 0) {
    throw new AppError('invalid', {
      detail: imageMessages.type,
      errors: [{ path: 'image', message: imageMessages.type }],
    })
  }
  return bytes
}
