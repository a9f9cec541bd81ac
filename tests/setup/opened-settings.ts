import { defaultSettings, type Settings } from '#shared/settings/settings.ts'

/** A new portal begins closed and without an address; nearly every test enlists students or sends e-mail. */
export const openedSettings: Settings = {
  ...defaultSettings,
  publicAddress: 'http://127.0.0.1:3000',
  enlistment: { ...defaultSettings.enlistment, state: 'open' },
}
