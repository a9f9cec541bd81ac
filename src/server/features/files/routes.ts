import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { isAllowed } from '#server/http/auth.ts'
import { cachedFor } from '#server/http/cache/cached-routes.ts'
import type { AppEnv } from '#server/http/context.ts'
import { attachment, streamOf } from '#server/http/download.ts'
import { concurrencyLimit, cutUnread } from '#server/http/limits.ts'
import { createRouter, publicRoutes } from '#server/http/router.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { AppError } from '#server/lib/errors.ts'
import { every } from '#server/lib/scheduler.ts'
import { publicTopics } from '#shared/topics.ts'
import { createFilesService, createVisibleFiles, type FilesService } from './service.ts'

// What one reader holds in memory.
const sliceBytes = 32 * 1024
// 4 kB/s for 30 s, in whole slices.
const slowestBytes = 3 * sliceBytes

// Files of one slice and cached ones don't count. `slowMs` in ms.
const fileLimits = { total: 1_000, ofSender: 500, slowMs: 30_000 }

const empty = (description: string) => ({ description })
const content = {
  'image/webp': { schema: z.string() },
  'image/jpeg': { schema: z.string() },
  'application/octet-stream': { schema: z.string() },
}

const readFile = publicRoutes('files').get('/files/{name}', 'Read an uploaded image or attachment', {
  description:
    'The address is a hash of the content, so the response never changes and may be cached forever. Attachments are downloads under their own names. A file that no published content shows is found only with the permission `content`. One range of bytes may be read. A reader that takes nothing for 30 s is cut off, as is one slower than 4 kB/s for 30 s of a large file or part.',
  params: z.object({
    name: z.string().openapi({ description: 'The address’s SHA-256 and an extension.', example: '3f….webp' }),
  }),
  responses: {
    200: { description: 'The file.', content },
    206: { description: 'The range of the file.', content },
    304: empty('The file that If-None-Match names.'),
    416: empty('The range begins after the end.'),
  },
  cached: cachedFor(publicTopics, { id: '[0-9a-f]{64}\\.\\w{1,5}' }),
  problems: ['not_found', 'too_many_requests'],
})

export function createFiles(context: AppContext) {
  const service = createFilesService(context)
  return { service, routes: createFileRoutes({ ...service, isVisible: createVisibleFiles(context) }) }
}

export function createFileRoutes(
  files: Pick<FilesService, 'describe' | 'readSlice'> & { isVisible: (id: string) => Promise<boolean> },
  { slowMs, ...limits } = fileLimits,
) {
  const takePlace = concurrencyLimit(limits)

  return createRouter().answer(readFile, async ({ c, params }) => {
    // What isn't such a name is no file's.
    const [, id = '', extension = ''] = /^([0-9a-f]{64})\.(\w+)$/.exec(params.name) ?? []
    const etag = `"${id}"`
    const { mediaType, size, fileName } = await files.describe(id, extension)
    const isPublic = await files.isVisible(id)
    await mustBeVisible(c, isPublic)
    // The response cache compares the ETag itself, and needs the content for that.
    const isKnown = !c.get('cacheable') && c.req.header('If-None-Match')?.includes(etag)
    if (isKnown) return c.body(null, 304, { ETag: etag })
    const headers = {
      ...(fileName === null ? ofImage(mediaType, isPublic) : ofAttachment(fileName)),
      ETag: etag,
      'Accept-Ranges': 'bytes',
    }
    const isCurrent = (c.req.header('If-Range') ?? etag) === etag
    const range = rangeOf(isCurrent ? c.req.header('Range') : undefined, size)
    if (range === null) return c.body(null, 416, { 'Content-Range': `bytes */${size}` })
    const { from, until } = range ?? { from: 0, until: size }
    const body = await bodyOf(c, id, { from, until })
    const sized = { ...headers, 'Content-Length': String(until - from) }
    if (range === undefined) return c.body(body, 200, sized)
    return c.body(body, 206, { ...sized, 'Content-Range': `bytes ${from}-${until - 1}/${size}` })
  })

  async function bodyOf(c: Context<AppEnv>, id: string, { from, until }: Range) {
    // The body of a HEAD request is never read.
    if (c.req.method === 'HEAD') return ''
    const read = (at: number) => files.readSlice(id, at, Math.min(sliceBytes, until - at))
    if (until - from > sliceBytes) {
      takePlace(c)
      return inSlices(c, { from, until, slowMs, read })
    }
    const bytes = await read(from)
    // The file was removed since it was described.
    if (bytes.byteLength < until - from) throw new AppError('not_found')
    cutUnread(c.env?.outgoing, slowMs)
    return new Uint8Array(bytes)
  }
}

interface Range {
  from: number
  until: number
}

interface Slices extends Range {
  slowMs: number
  read: (at: number) => Promise<Buffer>
}

/** Reads a slice when the one before has left: a slow reader holds one. */
function inSlices(c: Context<AppEnv>, { from, until, slowMs, read }: Slices) {
  const outgoing = c.env?.outgoing
  let at = from
  let watchedFrom = from
  const stopWatching = every(slowMs, () => {
    if (at - watchedFrom < slowestBytes) outgoing?.destroy()
    watchedFrom = at
  })
  outgoing?.once('close', stopWatching)
  return streamOf(c, async () => {
    if (at >= until) {
      stopWatching()
      return null
    }
    const bytes = await read(at)
    if (bytes.byteLength === 0) throw new Error('the file was removed')
    at += bytes.byteLength
    return bytes
  })
}

/** RFC 9110 §14. @returns undefined for the whole file (also where several ranges are asked for), null for none */
function rangeOf(header: string | undefined, size: number): Range | null | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? []
  if (first === '' && last === '') return undefined
  if (first === '') return Number(last) === 0 ? null : { from: Math.max(0, size - Number(last)), until: size }
  const from = Number(first)
  if (last !== '' && Number(last) < from) return undefined
  return from >= size ? null : { from, until: last === '' ? size : Math.min(Number(last) + 1, size) }
}

/** What visitors can't see yet, or no longer, only the office may read: drafts, hidden slides, what can still be undone. */
async function mustBeVisible(c: Context<AppEnv>, isPublic: boolean): Promise<void> {
  if (isPublic) return
  if (c.var.cacheable) c.var.cacheable.isPersonal = true
  if (!(await isAllowed(c, 'content'))) throw new AppError('not_found')
}

function ofImage(mediaType: string, isPublic: boolean) {
  const audience = isPublic ? 'public' : 'private'
  return { 'Content-Type': mediaType, 'Cache-Control': `${audience}, max-age=31536000, immutable` }
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
