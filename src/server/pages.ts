import type { Context } from 'hono'
import { createRequestHandler, RouterContextProvider, type ServerBuild } from 'react-router'
import { languageOf } from '#shared/site/language.ts'
import { type PageContext, pageContext } from '#web/lib/page-context.ts'
import type { AppEnv } from './http/context.ts'

export type Pages = (
  c: Context<AppEnv>,
  parts: Pick<PageContext, 'fetchApi' | 'site' | 'texts' | 'datesAhead' | 'registration' | 'origin'>,
) => Promise<Response>

interface PagesOptions {
  build: ServerBuild | (() => Promise<ServerBuild>)
  mode: string
  timeZone: string
}

export function createPages({ build, mode, timeZone }: PagesOptions): Pages {
  const handle = createRequestHandler(build, mode)
  return async (c, parts) => {
    const context = new RouterContextProvider()
    context.set(pageContext, {
      ...parts,
      nonce: c.get('secureHeadersNonce') ?? '',
      isWhole: c.var.cacheable !== undefined,
      timeZone,
      language: languageOf(c.req.header('Cookie'), c.req.header('Accept-Language')),
      reportFault(error) {
        // A page with a failed part is still a response, but not cacheable.
        if (c.var.cacheable) c.var.cacheable.isPersonal = true
        c.var.log.error({ requestId: c.var.requestId, err: error }, 'page failed')
      },
    })
    const response = await handle(c.req.raw, context)
    // Made for one visitor: no shared cache may store it.
    if (!c.var.cacheable && !response.headers.has('Cache-Control')) {
      response.headers.set('Cache-Control', 'private, no-cache')
    }
    return response
  }
}
