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

/**
 * Applies the fit to sheets that are laid out in a document: their texts may be of any length. All are measured
 * at one level before the next: each change of level lays the document out anew.
 */
export function fitPages(sheets: readonly HTMLElement[]): void {
  const parted = sheets.map((sheet) => ({ sheet, parts: partsOf(sheet), heights: [] as number[][] }))
  for (let level = 0; level <= tightest; level++) {
    for (const { parts } of parted) for (const part of parts) part.dataset.fit = String(level)
    for (const { parts, heights } of parted) {
      heights.push(parts.map((part) => part.getBoundingClientRect().height))
    }
  }
  for (const { sheet, parts, heights } of parted) {
    const { pages, levels } = chooseFit(heights, sheet.dataset.sheet === 'cwts')
    for (const [index, part] of parts.entries()) part.dataset.fit = String(levels[index] ?? tightest)
    sheet.dataset.pages = String(pages)
  }
}

function partsOf(sheet: HTMLElement): HTMLElement[] {
  return [...sheet.querySelectorAll<HTMLElement>('.sheet-page')]
}
