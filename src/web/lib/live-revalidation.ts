import { useEffect, useRef } from 'react'
import { useRevalidator } from 'react-router'
import type { Topic } from '#shared/topics.ts'
import { useLiveTopics } from './live.ts'

// In ms between two readings: limits the requests of a registration rush.
const restMs = 500

export function useLiveRevalidation(topics: readonly Topic[]): void {
  const { revalidate, state } = useRevalidator()
  const stale = useRef(false)
  const lastRead = useRef(0)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  function readSoon() {
    clearTimeout(timer.current)
    const wait = Math.max(0, lastRead.current + restMs - Date.now())
    timer.current = setTimeout(() => {
      stale.current = false
      lastRead.current = Date.now()
      void revalidate()
    }, wait)
  }

  useLiveTopics(topics, () => {
    stale.current = true
    if (state === 'idle') readSoon()
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a reading ended, and only then
  useEffect(() => {
    if (state === 'idle' && stale.current) readSoon()
  }, [state])

  useEffect(() => () => clearTimeout(timer.current), [])
}
