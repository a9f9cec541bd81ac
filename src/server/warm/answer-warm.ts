import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Middleware } from '#server/listen.ts'
import { chooseAnswer } from './choose-answer.ts'
import { headersOf, type WarmKeyOf } from './warm-key.ts'
import type { WarmStore } from './warm-store.ts'

/** What a caller may name his request; the same as for other requests. */
const requestIdPattern = /^[\w\-=]{1,255}$/

interface AnswerWarmOptions {
  store: WarmStore
  keyOf: WarmKeyOf
  log: Logger
}

/** Gives the kept answers before anything else looks at a request: they are ready down to their last byte. */
export function answerWarm({ store, keyOf, log }: AnswerWarmOptions): Middleware {
  return (request, response, next) => {
    const started = performance.now()
    const { method, url: address } = request
    const header = headersOf(request.headers)
    const key = keyOf({ method, address, header })
    const kept = key === undefined ? undefined : store.find(key)
    if (kept === undefined) return next()

    const { 'accept-encoding': acceptEncoding, 'if-none-match': ifNoneMatch } = request.headers
    const { status, headers, body } = chooseAnswer(kept, {
      acceptEncoding: Array.isArray(acceptEncoding) ? acceptEncoding.join(',') : acceptEncoding,
      ifNoneMatch,
    })
    const requestId = requestIdOf(request.headers['x-request-id'])
    response.writeHead(status, [...headers, 'x-request-id', requestId])
    if (body === null || method === 'HEAD') response.end()
    else response.end(body)
    if (!log.isLevelEnabled('info')) return
    const ms = Math.round((performance.now() - started) * 10) / 10
    log.info({ requestId, method, route: kept.route, status, ms })
  }
}

function requestIdOf(sent: string | string[] | undefined): string {
  return typeof sent === 'string' && requestIdPattern.test(sent) ? sent : randomUUID()
}
