import { useCallback, useEffect, useRef, useState } from 'react'
import { type Place, searchPlaces, shortestSearch } from './place-search.ts'

/** Long enough that typing a word makes one or two searches, short enough to feel immediate. */
const pauseMs = 200

/** Suggestions for a text that is being typed. They are a convenience: without an answer there are none. */
export function usePlaceSearch() {
  const [places, setPlaces] = useState<readonly Place[]>([])
  const running = useRef<AbortController>(undefined)

  const clear = useCallback(() => {
    running.current?.abort()
    setPlaces([])
  }, [])

  const search = useCallback((text: string) => {
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    const { signal } = controller
    if (text.trim().length < shortestSearch) {
      setPlaces([])
      return
    }
    const timer = setTimeout(async () => {
      const found = await searchPlaces(text.trim(), signal).catch(() => [])
      if (!signal.aborted) setPlaces(found)
    }, pauseMs)
    signal.addEventListener('abort', () => clearTimeout(timer))
  }, [])

  useEffect(() => () => running.current?.abort(), [])
  return { places, search, clear }
}
