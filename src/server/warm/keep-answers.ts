import type { Context } from 'hono'
import { compress } from 'hono/compress'
import { createMiddleware } from 'hono/factory'
import { routePath } from 'hono/route'
import type { AppEnv } from '#server/http/context.ts'
import { chooseAnswer } from './choose-answer.ts'
import { type KeptAnswer, mayBeKept, prepareAnswer } from './kept-answer.ts'
import { isPublicAddress } from './public-address.ts'
import type { WarmKeyOf } from './warm-key.ts'
import type { WarmStore } from './warm-store.ts'

/**
 * Keeps the answers that are the same for everybody. However many ask for one that isn't kept, it is made once.
 * Stands around whatever gives answers their headers.
 */
export function keepAnswers(store: WarmStore, keyOf: WarmKeyOf) {
  const squeeze = compress()
  return createMiddleware<AppEnv>(async (c, next) => {
    const key = c.req.method === 'GET' ? keyOfRequest(c, keyOf) : undefined
    if (key === undefined) return await next()

    const kept = await store.share(key, async () => {
      await make(c, next)
      return isForEverybody(c) ? await prepare(c) : null
    })
    if (kept) {
      // Emptied first: Hono would mix the headers of the two.
      c.res = undefined
      c.res = answerOf(c, kept)
      return
    }
    // Whoever made it has an answer that is for nobody else; those who waited for it still need one.
    if (!c.finalized) await make(c, next)
    await squeeze(c, async () => undefined)
  })
}

function keyOfRequest(c: Context<AppEnv>, keyOf: WarmKeyOf): string | undefined {
  const { pathname, search } = new URL(c.req.url)
  const address = pathname + search
  if (!isPublicAddress(address)) return undefined
  return keyOf({ method: c.req.method, address, header: (name) => c.req.header(name) })
}

async function make(c: Context<AppEnv>, next: () => Promise<void>): Promise<void> {
  c.set('forEverybody', { isSpoilt: false })
  await next()
}

function isForEverybody(c: Context<AppEnv>): boolean {
  return c.var.forEverybody?.isSpoilt === false && mayBeKept(c.res)
}

function prepare(c: Context<AppEnv>): Promise<KeptAnswer> {
  return prepareAnswer({ response: c.res, route: routePath(c), nonce: c.get('secureHeadersNonce') })
}

function answerOf(c: Context<AppEnv>, kept: KeptAnswer): Response {
  const { status, headers, body } = chooseAnswer(kept, {
    acceptEncoding: c.req.header('Accept-Encoding'),
    ifNoneMatch: c.req.header('If-None-Match'),
  })
  const named = new Headers({ 'X-Request-Id': c.var.requestId })
  for (let at = 0; at < headers.length; at += 2) named.append(headers[at] ?? '', headers[at + 1] ?? '')
  return new Response(body === null ? null : new Uint8Array(body), { status, headers: named })
}
