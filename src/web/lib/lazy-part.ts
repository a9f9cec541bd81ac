import { type ComponentType, lazy } from 'react'

/**
 * A part of a screen whose scripts load when it is first shown. Without a connection it comes when the connection is back:
 * a failure would take the whole screen, and what is typed on it, away.
 */
export function lazyPart<Props>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => ({ default: await loadConnected(load) }))
}

async function loadConnected<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load()
  } catch (error) {
    // A part that fails with a connection is missing: another release has other files, and the page is to be loaded anew.
    if (navigator.onLine) throw error
    await new Promise((resolve) => window.addEventListener('online', resolve, { once: true }))
    return await loadConnected(load)
  }
}
