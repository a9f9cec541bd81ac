import { type EnlistmentSetting, enlistmentState } from '../registration/enlistment-state.ts'

export const productName = 'NSTP Portal'

interface SiteSettings {
  systemName: string
  schoolName: string
  recordRetentionYears: number
  logo: { url: string } | null
  enlistment: EnlistmentSetting
}

export type Site = ReturnType<typeof siteOf>

export function siteOf(settings: SiteSettings, now: Date, timeZone: string) {
  const { systemName, schoolName, logo, recordRetentionYears } = settings
  return {
    systemName,
    schoolName,
    logoUrl: logo?.url ?? null,
    enlistment: enlistmentState(settings.enlistment, now, timeZone).sentence,
    recordRetentionYears,
  }
}
