import type { AppDatabase } from '#server/database/pool.ts'
import type { SignedInAdmin } from '#server/http/context.ts'
import type { Audit } from '#server/lib/audit.ts'
import type { Clock } from '#server/lib/clock.ts'
import { AppError } from '#server/lib/errors.ts'
import type { Device } from '#shared/auth/account.ts'
import { deviceName } from '#shared/auth/device-name.ts'
import type { Topic } from '#shared/topics.ts'
import { createAuthRepository, type EndedSession } from './repository.ts'
import { actorFor, type Caller, lifetimesAt, parseToken } from './session-cookies.ts'

interface DevicesServiceOptions {
  database: AppDatabase
  clock: Clock
  publish: (topic: Topic) => void
  audit: Audit
}

export type DevicesService = ReturnType<typeof createDevicesService>

export function createDevicesService({ database, clock, publish, audit }: DevicesServiceOptions) {
  return {
    async list(admin: SignedInAdmin, caller: Caller): Promise<Device[]> {
      const current = parseToken(caller.sessionToken)
      const sessions = await createAuthRepository(database.db).listSessions(admin.id, lifetimesAt(clock()))
      const devices = sessions.map(
        ({ id, tokenHash, userAgent, createdAt, lastUsedAt, clientAddress }): Device => ({
          id,
          ...deviceName(userAgent),
          signedInAt: createdAt.toISOString(),
          lastUsedAt: lastUsedAt.toISOString(),
          clientAddress,
          isCurrent: current !== null && tokenHash.equals(current.hash),
        }),
      )
      return devices.sort((a, b) => Number(b.isCurrent) - Number(a.isCurrent))
    },

    /** @throws AppError `not_found` when it isn't signed in any more */
    async signOut(id: string, admin: SignedInAdmin, caller: Caller): Promise<void> {
      await database.transact(async (tx) => {
        const auth = createAuthRepository(tx)
        const ended = await auth.deleteSessionById(admin.id, id)
        if (!ended) {
          throw new AppError('not_found', { detail: 'This device is not signed in any more.' })
        }
        await auth.deleteDevices(devicesOf([ended], caller))
        await audit.record(tx, {
          action: 'device-signed-out',
          actor: actorFor(caller, admin),
          detail: deviceName(ended.userAgent),
        })
      })
      publish('session')
    },

    async signOutOthers(admin: SignedInAdmin, caller: Caller): Promise<number> {
      const count = await database.transact(async (tx) => {
        const auth = createAuthRepository(tx)
        const ended = await auth.deleteOtherSessions(admin.id, parseToken(caller.sessionToken)?.hash ?? null)
        if (ended.length === 0) return 0
        await auth.deleteDevices(devicesOf(ended, caller))
        await audit.record(tx, {
          action: 'device-signed-out',
          actor: actorFor(caller, admin),
          affected: ended.length,
        })
        return ended.length
      })
      if (count > 0) publish('session')
      return count
    },
  }
}

// Security: the caller's own browser stays a known device.
function devicesOf(ended: readonly EndedSession[], caller: Caller): Buffer[] {
  const own = parseToken(caller.deviceToken)
  return ended.flatMap(({ deviceHash }) =>
    deviceHash === null || (own && deviceHash.equals(own.hash)) ? [] : [deviceHash],
  )
}
