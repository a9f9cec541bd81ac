import { useEffect, useRef } from 'react'
import { useRevalidator } from 'react-router'
import type { Topic } from '#shared/topics.ts'
import { useLiveTopics } from './live.ts'
import { createThrottle } from './throttle.ts'

// In ms between two readings: limits the requests of a registration rush.
const restMs = 500

export function useLiveRevalidation(topics: readonly Topic[]): void {
  const { revalidate } = useRevalidator()
  const throttle = useRef<ReturnType<typeof createThrottle>>(undefined)
  useEffect(() => {
    throttle.current = createThrottle(revalidate, restMs)
    return throttle.current.stop
  }, [revalidate])
  useLiveTopics(topics, () => throttle.current?.request())
}
