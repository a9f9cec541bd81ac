import { imageLimits, imageMessages } from '#shared/images.ts'
import { importSentences, maxImportBytes } from '#shared/imports.ts'

/** The largest body of a request. */
export interface BodyLimit {
  maxBytes: number
  /** What a larger one is refused with, where there is something more precise to say. */
  sentence?: string
}

/** Without a file: many times the longest enlistment. */
const usual: BodyLimit = { maxBytes: 256 * 1024 }

/** What a multipart body has around its file. */
const wrappingBytes = 16 * 1024

/** A hundred thousand ids. */
const selection: BodyLimit = { maxBytes: 4.5 * 1024 * 1024 }

/**
 * The few routes that take more, each by method and path, and nothing from a caller without a session. A file
 * itself is measured by its route.
 */
const larger = new Map<string, BodyLimit>([
  ['POST /api/students/archive', selection],
  ['POST /api/students/unarchive', selection],
  [
    'PUT /api/settings/logo',
    { maxBytes: imageLimits.logo + wrappingBytes, sentence: imageMessages.tooLarge(imageLimits.logo) },
  ],
  ['POST /api/imports', { maxBytes: maxImportBytes + wrappingBytes, sentence: importSentences.tooBig }],
])

/** The limit of a route. */
export function bodyLimits(method: string, path: string): BodyLimit {
  return larger.get(`${method} ${path}`) ?? usual
}
