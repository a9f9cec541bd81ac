/** How far sheet.css can tighten a part of a sheet: the greatest data-fit. */
const tightest = 4
/** Two parts that fit one page with a little tightening share it. */
const tightestOnOnePage = 1

/** A4 less two margins of 12.7 mm, in CSS pixels, less a little for the rounding of printers. */
const pageHeight = ((297 - 2 * 12.7) / 25.4) * 96 - 6

interface Fit {
  pages: 1 | 2
  /** How tight each part is set. */
  levels: readonly number[]
}

/**
 * Chooses how a sheet of two parts goes onto whole pages: both on one page where that is allowed and
 * possible, else a page each, as tight as it needs. Two parts, because a second page with nothing but the
 * signature on it would be a poor one. A part that can't fit at all flows on: nothing is ever cut off.
 *
 * @param heights of the parts, from the loosest level to the tightest
 */
export function chooseFit(heights: readonly (readonly number[])[], mayShareOnePage: boolean): Fit {
  for (const [level, parts] of heights.slice(0, tightestOnOnePage + 1).entries()) {
    const total = parts.reduce((sum, height) => sum + height, 0)
    if (mayShareOnePage && total <= pageHeight) return { pages: 1, levels: parts.map(() => level) }
  }
  const loosestThatFits = (part: number) => {
    const level = heights.findIndex((parts) => (parts[part] ?? 0) <= pageHeight)
    return level === -1 ? heights.length - 1 : level
  }
  return { pages: 2, levels: (heights[0] ?? []).map((_, part) => loosestThatFits(part)) }
}

/** Applies the fit to a sheet that is laid out in a document: its texts may be of any length. */
export function fitPages(sheet: HTMLElement): void {
  const parts = [...sheet.querySelectorAll<HTMLElement>('.sheet-page')]
  const setLevel = (part: HTMLElement, level: number) => {
    part.dataset.fit = String(level)
  }
  const heights = Array.from({ length: tightest + 1 }, (_, level) => {
    for (const part of parts) setLevel(part, level)
    return parts.map((part) => part.getBoundingClientRect().height)
  })
  const { pages, levels } = chooseFit(heights, sheet.dataset.sheet === 'cwts')
  for (const [index, part] of parts.entries()) setLevel(part, levels[index] ?? tightest)
  sheet.dataset.pages = String(pages)
}
