import { createRoute, z } from '@hono/zod-openapi'
import { createRouter, problems } from '#server/http/router.ts'
import type { FilesService } from './service.ts'

const readFile = createRoute({
  method: 'get',
  path: '/files/{name}',
  tags: ['files'],
  summary: 'An uploaded image',
  description: 'The address tells the content: what it gives never changes and may be kept for ever.',
  request: {
    params: z.object({
      name: z
        .string()
        .openapi({ description: 'The SHA-256 of the bytes and an extension.', example: '3f….webp' }),
    }),
  },
  responses: {
    200: { description: 'The image.', content: { 'image/webp': { schema: z.string() } } },
    ...problems('not_found'),
  },
})

/** Uploaded files, for everybody. */
export function createFileRoutes({ files }: { files: FilesService }) {
  return createRouter().openapi(readFile, async (c) => {
    // What isn't such a name is no file's.
    const [, id = '', extension = ''] = /^([0-9a-f]{64})\.(\w+)$/.exec(c.req.valid('param').name) ?? []
    const { mediaType, bytes } = await files.read(id, extension)
    return c.body(new Uint8Array(bytes), 200, {
      'Content-Type': mediaType,
      'Content-Length': String(bytes.byteLength),
      'Cache-Control': 'public, max-age=31536000, immutable',
    })
  })
}
