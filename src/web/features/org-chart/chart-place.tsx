import { Component, type ReactNode, type RefObject } from 'react'

interface KeepPlaceProps {
  /** What scrolls. */
  viewport: RefObject<HTMLElement | null>
  /** Under another one nothing stays where it was. */
  view: string
  children: ReactNode
}

interface Place {
  id: string
  x: number
  y: number
}

/**
 * Keeps a box of the chart where it is in its window when others come and go: the one in focus, else the
 * highlighted one, else the first. A class, because only that can look before React changes the page.
 */
export class KeepPlace extends Component<KeepPlaceProps> {
  override shouldComponentUpdate({ children, view }: KeepPlaceProps): boolean {
    return children !== this.props.children || view !== this.props.view
  }

  override getSnapshotBeforeUpdate(): Place | null {
    const viewport = this.props.viewport.current
    const focused = document.activeElement?.closest('[data-node]')
    const box =
      (focused && viewport?.contains(focused) ? focused : null) ??
      viewport?.querySelector('[aria-selected="true"]') ??
      viewport?.querySelector('[data-node]')
    if (!viewport || !(box instanceof HTMLElement)) return null
    return { id: box.dataset.node ?? '', ...within(viewport, box) }
  }

  override componentDidUpdate({ view }: KeepPlaceProps, _state: unknown, before: Place | null) {
    const viewport = this.props.viewport.current
    if (viewport === null || before === null || view !== this.props.view) return
    const box = viewport.querySelector(`[data-node="${CSS.escape(before.id)}"]`)
    if (box === null) return
    const now = within(viewport, box)
    viewport.scrollLeft += now.x - before.x
    viewport.scrollTop += now.y - before.y
  }

  override render() {
    return this.props.children
  }
}

function within(viewport: Element, box: Element): { x: number; y: number } {
  const outer = viewport.getBoundingClientRect()
  const { left, top } = box.getBoundingClientRect()
  return { x: left - outer.left, y: top - outer.top }
}
