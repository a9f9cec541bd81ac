import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Context } from 'hono'
import type { AppEnv } from '#server/http/context.ts'
import type { createCookie } from '#server/http/cookie.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { deriveKey, signatureOf } from '#server/lib/digest.ts'

// Public pages stay cached for a browser with this cookie, so its name has no part of a session's name.
export const knownBrowserCookie = 'nstp-known'
// ms: half a year
const lifetime = 180 * 24 * 60 * 60_000
// A family shares a phone.
const mostCodes = 5
// A random id of 128 bits, and a signature of 128 bits for each code that was opened.
const pattern = /^([\w-]{22})((?:\.[\w-]{22}){1,5})$/

/**
 * Browsers that opened a record before. Their wrong entries of its code count apart, so that nobody who types the code
 * elsewhere locks them out. The cookie has signatures of codes and no code.
 */
export function createKnownBrowsers(
  { secretKey }: Pick<AppContext, 'secretKey'>,
  cookie: ReturnType<typeof createCookie>,
) {
  const key = deriveKey(secretKey, 'browsers of students')
  const markOf = (id: string, reference: string) =>
    signatureOf(key, `${id} ${reference}`).subarray(0, 16).toString('base64url')

  function read(c: Context<AppEnv>) {
    const [, id, marks] = pattern.exec(cookie.read(c.req.header('Cookie')) ?? '') ?? []
    return id && marks ? { id, marks: marks.slice(1).split('.') } : null
  }

  return {
    /** @returns the browser's id if it opened the record of the code before */
    idOf(c: Context<AppEnv>, reference: string): string | null {
      const known = read(c)
      if (!known) return null
      const own = Buffer.from(markOf(known.id, reference))
      return known.marks.some((mark) => timingSafeEqual(Buffer.from(mark), own)) ? known.id : null
    },

    remember(c: Context<AppEnv>, reference: string): void {
      const { id, marks } = read(c) ?? { id: randomBytes(16).toString('base64url'), marks: [] }
      const own = markOf(id, reference)
      const others = marks.filter((mark) => mark !== own).slice(0, mostCodes - 1)
      cookie.write(c, [id, own, ...others].join('.'), lifetime)
    },
  }
}
