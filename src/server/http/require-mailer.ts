import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { routePath } from 'hono/route'
import { AppError } from '#server/lib/errors.ts'
import { apiTokenSentences } from '#shared/auth/api-tokens.ts'
import { bearerOf } from './bearer-token.ts'
import type { AppEnv } from './context.ts'
import { mustBeAdmin } from './require-admin.ts'

export const mailerSecurity: Record<string, string[]>[] = [{ session: [] }, { bearer: [] }]

/**
 * Accepts a signed-in administrator or an API token. Only the e-mail calls use it, so a token has no other access.
 * Where both come, the token decides: it was sent on purpose, a cookie is automatic.
 * @param sentence the text of the refusal
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
  const token = await c.var.readBearerToken()
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

// RFC 6750: the challenge names the scheme.
function challenge(c: Context<AppEnv>, fault = ''): void {
  c.header('WWW-Authenticate', `Bearer realm="NSTP Portal e-mail"${fault}`)
}
