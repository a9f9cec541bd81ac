import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react'
import { defaultSettings, type VersionedSettings, withDefaults } from '#shared/settings/settings.ts'
import { siteOf } from '#shared/site/site.ts'
import { api, callApi } from './api.ts'
import { ApiProblem } from './api-problem.ts'
import { useLiveTopics } from './live.ts'
import { ProgramTimeZone, SiteContext } from './site.ts'

interface CurrentSettings {
  settings: VersionedSettings
  /** Ignores an older version. */
  update: (settings: VersionedSettings) => void
}

const CurrentSettingsContext = createContext<CurrentSettings>({
  settings: { ...defaultSettings, version: 0 },
  update: () => undefined,
})

export function SettingsProvider({ initial, children }: { initial: VersionedSettings; children: ReactNode }) {
  const [settings, setSettings] = useState(initial)
  const update = useCallback((newer: VersionedSettings) => {
    setSettings((current) => (newer.version > current.version ? newer : current))
  }, [])
  useLiveTopics(['settings'], () => void refresh(update))
  const current = useMemo(() => ({ settings, update }), [settings, update])
  const timeZone = useContext(ProgramTimeZone)
  const site = useMemo(() => siteOf(settings, new Date(), timeZone), [settings, timeZone])
  return (
    <CurrentSettingsContext value={current}>
      <SiteContext value={site}>{children}</SiteContext>
    </CurrentSettingsContext>
  )
}

async function refresh(update: CurrentSettings['update']) {
  try {
    update(withDefaults(await callApi(api.settings.$get())))
  } catch (error) {
    // The next notice or reconnect reads again.
    if (!(error instanceof ApiProblem)) throw error
  }
}

export function useSettings(): VersionedSettings {
  return useContext(CurrentSettingsContext).settings
}

export function useUpdateSettings(): CurrentSettings['update'] {
  return useContext(CurrentSettingsContext).update
}
