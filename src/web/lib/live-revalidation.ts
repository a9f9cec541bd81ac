import { useEffect, useRef } from 'react'
import { useRevalidator } from 'react-router'
import type { Topic } from '#shared/topics.ts'
import { useLiveTopics } from './live.ts'

/** The least time between two readings; a rush of enlistments doesn't become a rush of requests. */
const restMs = 500

/** Reads the page's data again when a topic changes. Changes during a reading lead to one more after it. */
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
