import type { Context } from 'hono'
import { type Actor, shortUserAgent } from '#server/lib/actor.ts'
import { AppError } from '#server/lib/errors.ts'
import type { AppEnv, SignedInAdmin } from './context.ts'

export async function actorOf(c: Context<AppEnv>): Promise<Actor> {
  const { actingToken } = c.var
  const admin = actingToken ? null : await c.var.readAdmin()
  return {
    adminId: admin?.id ?? null,
    name: actingToken ? `API token ${actingToken.name}` : (admin?.email ?? ''),
    clientAddress: c.var.clientAddress,
    userAgent: shortUserAgent(c.req.header('User-Agent')),
    requestId: c.var.requestId,
  }
}

export async function adminOf(c: Context<AppEnv>): Promise<SignedInAdmin> {
  const admin = await c.var.readAdmin()
  if (!admin) throw new AppError('unauthenticated')
  return admin
}
