import type { Context } from 'hono'
import type { Actor } from '#server/actor.ts'
import type { AppEnv } from './context.ts'

/** Enough to tell browsers apart, in characters. */
const maxUserAgent = 200

/** The caller of a request, for the audit trail. */
export async function actorOf(c: Context<AppEnv>): Promise<Actor> {
  const admin = await c.var.readAdmin()
  return {
    adminId: admin?.id ?? null,
    name: admin?.email ?? '',
    clientAddress: c.var.clientAddress,
    userAgent: (c.req.header('User-Agent') ?? '').slice(0, maxUserAgent),
    requestId: c.var.requestId,
  }
}
