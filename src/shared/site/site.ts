/** The product's own name, until the coordinator gives it another. */
export const productName = 'NSTP Portal'

/** What everybody may know of the settings: what the public pages show. */
export interface Site {
  systemName: string
  schoolName: string
  logoUrl: string | null
  /** Why registration is closed; null while it is open. */
  maintenance: string | null
  /** How long a record is kept after it was archived. */
  recordRetentionYears: number
}

interface SiteSettings extends Pick<Site, 'systemName' | 'schoolName' | 'recordRetentionYears'> {
  readonly logo: { readonly url: string } | null
  readonly maintenance: { readonly enabled: boolean; readonly sentence: string }
}

/** @param settings all of them, or what the public pages show */
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
