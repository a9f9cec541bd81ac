import { useEffect, useState } from 'react'
import { useLocation, useRevalidator } from 'react-router'
import { registerPage } from '#web/lib/stale-data.ts'
import { runAfter } from '#web/lib/timers.ts'
import { showToast } from './toaster.tsx'

const firstPauseMs = 1_000
const longestPauseMs = 30_000

/** Shows that the page may be out of date after a failed reading, and retries. */
export function useStaleDataNotice(): void {
  const { pathname, search } = useLocation()
  const { revalidate } = useRevalidator()
  const [failures, setFailures] = useState(0)
  useStaleNotice(failures > 0)

  useEffect(() => {
    const { href } = new URL(pathname + search, window.location.href)
    return registerPage({
      url: href,
      onRevalidated: (isMissed) => setFailures((count) => (isMissed ? count + 1 : 0)),
    })
  }, [pathname, search])

  useEffect(() => {
    if (failures === 0) return
    const retry = () => void revalidate()
    // Spread out, so that all tabs of a school don't return in the same second after a restart.
    const pauseMs = Math.min(firstPauseMs * 2 ** failures, longestPauseMs) * (0.5 + Math.random())
    const stopTimer = runAfter(pauseMs, retry)
    window.addEventListener('online', retry)
    return () => {
      stopTimer()
      window.removeEventListener('online', retry)
    }
  }, [failures, revalidate])
}

export function useStaleNotice(isBehind: boolean): void {
  useEffect(() => {
    if (!isBehind) return
    return showToast(
      'warning',
      'This page could not be refreshed and may be out of date. It will refresh as soon as possible.',
      { shownMs: null },
    )
  }, [isBehind])
}
