/**
 * Loads a part of a screen. Without a connection it comes when the connection is back: a failure would take the whole
 * screen, and what is typed on it, away.
 */
export async function whenConnected<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load()
  } catch (error) {
    // With a connection it is missing: another release has other files, and the page has to be loaded anew.
    if (navigator.onLine) throw error
    await new Promise((resolve) => window.addEventListener('online', resolve, { once: true }))
    return await whenConnected(load)
  }
}
