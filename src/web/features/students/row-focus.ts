import { useEffect, useEffectEvent, useState } from 'react'
import { actionButtonId, type RowAction } from './row-actions.tsx'
import { actionAttribute, rowAttribute } from './row-attributes.ts'

/** Where the focus goes when no row is left. */
export const listTitleId = 'list-title'

/** What a row's button opened. */
export interface OpenedFrom {
  action: RowAction['name']
  student: string
}

function rows(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(`[${rowAttribute}]`)]
}

/** The place of a student's row in the list, counted from 0; -1 when it isn't there. */
export function indexOfRow(student: string): number {
  return rows().findIndex((row) => row.getAttribute(rowAttribute) === student)
}

/** Focuses the same button in the row that took the place of one that went away, or the list's title. */
export function focusRowAt(index: number, action: string | null): void {
  const shown = rows()
  const row = shown[Math.min(index, shown.length - 1)]
  const same = action && row?.querySelector<HTMLElement>(`[${actionAttribute}="${CSS.escape(action)}"]`)
  const next =
    same || row?.querySelector<HTMLElement>('button, input') || document.getElementById(listTitleId)
  next?.focus()
}

/**
 * After closing, the focus is on the button that opens what was open, also when a link had opened it; if its
 * row is gone, on that of the row in its place.
 */
export function useRowFocusBack(opened: OpenedFrom | null): void {
  const [last, setLast] = useState<(OpenedFrom & { index: number }) | null>(null)
  const key = opened && actionButtonId(opened.action, opened.student)
  const follow = useEffectEvent(() => {
    if (opened) return setLast({ ...opened, index: indexOfRow(opened.student) })
    if (last) focusBack(last)
    setLast(null)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when something opens or closes
  useEffect(() => {
    // The dialog moves the focus itself when it has closed; this comes after it.
    const timer = setTimeout(follow)
    return () => clearTimeout(timer)
  }, [key])
}

function focusBack({ action, student, index }: OpenedFrom & { index: number }): void {
  const button = document.getElementById(actionButtonId(action, student))
  if (button) button.focus()
  else focusRowAt(Math.max(index, 0), action)
}
