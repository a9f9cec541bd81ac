import { type ReactNode, useContext, useEffect } from 'react'
import { Links, type Location, Meta, Outlet, ScrollRestoration, useRouteLoaderData } from 'react-router'
import { Toaster } from '#web/components/toaster.tsx'
import { dropExpiredDrafts } from '#web/features/registration/draft-key.ts'
import { Nonce } from '#web/lib/nonce.ts'
import type { Route } from './+types/root'
import stylesheet from './app.css?inline'
import { useOfflineLinks } from './components/offline-links.ts'
import { useStaleDataNotice } from './components/stale-data-notice.ts'
import { FailurePage } from './features/site/failure-page.tsx'
import { PageScripts, PressedLinks } from './features/site/page-scripts.tsx'
import { noteLive } from './lib/script-errors.ts'
import { keepStaleData } from './lib/stale-data.ts'
import { WordsContext } from './lib/translation.tsx'
import type { loader as publicLoader } from './pages/public-layout.tsx'

export const links: Route.LinksFunction = () => [
  { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' },
  { rel: 'icon', href: '/favicon.ico', sizes: '32x32' },
  { rel: 'apple-touch-icon', href: '/apple-touch-icon.png' },
  { rel: 'manifest', href: '/site.webmanifest' },
]

// Inlined: saves a round trip on the first visit. The browser reads it back, so that the scripts
// don't contain it again.
const styleId = 'stylesheet'
const sent = import.meta.env.SSR ? null : document.getElementById(styleId)
const css = import.meta.env.SSR ? stylesheet : (sent?.textContent ?? '')

// The steps of the enlistment form are entries without a key of their own. Each begins at its top: no two keys are equal.
function scrollKey({ pathname, hash, key }: Location): string {
  return pathname === '/register' && hash !== '' ? String(Math.random()) : key
}

export function Layout({ children }: { children: ReactNode }) {
  // A cached page has none.
  const nonce = useContext(Nonce) ?? (sent?.nonce || undefined)
  const words = useRouteLoaderData<typeof publicLoader>('pages/public-layout')?.words ?? null
  return (
    <html lang={words ? 'fil' : 'en-PH'}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" content="#0f3d2e" />
        <Meta />
        <style
          id={styleId}
          nonce={nonce}
          // Browsers hide the nonce of an element from scripts that compare attributes.
          suppressHydrationWarning
          // biome-ignore lint/security/noDangerouslySetInnerHtml: our own stylesheet, as it was built
          dangerouslySetInnerHTML={{ __html: css }}
        />
        <Links nonce={nonce} />
        <PressedLinks nonce={nonce} />
      </head>
      <body>
        <WordsContext value={words}>
          {children}
          <Toaster />
        </WordsContext>
        <ScrollRestoration nonce={nonce} getKey={scrollKey} />
        <PageScripts nonce={nonce} />
      </body>
    </html>
  )
}

export const clientMiddleware: Route.ClientMiddlewareFunction[] = [keepStaleData]

export default function App() {
  useStaleDataNotice()
  useOfflineLinks()
  useEffect(dropExpiredDrafts, [])
  // The last effect of the first page: nothing before it has failed.
  useEffect(noteLive, [])
  return <Outlet />
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <FailurePage error={error} />
}
