import type { Site } from '#shared/site.ts'

/** Longer names are cut off under an icon on a phone. */
const shortNameLength = 12

/** What a phone needs to put the site on its home screen, under the name that the settings give it. */
export function webManifest({ systemName, schoolName }: Pick<Site, 'systemName' | 'schoolName'>) {
  return {
    id: '/',
    name: schoolName === '' ? systemName : `${systemName} · ${schoolName}`,
    short_name: systemName.length > shortNameLength ? 'NSTP' : systemName,
    description: 'Enlistment and announcements of the National Service Training Program (Republic Act 9163).',
    lang: 'en-PH',
    start_url: '/',
    scope: '/',
    display: 'minimal-ui',
    background_color: '#f4f7f4',
    theme_color: '#0f3d2e',
    icons: [
      { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
      { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
      { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ],
  }
}
