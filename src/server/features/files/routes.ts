import { z } from '@hono/zod-openapi'
import { attachment } from '#server/http/download.ts'
import { createRouter, publicRoutes } from '#server/http/router.ts'
import type { FilesService } from './service.ts'

const readFile = publicRoutes('files').get('/files/{name}', 'Read an uploaded image or attachment', {
  description:
    'The address is a hash of the content, so the response never changes and may be cached forever. Attachments are downloads under their own names.',
  request: {
    params: z.object({
      name: z
        .string()
        .openapi({ description: 'The address’s SHA-256 and an extension.', example: '3f….webp' }),
    }),
  },
  responses: {
    200: {
      description: 'The file.',
      content: {
        'image/webp': { schema: z.string() },
        'image/jpeg': { schema: z.string() },
        'application/octet-stream': { schema: z.string() },
      },
    },
  },
  problems: ['not_found'],
})

export function createFileRoutes(files: FilesService) {
  return createRouter().openapi(readFile, async (c) => {
    // What isn't such a name is no file's.
    const [, id = '', extension = ''] = /^([0-9a-f]{64})\.(\w+)$/.exec(c.req.valid('param').name) ?? []
    const { mediaType, bytes, fileName } = await files.read(id, extension)
    return c.body(new Uint8Array(bytes), 200, {
      'Content-Length': String(bytes.byteLength),
      ...(fileName === null ? ofImage(mediaType) : ofAttachment(fileName)),
    })
  })
}

function ofImage(mediaType: string) {
  return { 'Content-Type': mediaType, 'Cache-Control': 'public, max-age=31536000, immutable' }
}

// Security: never shown in our origin, only downloaded.
function ofAttachment(fileName: string) {
  return {
    'Content-Type': 'application/octet-stream',
    'Content-Disposition': attachment(fileName),
    // Not in a proxy's memory, where it would outlive its announcement; and never squeezed on the way.
    'Cache-Control': 'private, max-age=31536000, immutable, no-transform',
  }
}
