import { registerRoute } from 'workbox-routing'
import { CacheFirst, NetworkFirst } from 'workbox-strategies'

declare const self: ServiceWorkerGlobalScope
/** Set by the build: its version, and the scripts that the form loads at the first touch. */
declare const builtForm: { version: string; scripts: string[] }

const { version, scripts } = builtForm
// The page's: a request without cookies doesn't name the chosen one.
const language = self.location.search.slice(1)
const cacheName = `register-${version}-${language}`
const formPath = '/register'
// In ms: each copy costs the server a page.
const copyLifetimeMs = 3_600_000

// Only `copyForm` stores anything. What a visitor's own requests bring may name a person.
const storeNothing = { cacheWillUpdate: async () => null }

function fromNetwork(networkTimeoutSeconds: number) {
  return new NetworkFirst({
    cacheName,
    networkTimeoutSeconds,
    plugins: [
      storeNothing,
      {
        cacheKeyWillBeUsed: async () => formPath,
        cachedResponseWillBeUsed: async ({ cachedResponse }) => cachedResponse && withNewKey(cachedResponse),
        handlerDidRespond: async ({ event }) => event.waitUntil(refresh().catch(() => undefined)),
      },
    ],
  })
}

const form = fromNetwork(3)
// From the form to the form leads a switch of the language: the copy is in the other one.
const switched = fromNetwork(0)
registerRoute(
  ({ request, url }) => request.mode === 'navigate' && url.pathname === formPath,
  (options) => {
    const isSwitch = new URL(options.request.referrer || '/', self.origin).pathname === formPath
    return (isSwitch ? switched : form).handle(options)
  },
)

const assets = new CacheFirst({ cacheName, plugins: [storeNothing] })
registerRoute(({ sameOrigin, url }) => sameOrigin && url.pathname.startsWith('/assets/'), assets)

self.addEventListener('install', (event) => event.waitUntil(copyForm().then(() => self.skipWaiting())))

self.addEventListener('activate', (event) => event.waitUntil(deleteCaches(cacheName)))

/** As a visitor without cookies sees it. Its scripts first: a copy without them is useless. */
async function copyForm() {
  const headers = { 'Accept-Language': language }
  const page = await fetch(formPath, { headers, credentials: 'omit', cache: 'no-store' })
  if (!page.ok || page.redirected) throw new Error(`the form answered ${page.status}`)
  const cache = await caches.open(cacheName)
  const html = await page.clone().text()
  const needed = new Set([...scripts, ...(html.match(/\/assets\/[\w.-]+/g) ?? [])])
  const kept = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname))
  await cache.addAll([...needed].filter((path) => !kept.has(path)))
  await cache.put(formPath, page)
}

async function refresh() {
  const own = await fetch('/sw.js', { method: 'HEAD', cache: 'no-store' })
  if (own.status === 404) {
    await self.registration.unregister()
    return await deleteCaches()
  }
  const copy = await caches.match(formPath, { cacheName })
  const age = Date.now() - Date.parse(copy?.headers.get('Date') ?? '')
  if (!(age < copyLifetimeMs)) await copyForm()
}

/** Leaves the cache of the roll, which is another worker's. */
async function deleteCaches(but?: string) {
  const names = (await caches.keys()).filter((name) => name.startsWith('register-') && name !== but)
  await Promise.all(names.map((name) => caches.delete(name)))
}

/** Each opened copy is a form of its own: two students may use one phone. */
async function withNewKey(copy: Response): Promise<Response> {
  const html = await copy.text()
  const key = /name="idempotencyKey"[^>]*value="([^"]+)"/.exec(html)?.[1]
  const { status, headers } = copy
  return new Response(key ? html.replaceAll(key, crypto.randomUUID()) : html, { status, headers })
}
