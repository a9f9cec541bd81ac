/** Where plain-text readers expect lines to end. */
const maxColumns = 76

/**
 * Breaks long lines at spaces. A line that goes on under a list mark or a quotation is indented as its text is;
 * a word that is longer than a line, such as an address of the web, stays whole.
 */
export function wrapText(text: string): string {
  return text
    .replace(/\r\n?|[\u2028\u2029\u0085]/g, '\n')
    .split('\n')
    .flatMap((line) => wrapLine(line.trimEnd()))
    .join('\n')
}

function wrapLine(line: string): string[] {
  if (line.length <= maxColumns) return [line]
  const mark = /^\s*(?:(?:[-*+]|\d{1,3}[.)])\s+)?/.exec(line)?.[0] ?? ''
  const indent = ' '.repeat(Math.min(mark.length, 8))
  const lines: string[] = []
  let current = mark
  for (const word of line.slice(mark.length).split(/ +/)) {
    const isStart = current === mark || current === indent
    const next = isStart ? current + word : `${current} ${word}`
    if (next.length > maxColumns && !isStart) {
      lines.push(current)
      current = indent + word
    } else {
      current = next
    }
  }
  return [...lines, current]
}

/** A heading, underlined. */
export function textHeading(words: string): string {
  return `${words}\n${'='.repeat(Math.min(words.length, maxColumns))}`
}
