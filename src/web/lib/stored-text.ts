/**
 * A text on this device, for `useSyncExternalStore`. Where the browser refuses storage, it lasts as long as the page.
 * @param former the key of former releases; what is there moves
 */
export function createStoredText(key: string, former?: string) {
  const listeners = new Set<() => void>()
  let unstored: string | null = null
  return {
    read(): string | null {
      try {
        if (former !== undefined) move(former, key)
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
        // The browser refuses storage.
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

function move(from: string, to: string): void {
  const text = localStorage.getItem(from)
  if (text === null) return
  if (localStorage.getItem(to) === null) localStorage.setItem(to, text)
  localStorage.removeItem(from)
}
