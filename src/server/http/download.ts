import { Readable } from 'node:stream'
import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { workbookType } from '#server/spreadsheet/workbook.ts'
import type { AppEnv } from './context.ts'

/** What a route that sends a workbook responds. */
export const workbookResponse = {
  content: { [workbookType]: { schema: z.string().openapi({ format: 'binary' }) } },
  description: 'An .xlsx file.',
}

export function sendWorkbook(c: Context<AppEnv>, file: { fileName: string; workbook: Readable }): Response {
  // The body of a HEAD request is never read; the workbook must not wait for it.
  if (c.req.method === 'HEAD') file.workbook.destroy()
  c.header('Content-Type', workbookType)
  c.header('Content-Disposition', attachment(file.fileName))
  return c.body(Readable.toWeb(file.workbook), 200)
}

/** A Content-Disposition with a file name in any script (RFC 6266, RFC 8187). */
export function attachment(fileName: string): string {
  // For the few clients that don't know filename*: quotes, backslashes and what isn't ASCII become '_'.
  const plain = fileName.replace(/[^\x20-\x7e]|["\\]/g, '_')
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeRfc8187(fileName)}`
}

function encodeRfc8187(text: string): string {
  return encodeURIComponent(text).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
