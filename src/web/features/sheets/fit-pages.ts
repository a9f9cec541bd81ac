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

/** Whether tighter levels than those measured can change nothing about the fit. */
export function isSettled(heights: readonly (readonly number[])[], mayShareOnePage: boolean): boolean {
  const { pages, levels } = chooseFit(heights, mayShareOnePage)
  if (pages === 1 || heights.length > tightest) return true
  const maySqueeze = mayShareOnePage && heights.length <= tightestOnOnePage
  return !maySqueeze && levels.every((level, part) => (heights[level]?.[part] ?? 0) <= pageHeight)
}

/**
 * Applies the fit to sheets that are laid out in a document: their texts may be of any length. All are measured
 * at one level before the next, and only those that need it: each change of level lays them out anew.
 */
export function fitPages(sheets: readonly HTMLElement[]): void {
  const fits = sheets.map((sheet) => ({
    sheet,
    parts: [...sheet.querySelectorAll<HTMLElement>('.sheet-page')],
    mayShareOnePage: sheet.dataset.sheet === 'cwts',
    heights: [] as number[][],
  }))
  for (let open = fits, level = 0; open.length > 0; level++) {
    for (const { parts } of open) for (const part of parts) part.dataset.fit = String(level)
    for (const { parts, heights } of open) {
      heights.push(parts.map((part) => part.getBoundingClientRect().height))
    }
    open = open.filter(({ heights, mayShareOnePage }) => !isSettled(heights, mayShareOnePage))
  }
  for (const { sheet, parts, heights, mayShareOnePage } of fits) {
    const { pages, levels } = chooseFit(heights, mayShareOnePage)
    for (const [index, part] of parts.entries()) part.dataset.fit = String(levels[index] ?? tightest)
    sheet.dataset.pages = String(pages)
  }
}
