import type { Context } from 'hono'
import { AppError } from '#server/errors.ts'
import type { AppEnv, SignedInAdmin } from './context.ts'

/** The administrator of a request that `requireAdmin()` let through. */
export async function adminOf(c: Context<AppEnv>): Promise<SignedInAdmin> {
  const admin = await c.var.readAdmin()
  if (!admin) throw new AppError('unauthenticated')
  return admin
}
