import { type RefObject, useEffect, useRef } from 'react'

/**
 * When the card with the focus goes away (deleted, or filtered out), the one in its place gets the focus; without
 * any, the fallback.
 *
 * @param shown the ids of the cards, in their order; each card says its own in `data-slide`
 */
export function useKeptFocus(
  list: RefObject<HTMLElement | null>,
  shown: readonly string[],
  fallback: RefObject<HTMLElement | null>,
): void {
  const last = useRef<{ id: string; index: number } | null>(null)
  // The same ids are the same list.
  const key = shown.join(' ')

  useEffect(() => {
    const ids = key.split(' ')
    const noteFocus = ({ target }: FocusEvent) => {
      const card = target instanceof Element ? target.closest('[data-slide]') : null
      const id = card?.getAttribute('data-slide')
      // A dialog about the card isn't elsewhere: the focus comes back from there.
      if (id) last.current = { id, index: ids.indexOf(id) }
      else if (target instanceof Element && !target.closest('[role="dialog"]')) last.current = null
    }
    document.addEventListener('focusin', noteFocus)
    return () => document.removeEventListener('focusin', noteFocus)
  }, [key])

  useEffect(() => {
    const ids = key === '' ? [] : key.split(' ')
    const lost = last.current
    if (!lost || ids.includes(lost.id) || document.activeElement !== document.body) return
    const next = ids[Math.min(lost.index, ids.length - 1)]
    const card = next && list.current?.querySelector(`[data-slide="${CSS.escape(next)}"]`)
    const target = card ? card.querySelector<HTMLElement>('button') : fallback.current
    target?.focus()
  }, [key, list, fallback])
}
