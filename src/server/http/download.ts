import type { Readable } from 'node:stream'
import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { workbookType } from '#server/spreadsheet/workbook.ts'
import type { AppEnv } from './context.ts'

/** The responses of a route that sends a workbook. */
export const workbookResponse = {
  200: {
    content: { [workbookType]: { schema: z.string().openapi({ format: 'binary' }) } },
    description: 'An .xlsx file.',
  },
}

export function sendWorkbook(c: Context<AppEnv>, file: { fileName: string; workbook: Readable }): Response {
  // The body of a HEAD request is never read; the workbook must not wait for it.
  if (c.req.method === 'HEAD') file.workbook.destroy()
  c.header('Content-Type', workbookType)
  c.header('Content-Disposition', attachment(file.fileName))
  return c.body(streamed(c, file.workbook), 200)
}

export function streamed(c: Context<AppEnv>, source: Readable): ReadableStream<Uint8Array> {
  const parts = source[Symbol.asyncIterator]()
  return streamOf(
    c,
    async () => (await parts.next()).value ?? null,
    () => void source.destroy(),
  )
}

/**
 * A failure cuts the connection, so that a part isn't taken for the whole. The server would send its message as the end of
 * the body and print it, with the values that the database repeats.
 * @param read the next bytes; null at the end
 */
export function streamOf(
  c: Context<AppEnv>,
  read: () => Promise<Uint8Array | null>,
  cancel?: () => void,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const bytes = await read()
          if (bytes) controller.enqueue(bytes)
          else controller.close()
        } catch (error) {
          const outgoing = c.env?.outgoing
          if (!outgoing) return controller.error(error)
          c.var.log.error({ err: error }, 'an answer was cut off')
          outgoing.destroy()
          controller.close()
        }
      },
      ...(cancel && { cancel }),
    },
    { highWaterMark: 0 },
  )
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
