import { type ComponentType, lazy, type MouseEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Section } from '#web/lib/section.ts'
import type { ChartSectionProps } from './chart-section.tsx'
import type { ChartExcerpt } from './tree-node.ts'

// A screen's height before the section.
const nearMargin = '100% 0%'

// Only on the server: the browser's bundle leaves it out.
const ServedSection = import.meta.env.SSR
  ? lazy(async () => ({ default: (await import('./chart-section.tsx')).ChartSection }))
  : null

/**
 * The whole chart (product 1.5), complete in the server's HTML. Its scripts load when the chart comes near the
 * screen or is pressed.
 */
export function OrgChart({ chart }: { chart: Section<ChartExcerpt> }) {
  const served = useRef<HTMLDivElement>(null)
  const living = useRef<HTMLDivElement>(null)
  const [Living, setLiving] = useState<ComponentType<ChartSectionProps> | null>(null)
  const pressed = useRef<string | null>(null)
  const focused = useRef<string | null>(null)

  const wake = useEffectEvent(async () => {
    try {
      const { ChartSection: Loaded } = await import('./chart-section.tsx')
      focused.current = pressOf(document.activeElement, served.current)
      // At once: the focus may not move on in between.
      flushSync(() => setLiving(() => Loaded))
    } catch {
      // The chart stays as the server sent it if there is no connection. The next press tries again, except in a browser
      // that remembers the failure until the page is reloaded, as Chrome does.
      pressed.current = null
    }
  })

  useEffect(() => {
    if (served.current === null) return
    // The server has sent no chart if the user comes from another page of ours.
    if (served.current.childElementCount === 0) void wake()
    const watch = new IntersectionObserver(([entry]) => entry?.isIntersecting && void wake(), {
      rootMargin: nearMargin,
    })
    watch.observe(served.current)
    return () => watch.disconnect()
  }, [])

  // Repeats the press and restores the focus from before the scripts loaded.
  useEffect(() => {
    if (Living === null) return
    findPress(living.current, focused.current)?.focus()
    findPress(living.current, pressed.current)?.click()
  }, [Living])

  function onPress({ target }: MouseEvent) {
    pressed.current = pressOf(target, served.current)
    void wake()
  }

  if (ServedSection) {
    return (
      <div className="empty:min-h-screen">
        <ServedSection chart={chart} isStatic />
      </div>
    )
  }
  if (Living) {
    return (
      <div ref={living}>
        <Living chart={chart} />
      </div>
    )
  }
  return (
    <div
      key="served"
      ref={served}
      className="empty:min-h-screen"
      onClickCapture={onPress}
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: nothing; React leaves alone what the server sent
      dangerouslySetInnerHTML={{ __html: '' }}
    />
  )
}

/** Identifies a pressed control of the server's HTML. */
function pressOf(target: EventTarget | null, served: Element | null): string | null {
  if (!(target instanceof Element) || !served?.contains(target)) return null
  return target.closest<HTMLElement>('[data-press]')?.dataset.press ?? null
}

function findPress(living: Element | null, press: string | null): HTMLElement | null {
  if (press === null) return null
  return living?.querySelector<HTMLElement>(`[data-press="${CSS.escape(press)}"]`) ?? null
}
