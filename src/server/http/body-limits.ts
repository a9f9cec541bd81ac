import { attachmentLimit, imageLimits, imageMessages } from '#shared/images.ts'
import { importSentences, maxImportBytes } from '#shared/imports.ts'
import { routeKey } from './route-key.ts'

/** The largest body of a request. */
export interface BodyLimit {
  maxBytes: number
  /** What a larger one is refused with, where there is something more precise to say. */
  sentence?: string
  /** The field that is too large then, where it can only be one. */
  field?: string
  /** Only somebody who is signed in may send as much; others get the usual limit. */
  isForAdmin?: boolean
  /** So may whoever shows an API token. */
  isForToken?: boolean
  /** Files are held in memory until they are stored, so only a few such bodies are read at a time. */
  holdsFiles?: boolean
}

/** Without a file: many times the longest enlistment. */
export const usualLimit: BodyLimit = { maxBytes: 256 * 1024 }

/** What a multipart body has around its file. */
const wrappingBytes = 16 * 1024

/** A hundred thousand ids. */
const selection: BodyLimit = { maxBytes: 4.5 * 1024 * 1024, isForAdmin: true }

const withFiles = { isForAdmin: true, holdsFiles: true }

/** A bulk e-mail to as many recipients as it may have, with names and addresses of the longest kind in use. */
const recipients: BodyLimit = { maxBytes: 6 * 1024 * 1024, isForAdmin: true }

/** Base64 is a third longer than its bytes. */
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

/**
 * The few routes that take more, each by method and path, and nothing from a caller without a session. A file
 * itself is measured by its route.
 */
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

/** The limit of a route. */
export function bodyLimits(method: string, path: string): BodyLimit {
  return larger.get(routeKey(method, path)) ?? usualLimit
}
