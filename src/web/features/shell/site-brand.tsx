import { Brand } from '#web/components/brand.tsx'
import { useSite } from '#web/lib/site.ts'

/** The names and the logo of the settings. */
export function SiteBrand() {
  const { systemName, schoolName, logoUrl } = useSite()
  return <Brand name={systemName} subtitle={schoolName} logoUrl={logoUrl} />
}
