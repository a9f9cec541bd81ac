import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react'
import { defaultSettings, type VersionedSettings } from '#shared/settings/settings.ts'
import { siteOf } from '#shared/site/site.ts'
import { api, callApi } from './api.ts'
import { ApiProblem } from './api-problem.ts'
import { useLiveTopics } from './live.ts'
import { SiteContext } from './site.ts'

interface KnownSettings {
  settings: VersionedSettings
  /** Ignores an older version. */
  learn: (settings: VersionedSettings) => void
}

const Known = createContext<KnownSettings>({
  settings: { ...defaultSettings, version: 0 },
  learn: () => undefined,
})

export function SettingsProvider({ initial, children }: { initial: VersionedSettings; children: ReactNode }) {
  const [settings, setSettings] = useState(initial)
  const learn = useCallback((newer: VersionedSettings) => {
    setSettings((known) => (newer.version > known.version ? newer : known))
  }, [])
  useLiveTopics(['settings'], () => void refresh(learn))
  const known = useMemo(() => ({ settings, learn }), [settings, learn])
  const site = useMemo(() => siteOf(settings), [settings])
  return (
    <Known value={known}>
      <SiteContext value={site}>{children}</SiteContext>
    </Known>
  )
}

async function refresh(learn: KnownSettings['learn']) {
  try {
    learn(await callApi(api.settings.$get()))
  } catch (error) {
    // Not read now: the next notice asks again, as does a connection that comes back.
    if (!(error instanceof ApiProblem)) throw error
  }
}

export function useSettings(): VersionedSettings {
  return useContext(Known).settings
}

export function useLearnSettings(): KnownSettings['learn'] {
  return useContext(Known).learn
}
