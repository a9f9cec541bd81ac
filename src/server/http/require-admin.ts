import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { routePath } from 'hono/route'
import { AppError } from '#server/lib/errors.ts'
import type { AppEnv } from './context.ts'

/**
 * Accepts only a signed-in administrator.
 * @param sentence the refusal's text (spec §6 words it by action)
 */
export function requireAdmin(sentence?: string) {
  return createMiddleware<AppEnv>(async (c, next) => {
    await mustBeAdmin(c, sentence)
    // What an administrator sees stays out of shared caches and of the back button after signing out.
    c.header('Cache-Control', 'no-store')
    await next()
  })
}

/**
 * For routes where only a part needs an administrator.
 * @throws AppError `unauthenticated`
 */
export async function mustBeAdmin(c: Context<AppEnv>, sentence?: string): Promise<void> {
  if (await c.var.readAdmin()) return
  // The pattern and not the address, which may contain a searched name.
  await c.var.noteAccessRefused(routePath(c))
  throw new AppError('unauthenticated', sentence ? { detail: sentence } : {})
}
