import type { Context } from 'hono'
import { type Actor, shortUserAgent } from '#server/actor.ts'
import type { AppEnv } from './context.ts'

/** The caller of a request, for the audit trail. */
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
