/*
 * Answers for the roll on a phone: network first, by the page's copy without a network, without the server, or after 3 s. The
 * page keeps the copy (src/web/features/attendance/kept-roll.ts).
 */

declare const self: ServiceWorkerGlobalScope

const rollPath = '/roll'
const cacheName = 'roll'
// In ms: a line that is nearly dead must not hold up who calls a roll.
const patienceMs = 3_000

self.addEventListener('install', (event) => event.waitUntil(self.skipWaiting()))

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (origin !== self.location.origin) return
  if (request.mode === 'navigate' && pathname === rollPath) event.respondWith(openRoll(event))
  else if (pathname.startsWith('/assets/')) event.respondWith(findAsset(request))
})

async function openRoll(event: FetchEvent): Promise<Response> {
  const { request } = event
  const answer = fetch(request).then(forgetUnlessOpen)
  // The copy may be shown before the answer, which still says whether the session has ended.
  event.waitUntil(answer.catch(() => undefined))
  // From the login comes who has just signed in: the copy may be another account's.
  const isSignIn = request.referrer !== '' && new URL(request.referrer).pathname === '/login'
  const copy = isSignIn ? undefined : await caches.match(rollPath, { cacheName })
  if (!copy) return await answer
  const late = new Promise<Response>((resolve) => setTimeout(resolve, patienceMs, copy))
  // A proxy answers in the place of a server that it can't reach, or of a network that wants a sign-in.
  const page = answer.then(({ status }) => (status >= 500 || status === 429 ? copy : answer))
  return await Promise.race([page.catch(() => copy), late])
}

/** Another address, as the login's, means that the session or the account has ended. */
async function forgetUnlessOpen(answer: Response): Promise<Response> {
  if (answer.type === 'opaqueredirect') await caches.delete(cacheName)
  return answer
}

async function findAsset(request: Request): Promise<Response> {
  return (await caches.match(request, { cacheName })) ?? (await fetch(request))
}
