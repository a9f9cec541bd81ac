/** A text on this device, for `useSyncExternalStore`. Where the browser refuses storage, it lasts as long as the page. */
export function createStoredText(key: string) {
  const listeners = new Set<() => void>()
  let unstored: string | null = null
  return {
    read(): string | null {
      try {
        return localStorage.getItem(key) ?? unstored
      } catch {
        return unstored
      }
    },
    write(text: string): void {
      unstored = text
      try {
        localStorage.setItem(key, text)
      } catch {
        // As above.
      }
      for (const notify of listeners) notify()
    },
    subscribe(notify: () => void): () => void {
      listeners.add(notify)
      // Written by another tab.
      window.addEventListener('storage', notify)
      return () => {
        listeners.delete(notify)
        window.removeEventListener('storage', notify)
      }
    },
  }
}
