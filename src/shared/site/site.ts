export const productName = 'NSTP Portal'

export interface Site {
  systemName: string
  schoolName: string
  logoUrl: string | null
  maintenance: string | null
  recordRetentionYears: number
}

interface SiteSettings extends Pick<Site, 'systemName' | 'schoolName' | 'recordRetentionYears'> {
  readonly logo: { readonly url: string } | null
  readonly maintenance: { readonly enabled: boolean; readonly sentence: string }
}

export function siteOf(settings: SiteSettings): Site {
  const { systemName, schoolName, logo, maintenance, recordRetentionYears } = settings
  return {
    systemName,
    schoolName,
    logoUrl: logo?.url ?? null,
    maintenance: maintenance.enabled ? maintenance.sentence : null,
    recordRetentionYears,
  }
}
