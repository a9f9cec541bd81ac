import type { SignedInAdmin } from '#server/http/context.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { createCachedValue } from '#server/lib/cached-value.ts'
import { type ChangeContext, commitChange, mustExist } from '#server/lib/change.ts'
import { deviceName } from '#shared/auth/device-name.ts'
import { createDeviceRepository } from './device-repository.ts'
import {
  actorFor,
  type Caller,
  isWithin,
  knownDeviceLifetime,
  lifetimesAt,
  parseToken,
} from './session-cookies.ts'
import { createSessionRepository, type EndedSession } from './session-repository.ts'

const rereadMs = 1_000

/**
 * Devices that signed in here, in memory: limits ask at each request, and a flood of forged cookies costs a query a
 * second. One that was signed out or removed counts no longer, in any process.
 */
export function createKnownDevices(
  context: Pick<AppContext, 'database' | 'notices' | 'clock' | 'log' | 'closing'>,
) {
  const repository = createDeviceRepository(context.database.db)
  const cached = createCachedValue({
    ...context,
    topic: 'session',
    read: async () => {
      const devices = await repository.listDevices()
      return new Map(devices.map(({ tokenHash, lastUsedAt }) => [tokenHash.toString('hex'), lastUsedAt]))
    },
  })
  let readAt = 0

  // A device that is unknown here may have signed in at another process.
  function readAgain(): void {
    if (Math.abs(Date.now() - readAt) < rereadMs) return
    readAt = Date.now()
    cached.load().catch((error: unknown) => context.log.warn({ err: error }, 'known devices not read'))
  }

  return {
    load: cached.load,

    has(token: string | undefined): boolean {
      const device = parseToken(token)
      const lastUsedAt = device && cached.current().get(device.hash.toString('hex'))
      if (device && !lastUsedAt) readAgain()
      return lastUsedAt ? isWithin(lastUsedAt, knownDeviceLifetime, context.clock()) : false
    },
  }
}

export function createDevicesService(context: ChangeContext) {
  const { database, clock } = context

  return {
    async list(admin: SignedInAdmin, caller: Caller) {
      const current = parseToken(caller.sessionToken)
      const sessions = await createSessionRepository(database.db).listSessions(admin.id, lifetimesAt(clock()))
      const devices = sessions.map(({ tokenHash, userAgent, createdAt, ...session }) => ({
        ...session,
        ...deviceName(userAgent),
        signedInAt: createdAt,
        isCurrent: current !== null && tokenHash.equals(current.hash),
      }))
      return devices.sort((a, b) => Number(b.isCurrent) - Number(a.isCurrent))
    },

    async signOut(id: string, admin: SignedInAdmin, caller: Caller): Promise<void> {
      await commitChange(context, 'session', async (tx, record) => {
        const sessions = createSessionRepository(tx)
        const [session] = await sessions.deleteSessions(admin.id, { id })
        const ended = mustExist(session, 'This device is no longer signed in.')
        await createDeviceRepository(tx).deleteDevices(admin.id, devicesOf([ended], caller))
        const detail = deviceName(ended.userAgent)
        await record({ action: 'device-signed-out', actor: actorFor(caller, admin), detail })
      })
    },

    signOutOthers: async (admin: SignedInAdmin, caller: Caller): Promise<number> =>
      commitChange(context, 'session', async (tx, record) => {
        const sessions = createSessionRepository(tx)
        const except = parseToken(caller.sessionToken)?.hash
        const ended = await sessions.deleteSessions(admin.id, { except })
        if (ended.length === 0) return 0
        await createDeviceRepository(tx).deleteDevices(admin.id, devicesOf(ended, caller))
        const affected = ended.length
        await record({ action: 'device-signed-out', actor: actorFor(caller, admin), affected })
        return affected
      }),
  }
}

// Security: the caller's own browser stays a known device.
function devicesOf(ended: readonly EndedSession[], caller: Caller): Buffer[] {
  const own = parseToken(caller.deviceToken)
  return ended.flatMap(({ deviceHash }) =>
    deviceHash === null || (own && deviceHash.equals(own.hash)) ? [] : [deviceHash],
  )
}
