import { setImmediate as nextTurnOfLoop } from 'node:timers/promises'
import type { Context } from 'hono'
import { AppError } from '#server/lib/errors.ts'
import { sleep } from '#server/lib/scheduler.ts'
import { createWorkQueue } from '#server/lib/work-queue.ts'
import type { AppEnv } from './context.ts'

// A single processor renders: more pages at once are all later, and others wait for all that have begun.
const atOnce = 2
const maxWaiting = 200
// A page holds its place for so many ms. Rendering takes some; a page that waits for the database leaves its place to the next.
const placeMs = 50

const busy = 'Many are visiting this site at the moment. Please try again in some seconds.'

/**
 * Renders pages by turns over the networks. Rendering is what costs most of all that anybody may ask for: without turns
 * others would wait until all pages of a flood are made.
 */
export function createPageQueue() {
  const queue = createWorkQueue({ atOnce, maxWaiting, busy, code: 'unavailable' })

  return async function inTurn(c: Context<AppEnv>, render: () => Promise<Response>): Promise<Response> {
    // A sender that has sent only half a form gets no turn.
    if (c.req.raw.body) c.req.raw = await wholeRequest(c)
    let page: Promise<Response> | undefined
    await queue.run(
      async () => {
        if (isGone(c)) return
        page = render()
        await Promise.race([page, sleep(placeMs)])
        // A page whose data is cached is made of microtasks alone: without a turn of the event loop between them,
        // nobody's request is read until all waiting pages are made.
        await nextTurnOfLoop()
      },
      { owner: c.get('holder') ?? '' },
    )
    if (!page) throw goneError()
    return await page
  }
}

async function wholeRequest(c: Context<AppEnv>): Promise<Request> {
  const { raw } = c.req
  try {
    return new Request(raw, { body: await raw.arrayBuffer() })
  } catch (error) {
    throw isGone(c) ? goneError() : error
  }
}

// Nobody reads it, and it isn't logged.
function goneError() {
  return new AppError('unavailable', { detail: busy, retryAfter: 0 })
}

// The visitor left, or got an answer after waiting too long.
function isGone({ env }: Context<AppEnv>): boolean {
  return (env?.incoming?.socket.destroyed ?? false) || (env?.outgoing?.headersSent ?? false)
}
