import { type ComponentType, lazy, type MouseEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Section } from '#web/lib/section.ts'
import type { ChartSectionProps } from './chart-section.tsx'
import type { ChartExcerpt } from './tree-node.ts'

/** How near the section comes before its scripts are fetched: one screen. */
const nearMargin = '100% 0%'

/** Only on the server, which waits for it: the browser's bundle is built without this. */
const ServedSection = import.meta.env.SSR
  ? lazy(async () => ({ default: (await import('./chart-section.tsx')).ChartSection }))
  : null

/**
 * The organizational chart of the home page (spec §2). The server sends it complete; its scripts, which most
 * visitors never need, are fetched when it comes near the screen or is pressed, and take the server's place
 * then. Until then the browser keeps what the server sent.
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
      // Without a connection the chart stays as the server sent it. The next press tries again, where the browser
      // does not remember the failure until the page is loaded anew, as Chrome does.
      pressed.current = null
    }
  })

  useEffect(() => {
    if (served.current === null) return
    // Who comes from another page of ours has got nothing from the server.
    if (served.current.childElementCount === 0) void wake()
    const watch = new IntersectionObserver(([entry]) => entry?.isIntersecting && void wake(), {
      rootMargin: nearMargin,
    })
    watch.observe(served.current)
    return () => watch.disconnect()
  }, [])

  /** What was pressed before the scripts were there is done now, and the focus is where it was. */
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

/** The name of what can be pressed, and that was, in the part that the server sent. */
function pressOf(target: EventTarget | null, served: Element | null): string | null {
  if (!(target instanceof Element) || !served?.contains(target)) return null
  return target.closest<HTMLElement>('[data-press]')?.dataset.press ?? null
}

function findPress(living: Element | null, press: string | null): HTMLElement | null {
  if (press === null) return null
  return living?.querySelector<HTMLElement>(`[data-press="${CSS.escape(press)}"]`) ?? null
}
