import { isDeepStrictEqual } from 'node:util'
import type { Queryable } from '#server/database/schema.ts'
import { requireSecondFactor } from '#server/features/auth/second-factor-service.ts'
import type { Actor } from '#server/lib/actor.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { createCachedValue } from '#server/lib/cached-value.ts'
import { changesBetween } from '#server/lib/change.ts'
import { AppError } from '#server/lib/errors.ts'
import { calendarDateOf } from '#shared/program-calendar.ts'
import {
  defaultSettings,
  type Settings,
  type SettingsChange,
  type VersionedSettings,
} from '#shared/settings/settings.ts'
import { problemsBetween } from '#shared/settings/settings-schema.ts'
import { academicYearsAround } from '#shared/students/academic-year.ts'
import { createSettingsRepository, type StoredSettings } from './repository.ts'

type SettingsServiceOptions = Pick<
  AppContext,
  'database' | 'notices' | 'clock' | 'timeZone' | 'audit' | 'log' | 'closing'
>

export type SettingsService = ReturnType<typeof createSettingsService>

/** Cached in every process, because each request reads them; a change notice refreshes the cache. */
export function createSettingsService(options: SettingsServiceOptions) {
  const { database, notices, clock, timeZone, audit, log, closing } = options
  const changeListeners = new Set<() => void>()
  const cached = createCachedValue({
    topic: 'settings',
    read: async () => complete(await createSettingsRepository(database.db).read()),
    notices,
    log,
    closing,
    onChange(settings, before) {
      if (!isDeepStrictEqual(before, settings)) for (const listener of changeListeners) listener()
    },
  })

  function complete({ version, changed }: StoredSettings): VersionedSettings {
    const names = Object.keys(defaultSettings)
    const own = Object.fromEntries(Object.entries(changed).filter(([name]) => names.includes(name)))
    const settings: VersionedSettings = { ...defaultSettings, ...own, version }
    if ('academicYears' in own) return settings
    const today = calendarDateOf(clock(), timeZone)
    const around = academicYearsAround(today, settings.semesters[0]?.firstMonth ?? 1)
    // The chosen year stays on offer: once it is far enough behind, it would be no valid choice, and no setting could be saved.
    const chosen = settings.currentAcademicYear === '' ? [] : [settings.currentAcademicYear]
    return { ...settings, academicYears: [...new Set([...chosen, ...around])].sort() }
  }

  async function store(change: Partial<Settings>, version: number, actor: Actor): Promise<VersionedSettings> {
    const written = await database.transact(async (tx) => {
      const repository = createSettingsRepository(tx)
      const stored = await repository.readForChange()
      if (stored.version !== version) throw new AppError('conflict')
      const before = complete(stored)
      const { fields, ...values } = changesBetween<Settings>(before, change)
      if (fields.length === 0) return stored
      const after = { ...before, ...change }
      const errors = problemsBetween(after)
      if (errors[0]) throw new AppError('invalid', { errors })
      const next = { version: version + 1, changed: { ...stored.changed, ...values.after } }
      const now = clock()
      await repository.write(next, now)
      if (values.after.twoFactorRequired) await requireSecondFactor(tx, values.after.twoFactorRequired, now)
      await audit.record(tx, { action: 'settings-changed', actor, fields, values })
      return next
    })
    const settings = cached.setWritten(complete(written))
    notices.publish('settings')
    return settings
  }

  return {
    load: cached.load,

    current: cached.current,

    onChange(listener: () => void): void {
      changeListeners.add(listener)
    },

    /** Call it in a transaction, after its locks: another process may have changed the settings. */
    readStored: async (tx: Queryable): Promise<Settings> =>
      complete(await createSettingsRepository(tx).read()),

    /** The years on offer move on with the date, also where nobody changes a setting or starts the product anew. */
    async rollYears(): Promise<void> {
      const before = cached.current().academicYears
      const { academicYears } = await cached.load()
      if (!isDeepStrictEqual(academicYears, before)) notices.publish('settings')
    },

    // Reads the database: an edit must not start from a stale version.
    read: cached.load,

    change: (change: SettingsChange, version: number, actor: Actor) => store(change, version, actor),

    async changeLogo(logo: Settings['logo'], actor: Actor): Promise<VersionedSettings> {
      for (;;) {
        const { version } = await cached.load()
        try {
          return await store({ logo }, version, actor)
        } catch (error) {
          // A concurrent change of another setting doesn't affect the logo.
          if (!(error instanceof AppError && error.code === 'conflict')) throw error
        }
      }
    },
  }
}
