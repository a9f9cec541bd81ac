import { type EnlistmentWindow, windowState } from '../registration/enlistment-window.ts'

export const productName = 'NSTP Portal'

interface SiteSettings {
  systemName: string
  schoolName: string
  recordRetentionYears: number
  logo: { url: string } | null
  maintenance: { enabled: boolean; sentence: string }
  enlistment: EnlistmentWindow
}

export type Site = ReturnType<typeof siteOf>

export function siteOf(settings: SiteSettings, now: Date, timeZone: string) {
  const { systemName, schoolName, logo, maintenance, recordRetentionYears } = settings
  return {
    systemName,
    schoolName,
    logoUrl: logo?.url ?? null,
    maintenance: maintenance.enabled ? maintenance.sentence : null,
    enlistment: windowState(settings.enlistment, now, timeZone).sentence,
    recordRetentionYears,
  }
}
