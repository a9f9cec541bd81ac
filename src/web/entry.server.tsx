import { PassThrough } from 'node:stream'
import { createReadableStreamFromReadable } from '@react-router/node'
import { isbot } from 'isbot'
import { type RenderToPipeableStreamOptions, renderToPipeableStream } from 'react-dom/server'
import {
  type EntryContext,
  type HandleErrorFunction,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from 'react-router'
import { ApiProblem } from '#web/lib/api-problem.ts'
import { Nonce } from '#web/lib/nonce.ts'
import { pageContext } from '#web/lib/page-context.ts'
import { runAfter } from '#web/lib/timers.ts'

// The limit for the page's data, in ms. Later data is given up.
export const streamTimeout = 5_000
// The time in ms to send the fallback after the data's limit.
const flushMs = 1_000

/** Script and style elements carry the request's CSP nonce. */
export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entry: EntryContext,
  context: RouterContextProvider,
): Response | Promise<Response> {
  if (request.method === 'HEAD') return new Response(null, { status, headers })
  const { nonce, isWhole, reportFault } = context.get(pageContext)
  // What is kept for others, crawlers and link previews get the finished page, people its first part as soon as it
  // is ready.
  const waitForAll = isWhole || isbot(request.headers.get('User-Agent')) || entry.isSpaMode
  const ready: keyof RenderToPipeableStreamOptions = waitForAll ? 'onAllReady' : 'onShellReady'

  return new Promise((resolve, reject) => {
    let failed = false
    const stopTimer = runAfter(streamTimeout + flushMs, () => abort())
    const { pipe, abort } = renderToPipeableStream(
      <Nonce value={nonce}>
        <ServerRouter context={entry} url={request.url} nonce={nonce} />
      </Nonce>,
      {
        nonce,
        // A part that is ready would show its placeholder first only because it is long, and what is below it moves.
        progressiveChunkSize: Number.POSITIVE_INFINITY,
        [ready]() {
          const body = new PassThrough({
            final(done) {
              stopTimer()
              done()
            },
          })
          headers.set('Content-Type', 'text/html; charset=utf-8')
          pipe(body)
          const stream = createReadableStreamFromReadable(body)
          resolve(new Response(stream, { headers, status: failed ? 500 : status }))
        },
        onShellError(error) {
          stopTimer()
          reject(error)
        },
        onError(error) {
          // Until the first part is sent, the status can still tell; afterwards the nearest error boundary
          // takes over in the browser. A visitor who left is no fault.
          failed = true
          if (!request.signal.aborted) reportFault(error)
        },
      },
    )
  })
}

/** Responses aren't logged: the API logs its own failures. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted || error instanceof ApiProblem || isRouteErrorResponse(error)) return
  context.get(pageContext).reportFault(error)
}
