import type { IncomingMessage } from 'node:http'
import type { Context, Next } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { createMiddleware } from 'hono/factory'
import { AppError } from '#server/lib/errors.ts'
import { createWorkQueue } from '#server/lib/work-queue.ts'
import { attachmentLimit, imageLimits, imageMessages } from '#shared/files/images.ts'
import { importSentences, maxImportBytes } from '#shared/imports/imports.ts'
import type { AppEnv } from './context.ts'

interface BodyLimit {
  maxBytes: number
  sentence?: string
  field?: string
  isForAdmin?: boolean
  isForToken?: boolean
  // Files are buffered in memory until they are stored, so only a few such bodies are read at a time.
  hasFiles?: boolean
}

// Many times the longest enlistment without a file.
const usualLimit: BodyLimit = { maxBytes: 256 * 1024 }

// The overhead of a multipart body.
const wrappingBytes = 16 * 1024

// 100,000 ids.
const selection: BodyLimit = { maxBytes: 4.5 * 1024 * 1024, isForAdmin: true }

const withFiles = { isForAdmin: true, hasFiles: true }

// The maximum of recipients, with the longest names and addresses in use.
const recipients: BodyLimit = { maxBytes: 6 * 1024 * 1024, isForAdmin: true }

// Base64 is a third longer than its bytes.
const asText = (bytes: number) => Math.ceil((bytes * 4) / 3)

const logo: BodyLimit = {
  ...withFiles,
  maxBytes: imageLimits.logo + wrappingBytes,
  sentence: imageMessages.tooLarge(imageLimits.logo),
  field: 'image',
}
const announcement: BodyLimit = {
  ...withFiles,
  maxBytes: asText(imageLimits.announcement + attachmentLimit) + usualLimit.maxBytes,
  sentence:
    'The files are too large. An image may have at most 5MB, and an attachment must be less than 10MB.',
}
const slide: BodyLimit = {
  ...withFiles,
  maxBytes: asText(imageLimits.slide) + usualLimit.maxBytes,
  sentence: imageMessages.tooLarge(imageLimits.slide),
  field: 'image',
}
const orgNode: BodyLimit = {
  ...withFiles,
  maxBytes: asText(imageLimits.orgPhoto) + usualLimit.maxBytes,
  sentence: imageMessages.tooLarge(imageLimits.orgPhoto),
  field: 'image',
}
const spreadsheet: BodyLimit = {
  ...withFiles,
  maxBytes: maxImportBytes + wrappingBytes,
  sentence: importSentences.tooBig,
  field: 'file',
}

// Routes with a larger limit; only for callers with a session or token. Each route checks its file's size.
const larger = new Map<string, BodyLimit>([
  ['POST /api/students/archive', selection],
  ['POST /api/students/unarchive', selection],
  ['POST /api/mail/batches', recipients],
  ['POST /api/mail/recipients/file', spreadsheet],
  ['POST /api/send-bulk-emails', { ...recipients, isForToken: true }],
  ['PUT /api/settings/logo', logo],
  ['POST /api/imports', spreadsheet],
  ['POST /api/announcements', announcement],
  ['PATCH /api/announcements/:id', announcement],
  ['POST /api/slides', slide],
  ['PATCH /api/slides/:id', slide],
  ['POST /api/org-chart/nodes', orgNode],
  ['PATCH /api/org-chart/nodes/:id', orgNode],
])

export function bodyLimits(method: string, path: string): BodyLimit {
  return larger.get(routeKey(method, path)) ?? usualLimit
}

const idInPath = /\/[0-9a-f]{8}-[0-9a-f-]{27}(?=\/|$)/g

export function routeKey(method: string, path: string): string {
  return `${method} ${path.replace(idInPath, '/:id')}`
}

// 20 MB each, three times that while they are decoded.
const filesAtOnce = { atOnce: 4, maxWaiting: 40 }

// In ms. A sender that is silent for so long has lost the connection.
const silenceMs = 20_000

/**
 * Refuses bodies over their route's size as `too_big`. A declared length is enough: Node reads no more than that. A
 * body of unknown length is counted while it arrives, without a session up to the usual limit, since the bytes are buffered
 * in memory. A body that waits in the queue isn't read.
 * @param limitOf the limit of a request by its method and path
 */
export function limitBody(limitOf: (method: string, path: string) => BodyLimit) {
  const queue = createWorkQueue(filesAtOnce)

  async function readCounted(c: Context<AppEnv>, limit: BodyLimit, next: Next) {
    const declared = declaredLength(c)
    if (declared === undefined) {
      const onError = () => {
        discardRest(c.env?.incoming)
        return refuse(limit)
      }
      return await bodyLimit({ maxSize: limit.maxBytes, onError })(c, next)
    }
    if (declared > limit.maxBytes) refuse(limit)
    await next()
  }

  return createMiddleware<AppEnv>(async (c, next) => {
    const limit = limitOf(c.req.method, c.req.path)
    if (!limit.isForAdmin) return await readCounted(c, limit, next)
    const length = declaredLength(c)
    const isSignedIn = (limit.isForToken && (await c.var.readBearerToken())) || (await c.var.readAdmin())
    if (!isSignedIn) {
      // The route refuses an unauthenticated caller before it reads anything.
      return length === undefined ? await readCounted(c, usualLimit, next) : await next()
    }
    // A change without a file doesn't wait for uploads.
    const isQueued = limit.hasFiles && (length === undefined || length > usualLimit.maxBytes)
    if (!isQueued) return await readCounted(c, limit, next)
    return await queue.run(() => {
      cutSilence(c.env?.incoming)
      return readCounted(c, limit, next)
    })
  })
}

// A phone that lost its connection must not block the queue.
function cutSilence(incoming: IncomingMessage | undefined): void {
  incoming?.setTimeout(silenceMs, () => incoming.destroy())
  incoming?.once('end', () => incoming.setTimeout(0))
}

// Reads and drops the rest: a connection closed while the client sends loses the response. The listener cuts a body
// that lasts long.
function discardRest(incoming: IncomingMessage | undefined): void {
  incoming?.removeAllListeners('data')
  incoming?.resume()
}

function declaredLength(c: Context<AppEnv>): number | undefined {
  const declared = c.req.header('Content-Length')
  return declared === undefined || c.req.header('Transfer-Encoding') !== undefined
    ? undefined
    : Number(declared)
}

function refuse({ sentence, field }: BodyLimit): never {
  if (sentence === undefined) throw new AppError('too_big')
  const errors = field === undefined ? undefined : [{ path: field, message: sentence }]
  throw new AppError('too_big', { detail: sentence, ...(errors ? { errors } : {}) })
}
