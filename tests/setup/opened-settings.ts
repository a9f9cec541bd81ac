import { defaultSettings, type Settings } from '#shared/settings/settings.ts'

/** A new portal begins closed; nearly every test enlists students. */
export const openedSettings: Settings = {
  ...defaultSettings,
  enlistment: { ...defaultSettings.enlistment, state: 'open' },
}
