import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { routePath } from 'hono/route'
import { AppError } from '#server/lib/errors.ts'
import { apiTokenSentences } from '#shared/auth/api-tokens.ts'
import { bearerOf } from './bearer-token.ts'
import type { AppEnv } from './context.ts'
import { mustBeAdmin } from './require-admin.ts'

/** What opens an e-mail call, for its description. */
export const mailerSecurity: Record<string, string[]>[] = [{ session: [] }, { bearer: [] }]

/**
 * Lets a signed-in administrator through, or a program that shows an API token; only the e-mail calls use it, so a
 * token opens nothing else. Where both come, the token decides: it was shown on purpose, a cookie comes by itself.
 *
 * @param sentence what the refusal of somebody without either says
 */
export function requireMailer(sentence?: string) {
  return createMiddleware<AppEnv>(async (c, next) => {
    if (bearerOf(c) === undefined) await mustBeAdminHere(c, sentence)
    else await mustShowToken(c)
    c.header('Cache-Control', 'no-store')
    await next()
  })
}

async function mustShowToken(c: Context<AppEnv>): Promise<void> {
  const token = await c.var.readShownToken()
  if (token) {
    c.set('actingToken', token)
    return
  }
  await c.var.noteAccessRefused(routePath(c))
  challenge(c, ', error="invalid_token"')
  throw new AppError('unauthenticated', { detail: apiTokenSentences.refused })
}

async function mustBeAdminHere(c: Context<AppEnv>, sentence: string | undefined): Promise<void> {
  try {
    await mustBeAdmin(c, sentence)
  } catch (error) {
    if (error instanceof AppError && error.code === 'unauthenticated') challenge(c)
    throw error
  }
}

/** RFC 6750: tells a program what to show. */
function challenge(c: Context<AppEnv>, fault = ''): void {
  c.header('WWW-Authenticate', `Bearer realm="NSTP Portal e-mail"${fault}`)
}
