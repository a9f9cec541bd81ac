import { rollPath } from '#web/lib/next-path.ts'
import { correctedDay } from './phone-clock.ts'
import { fromStorage } from './phone-storage.ts'

/*
 * The page of the roll and what it shows, kept on the phone for a day: then it opens without a network. Browsers have this
 * cache over https alone. The service worker answers from it, and deletes it too (src/worker/offline-roll.ts).
 */

const cacheName = 'roll'
const partsPath = `${rollPath}/kept/`

/** @property name a section's id, or that of the list of sections */
interface KeptPart {
  name: string
  account: string
  /** When it was read, in ms by the phone's clock. */
  at: number
  data: unknown
}

export const canOpenOffline = () => 'caches' in globalThis && 'serviceWorker' in navigator

/** @returns undefined where the browser keeps nothing: the page works with a network alone */
async function inCache<T>(act: (cache: Cache) => Promise<T>): Promise<T | undefined> {
  if (!canOpenOffline()) return undefined
  return await fromStorage(async () => await act(await caches.open(cacheName)))
}

export async function keepPart(account: string, name: string, data: unknown): Promise<void> {
  const part: KeptPart = { name, account, at: Date.now(), data }
  await inCache((cache) => cache.put(partsPath + name, new Response(JSON.stringify(part))))
}

/** Reads what is of today and of this account, and deletes the rest. */
export async function readKeptParts(account: string, timeZone: string): Promise<KeptPart[]> {
  const kept = await inCache(async (cache) => {
    const parts: KeptPart[] = []
    const today = correctedDay(Date.now(), timeZone)
    for (const request of await cache.keys()) {
      if (!new URL(request.url).pathname.startsWith(partsPath)) continue
      const part: KeptPart | undefined = await (await cache.match(request))?.json()
      if (part?.account === account && correctedDay(part.at, timeZone) === today) parts.push(part)
      else await cache.delete(request)
    }
    return parts
  })
  return kept ?? []
}

/** @param isGone for the names of the parts that are no longer the account's */
export async function dropKeptParts(isGone: (name: string) => boolean): Promise<void> {
  await inCache(async (cache) => {
    for (const request of await cache.keys()) {
      const { pathname } = new URL(request.url)
      if (pathname.startsWith(partsPath) && isGone(pathname.slice(partsPath.length)))
        await cache.delete(request)
    }
  })
}

/** At sign-out, and when the account or its session has ended. */
export async function forgetKeptRoll(): Promise<void> {
  if (canOpenOffline()) await fromStorage(() => caches.delete(cacheName))
}

/**
 * Keeps the page with its scripts, and lets the worker answer for it.
 * @returns whether it opens without a network from now on
 */
export async function keepPage(): Promise<boolean> {
  // The worker is in the build only.
  if (!canOpenOffline() || !import.meta.env.PROD) return false
  try {
    await navigator.serviceWorker?.register('/roll-sw.js', { scope: rollPath })
    const page = await fetch(rollPath, { cache: 'no-store' })
    // A session that has ended leads to the login.
    if (!page.ok || page.redirected) return false
    const html = await page.clone().text()
    const needed = new Set(html.match(/\/assets\/[\w.-]+/g))
    // It is the page of somebody else, such as a proxy.
    if (needed.size === 0) return false
    const cache = await caches.open(cacheName)
    const kept = new Map((await cache.keys()).map((request) => [new URL(request.url).pathname, request]))
    // Its scripts first: a page without them is useless.
    await cache.addAll([...needed].filter((path) => !kept.has(path)))
    await cache.put(rollPath, page)
    for (const [path, request] of kept)
      if (path.startsWith('/assets/') && !needed.has(path)) await cache.delete(request)
    return true
  } catch {
    return false
  }
}
