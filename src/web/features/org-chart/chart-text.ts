export type FontWeight = 400 | 600 | 700

/** How wide a text is, in pixels. */
export type Measure = (text: string, size: number, weight: FontWeight) => number

/** Where a line may end: at a blank, and after a hyphen inside a word. */
const pieces = /\s*[^\s-]*-*/g

/** A text in lines that aren't wider than `width`. A word that is wider itself is broken. */
export function wrapText(text: string, width: number, widthOf: (text: string) => number): string[] {
  const lines: string[] = []
  let line = ''
  for (const piece of text.match(pieces) ?? []) {
    const word = piece.trim()
    if (word === '') continue
    const longer = line !== '' && /^\s/.test(piece) ? `${line} ${word}` : line + word
    if (widthOf(longer) <= width) {
      line = longer
      continue
    }
    if (line !== '') lines.push(line)
    const [last = '', ...full] = breakWord(word, width, widthOf).reverse()
    lines.push(...full.reverse())
    line = last
  }
  return line === '' ? lines : [...lines, line]
}

function breakWord(word: string, width: number, widthOf: (text: string) => number): string[] {
  const parts: string[] = []
  let part = ''
  for (const letter of word) {
    if (part !== '' && widthOf(part + letter) > width) {
      parts.push(part)
      part = ''
    }
    part += letter
  }
  return [...parts, part]
}
