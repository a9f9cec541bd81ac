/** In the order of painting. Lengths in pixels, colours as in CSS. */
export type Shape =
  | { kind: 'line'; x1: number; y1: number; x2: number; y2: number }
  | { kind: 'box'; x: number; y: number; width: number; height: number; fill: string; stroke: string }
  | { kind: 'disc'; x: number; y: number; radius: number; fill: string; stroke: string }
  | { kind: 'photo'; x: number; y: number; radius: number; url: string }
  | {
      kind: 'text'
      x: number
      /** Of the text's baseline. */
      y: number
      text: string
      size: number
      weight: FontWeight
      fill: string
      anchor: 'start' | 'middle'
    }

export interface Drawing {
  width: number
  height: number
  shapes: readonly Shape[]
}

export const inks = {
  text: '#14211b',
  muted: '#4f5d55',
  edge: '#7d8c83',
  line: '#7d8c83',
  paper: '#ffffff',
  photo: '#e0eee5',
  initials: '#17573f',
  corner: 10,
} as const

export const levelInks = [
  { fill: '#e9b949', stroke: '#e9b949', text: '#2a1f04' },
  { fill: '#17573f', stroke: '#17573f', text: '#ffffff' },
  { fill: '#e0eee5', stroke: '#17573f', text: '#14211b' },
  { fill: '#ffffff', stroke: '#7d8c83', text: '#14211b' },
  { fill: '#ebf1ec', stroke: '#d8e1da', text: '#4f5d55' },
] as const

export type FontWeight = 400 | 600 | 700

/** In pixels. */
export type Measure = (text: string, size: number, weight: FontWeight) => number

// Lines break at a blank, and after a hyphen inside a word.
const pieces = /\s*[^\s-]*-*/g

/** Lines of at most `width` pixels. A word that is wider is broken. */
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
