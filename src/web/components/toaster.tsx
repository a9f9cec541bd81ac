import { clsx } from 'clsx'
import { CircleCheck, CircleX, Info, TriangleAlert, X } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { Link, useLocation } from 'react-router'
import { runAfter } from '#web/lib/timers.ts'
import { useTranslation } from '#web/lib/translation.tsx'
import { IconButton } from './button.tsx'

type ToastType = 'success' | 'warning' | 'info' | 'error'

export interface ToastLink {
  label: string
  to: string
}

interface ToastOptions {
  action?: { label: string; onSelect: () => void; staysOpen?: boolean } | undefined
  link?: ToastLink | undefined
  /** How long the toast is shown, in ms. Null shows it until it is dismissed. */
  shownMs?: number | null
  covers?: ((message: string) => boolean) | undefined
}

interface ShownToast extends ToastOptions {
  id: number
  type: ToastType
  message: string
}

let toastsNow: readonly ShownToast[] = []
let lastId = 0
const listeners = new Set<() => void>()

/** @returns dismisses it */
export function showToast(type: ToastType, message: string, options: ToastOptions = {}): () => void {
  lastId += 1
  const id = lastId
  // The same sentence twice is one notification that stays longer.
  const others = toastsNow.filter((toast) => toast.type !== type || toast.message !== message)
  const isCovered = others.some(({ covers }) => covers?.(message))
  if (!isCovered) change([...others, { ...options, type, message, id }])
  return () => dismissToast(id)
}

function dismissToast(id: number): void {
  change(toastsNow.filter((toast) => toast.id !== id))
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function change(toasts: readonly ShownToast[]) {
  toastsNow = toasts
  for (const listener of listeners) listener()
}

// In ms (product 28.6).
const autoCloseMs = 5_000
const none: readonly ShownToast[] = []

const styles: Record<ToastType, { Icon: typeof Info; tone: string; word: string }> = {
  success: { Icon: CircleCheck, tone: 'text-success', word: 'Success' },
  warning: { Icon: TriangleAlert, tone: 'text-warning', word: 'Warning' },
  info: { Icon: Info, tone: 'text-info', word: 'Information' },
  error: { Icon: CircleX, tone: 'text-danger', word: 'Error' },
}

/**
 * The toaster is in the first bundle: the notice of a lost connection must not need a download. It is always rendered:
 * screen readers announce only changes of a known live region.
 */
export function Toaster() {
  const t = useTranslation()
  const toasts = useSyncExternalStore(
    subscribe,
    () => toastsNow,
    () => none,
  )
  const place = useRef<HTMLElement>(null)
  const position = useFreePlace(place, toasts)
  return (
    <section
      ref={place}
      aria-label={t('Notifications')}
      className={clsx(
        'pointer-events-none right-3 left-3 z-60 print:hidden sm:left-auto sm:w-96',
        position === 'above page' ? 'absolute' : 'fixed',
        position === 'bottom' ? 'bottom-3' : 'top-3',
      )}
    >
      <div role="log" aria-live="polite" aria-relevant="additions" className="flex flex-col gap-2">
        {toasts.map((toast) => (
          <ToastCard key={toast.id} toast={toast} />
        ))}
      </div>
    </section>
  )
}

// The distance from the page's edge, in px.
const margin = 12

type Position = 'top' | 'bottom' | 'above page'

/**
 * Toasts are at the top (product 28.6). They are at the bottom while at the top they would cover what is focused or was
 * pressed, a banner, or what is marked `data-uncovered`. A page with such a mark gives them room above itself where both
 * would cover it, as large text does on a phone.
 */
function useFreePlace(place: RefObject<HTMLElement | null>, toasts: readonly ShownToast[]): Position {
  const [position, setPosition] = useState<Position>('top')
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page has other places that are free
  useEffect(() => {
    if (toasts.length === 0) return setPosition('top')
    function move() {
      const box = place.current?.getBoundingClientRect()
      if (!box || place.current?.contains(document.activeElement)) return
      const covers = (top: number) =>
        [
          document.activeElement,
          ...document.querySelectorAll('main :is([role="alert"], [data-uncovered])'),
        ].some((element) => {
          const { top: from, bottom, left, right } = element?.getBoundingClientRect() ?? new DOMRect()
          return (
            element !== document.body &&
            right > box.left &&
            left < box.right &&
            bottom > top &&
            from < top + box.height
          )
        })
      const isMarked = window.scrollY === 0 && document.querySelector('main [data-uncovered]') !== null
      const free = () => {
        if (!covers(margin)) return 'top'
        if (!covers(window.innerHeight - margin - box.height)) return 'bottom'
        return isMarked ? 'above page' : 'top'
      }
      // They stay above the page while its top is in sight: what they have moved down would seem free.
      setPosition((current) => (current === 'above page' && isMarked ? current : free()))
    }
    move()
    document.addEventListener('focusin', move)
    return () => document.removeEventListener('focusin', move)
  }, [place, toasts, pathname])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the height is that of these toasts
  useEffect(() => {
    if (position !== 'above page' || !place.current) return
    const { style } = document.body
    style.paddingTop = `${place.current.offsetHeight + 2 * margin}px`
    return () => {
      style.paddingTop = ''
    }
  }, [place, position, toasts])
  return position
}

function ToastCard({ toast }: { toast: ShownToast }) {
  const t = useTranslation()
  const { Icon, tone, word } = styles[toast.type]
  const stayMs = toast.shownMs === undefined ? autoCloseMs : toast.shownMs
  const [held, setHeld] = useState(false)

  useEffect(() => {
    // While it is read, pointed at or focused, it stays.
    if (held || stayMs === null) return
    return runAfter(stayMs, () => dismissToast(toast.id))
  }, [held, stayMs, toast.id])

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls; this only holds a notice together
    <div
      role="group"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      className="toast-in pointer-events-auto flex items-start gap-3 rounded-box border bg-card p-3 pl-4 text-fg shadow-card"
    >
      <Icon className={clsx('mt-2 size-5 shrink-0', tone)} />
      <div className="min-w-0 flex-1 py-2 text-sm">
        <span className="sr-only">{t(word)}: </span>
        {t(toast.message)}
        {toast.action && (
          <button
            type="button"
            className="mt-1 block min-h-9 font-semibold max-md:min-h-11 text-primary underline underline-offset-4"
            onClick={() => {
              toast.action?.onSelect()
              if (!toast.action?.staysOpen) dismissToast(toast.id)
            }}
          >
            {t(toast.action.label)}
          </button>
        )}
        {toast.link && (
          <Link
            to={toast.link.to}
            className="mt-1 flex min-h-9 items-center font-semibold text-primary underline underline-offset-4 max-md:min-h-11"
            onClick={() => dismissToast(toast.id)}
          >
            {t(toast.link.label)}
          </Link>
        )}
      </div>
      <IconButton label="Dismiss notification" onClick={() => dismissToast(toast.id)} icon={X} />
    </div>
  )
}
