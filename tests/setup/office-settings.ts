import { defaultSettings, type Settings } from '#shared/settings/settings.ts'

/** Nearly every test sends e-mail or reads fixed academic years, whatever day it is. */
export const officeSettings: Settings = { ...defaultSettings, publicAddress: 'http://127.0.0.1:3000' }
