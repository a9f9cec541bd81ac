import { type DropPlace, isSideBySide } from './arrange-drag.ts'

/** How thick the line between two nodes is, in pixels. */
const thickness = 4

/** Shows where a dragged node would go: a line beside a box, or a frame around it. Past React: it follows the mouse. */
export function showDropMark(mark: HTMLElement, place: DropPlace | null): void {
  mark.hidden = place === null
  if (place === null) return
  const { left, top, width, height } = place.element.getBoundingClientRect()
  const gap = thickness + 1
  const isBefore = place.side === 'before'
  mark.dataset.side = place.side
  if (place.side === 'under') lay(mark, { left, top, width, height })
  else if (isSideBySide(place.element)) {
    lay(mark, { left: isBefore ? left - gap : left + width + 1, top, width: thickness, height })
  } else lay(mark, { left, top: isBefore ? top - gap : top + height + 1, width, height: thickness })
}

function lay(mark: HTMLElement, box: { left: number; top: number; width: number; height: number }): void {
  for (const [side, px] of Object.entries(box)) mark.style.setProperty(side, `${px}px`)
}
