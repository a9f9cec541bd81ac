/**
 * For `ref`: what appears in a scrolled form, above the button that was pressed, is scrolled into sight when it
 * comes.
 */
export function comeIntoSight(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' })
}
