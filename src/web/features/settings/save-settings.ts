import type { SettingsChange, VersionedSettings } from '#shared/settings.ts'
import { api, callApi } from '#web/lib/api.ts'

/** Changes settings that are still of the version that was seen. @throws ApiProblem `conflict` otherwise */
export function saveSettings(change: SettingsChange, version: number): Promise<VersionedSettings> {
  return callApi(api.settings.$patch({ json: change, header: { 'if-match': `"${version}"` } }))
}

/** The settings as the server has them now. */
export function readSettings(): Promise<VersionedSettings> {
  return callApi(api.settings.$get())
}
