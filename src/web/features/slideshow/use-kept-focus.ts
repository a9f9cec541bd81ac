import { type RefObject, useEffect, useRef } from 'react'

/** Where the focus was last: a card, and its place in the list. */
interface LastFocus {
  id: string
  index: number
}

/**
 * When the card with the focus goes away (deleted, or filtered out), the one in its place gets the focus; without
 * any, the fallback.
 *
 * @param list around the cards; each says its id in `data-slide`
 * @param shown the ids of the cards, in their order
 * @returns for a dialog about a card: what gets the focus when it closes
 */
export function useKeptFocus(
  list: RefObject<HTMLElement | null>,
  shown: readonly string[],
  fallback: RefObject<HTMLElement | null>,
): () => HTMLElement | true {
  const last = useRef<LastFocus | null>(null)
  // The same ids are the same list.
  const key = shown.join(' ')

  useEffect(() => {
    const ids = idsOf(key)
    const noteFocus = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return
      const id = target.closest('[data-slide]')?.getAttribute('data-slide')
      if (id) last.current = { id, index: ids.indexOf(id) }
      // A dialog is about the card: the focus comes back from there.
      else if (!target.closest('[role="dialog"]')) last.current = null
    }
    document.addEventListener('focusin', noteFocus)
    return () => document.removeEventListener('focusin', noteFocus)
  }, [key])

  function heir(): HTMLElement | null {
    const ids = idsOf(key)
    const lost = last.current
    if (!lost || ids.includes(lost.id)) return null
    const next = ids[Math.min(lost.index, ids.length - 1)]
    const card = next && list.current?.querySelector(`[data-slide="${CSS.escape(next)}"]`)
    return card ? card.querySelector<HTMLElement>('[data-first]') : fallback.current
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: when cards have come or gone
  useEffect(() => {
    if (document.activeElement === document.body) heir()?.focus()
  }, [key])

  return () => heir() ?? true
}

function idsOf(key: string): string[] {
  return key === '' ? [] : key.split(' ')
}
