import type { Middleware } from '#server/listen.ts'
import type { AnswerLog } from './answer-log.ts'
import { chooseAnswer } from './choose-answer.ts'
import { headersOf, type WarmKeyOf } from './warm-key.ts'
import type { WarmStore } from './warm-store.ts'

interface AnswerWarmOptions {
  store: WarmStore
  keyOf: WarmKeyOf
  answerLog: Pick<AnswerLog, 'note'>
}

/** Gives the kept answers before anything else looks at a request: they are ready down to their last byte. */
export function answerWarm({ store, keyOf, answerLog }: AnswerWarmOptions): Middleware {
  return (request, response, next) => {
    const { method, url: address } = request
    const key = keyOf({ method, address, header: headersOf(request.headers) })
    const kept = key === undefined ? undefined : store.find(key)
    if (kept === undefined) return next()

    const { 'accept-encoding': acceptEncoding, 'if-none-match': ifNoneMatch } = request.headers
    const { status, headers, body } = chooseAnswer(kept, {
      acceptEncoding: Array.isArray(acceptEncoding) ? acceptEncoding.join(',') : acceptEncoding,
      ifNoneMatch,
    })
    // No request id: nothing is done that could be looked up by it.
    response.writeHead(status, headers)
    if (body === null || method === 'HEAD') response.end()
    else response.end(body)
    answerLog.note(kept.route, status)
  }
}
