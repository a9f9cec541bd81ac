import { lazy } from 'react'
import { LazyScreen } from '#web/components/lazy-screen.tsx'
import { loadAudit } from '#web/features/audit/audit-data.ts'
import { loadProfile } from '#web/features/auth/profile-data.ts'
import { loadImports } from '#web/features/imports/imports-data.ts'
import { api, callApi } from '#web/lib/api.ts'

// Loaded when a tab is opened.
const ImportTab = lazy(async () => ({
  default: (await import('#web/features/imports/import-tab.tsx')).ImportTab,
}))
const AuditTab = lazy(async () => ({
  default: (await import('#web/features/audit/audit-tab.tsx')).AuditTab,
}))
const ProfileTab = lazy(async () => ({
  default: (await import('#web/features/auth/profile-tab.tsx')).ProfileTab,
}))
const SettingsTab = lazy(async () => ({
  default: (await import('#web/features/settings/settings-tab.tsx')).SettingsTab,
}))
const BackupPanel = lazy(async () => ({
  default: (await import('#web/features/backup/backup-panel.tsx')).BackupPanel,
}))

const TokenPanel = lazy(async () => ({
  default: (await import('#web/features/auth/token-panel.tsx')).TokenPanel,
}))

const systemTabs = ['import', 'audit', 'profile-settings', 'system-settings'] as const
export type SystemTabName = (typeof systemTabs)[number]

export function isSystemTab(tab: string): tab is SystemTabName {
  return systemTabs.some((name) => name === tab)
}

export type SystemTabData = Awaited<ReturnType<typeof loadSystemTab>>

export async function loadSystemTab(tab: SystemTabName, url: URL, signal: AbortSignal) {
  switch (tab) {
    case 'import':
      return { tab, data: await loadImports(url, signal) }
    case 'audit':
      return { tab, data: await loadAudit(url, signal) }
    case 'profile-settings':
      return { tab, data: await loadProfile(signal) }
    case 'system-settings':
      return { tab, data: await loadSettings(signal) }
  }
}

async function loadSettings(signal: AbortSignal) {
  const [expired, backup, { items: tokens }] = await Promise.all([
    callApi(api.retention.$get(undefined, { init: { signal } })),
    callApi(api.backup.$get(undefined, { init: { signal } })),
    callApi(api.tokens.$get(undefined, { init: { signal } })),
  ])
  return { expired, backup, tokens }
}

interface SystemTabProps {
  tab: SystemTabName
  content: SystemTabData | null
  failed: boolean
  onChange: () => void
}

export function SystemTab(props: SystemTabProps) {
  return (
    <LazyScreen>
      <Screen {...props} />
    </LazyScreen>
  )
}

function Screen({ tab, content, failed, onChange }: SystemTabProps) {
  switch (tab) {
    case 'import':
      return <ImportTab data={content?.tab === tab ? content.data : null} failed={failed} />
    case 'audit':
      return <AuditTab data={content?.tab === tab ? content.data : null} failed={failed} />
    case 'profile-settings':
      return <ProfileTab data={content?.tab === tab ? content.data : null} failed={failed} />
    case 'system-settings': {
      const data = content?.tab === tab ? content.data : null
      const backup = <BackupPanel status={data?.backup ?? null} onMade={onChange} />
      const tokens = <TokenPanel tokens={data?.tokens ?? null} onChange={onChange} />
      return <SettingsTab expired={data?.expired ?? null} backup={backup} tokens={tokens} />
    }
  }
}
