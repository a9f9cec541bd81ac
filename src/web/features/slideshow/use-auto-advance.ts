import { useEffect, useEffectEvent } from 'react'

/** How long a slide stays (spec §9). */
const advanceMs = 5_000

interface AutoAdvance {
  isPlaying: boolean
  /** Each slide has its whole time, however it came. */
  shown: string
  onAdvance: () => void
}

/** Goes on by itself. */
export function useAutoAdvance({ isPlaying, shown, onAdvance }: AutoAdvance): void {
  const advance = useEffectEvent(onAdvance)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the time begins anew with each slide
  useEffect(() => {
    if (!isPlaying) return
    const timer = setInterval(advance, advanceMs)
    return () => clearInterval(timer)
  }, [isPlaying, shown])
}
