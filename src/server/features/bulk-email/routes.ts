import { createRouter } from '#server/http/router.ts'
import { createAudienceRoutes } from './audience-routes.ts'
import type { Audiences } from './audience-service.ts'
import { type BatchRoutesOptions, createBatchRoutes } from './batch-routes.ts'
import type { ReadRecipientFile } from './recipient-file.ts'
import { createRecipientFileRoutes } from './recipient-file-routes.ts'
import type { BulkSender } from './send-bulk.ts'
import { createSendBulkRoutes } from './send-bulk-routes.ts'

interface BulkMailRoutesOptions extends BatchRoutesOptions {
  audiences: Audiences
  readRecipientFile: ReadRecipientFile
  sendBulk: BulkSender
}

/** Mail to many. */
export function createBulkMailRoutes(options: BulkMailRoutesOptions) {
  return createRouter()
    .route('/', createAudienceRoutes(options))
    .route('/', createRecipientFileRoutes(options))
    .route('/', createBatchRoutes(options))
    .route('/', createSendBulkRoutes(options))
}
