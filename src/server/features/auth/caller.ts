import { type Actor, shortUserAgent } from '#server/actor.ts'

/** The browser or program that asks, with what its cookies hold. */
export interface Caller {
  clientAddress: string
  userAgent: string
  requestId: string
  sessionToken: string | undefined
  deviceToken: string | undefined
}

/** The caller in the audit trail. @param admin null while nobody has proved who they are */
export function actorFor(caller: Caller, admin: { id: string | null; email: string } | null): Actor {
  const { clientAddress, requestId } = caller
  return {
    adminId: admin?.id ?? null,
    name: admin?.email ?? '',
    clientAddress,
    userAgent: shortUserAgent(caller.userAgent),
    requestId,
  }
}
