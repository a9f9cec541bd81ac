import { isUtf8 } from 'node:buffer'
import { type Delimiter, delimiters, type Encoding } from '#shared/imports/imports.ts'

/** The likeliest encoding of a text file, and the others that it may have. */
export function encodingsOf(file: Buffer): [Encoding, ...Encoding[]] {
  if (file[0] === 0xff && file[1] === 0xfe) return ['utf-16le']
  if (file[0] === 0xfe && file[1] === 0xff) return ['utf-16be']
  const [even, odd] = zerosOf(file.subarray(0, 512))
  if (odd > 0 && even === 0) return ['utf-16le']
  if (even > 0 && odd === 0) return ['utf-16be']
  if (isUtf8(file)) return ['utf-8']
  // Excel writes Windows-1252 on Windows, and Mac OS Roman on a Mac.
  return isOfMac(file) ? ['macintosh', 'windows-1252', 'utf-8'] : ['windows-1252', 'macintosh', 'utf-8']
}

// Nearly all letters of a table have a zero in UTF-16, at one side.
function zerosOf(start: Buffer): readonly [number, number] {
  const count = (side: number) => start.filter((byte, at) => byte === 0 && at % 2 === side).length
  const [even, odd] = [count(0), count(1)]
  const isMost = Math.max(even, odd) * 3 > start.length
  return isMost ? [even, odd] : [0, 0]
}

// ñ, é and Ñ of a Mac within a word, which Windows-1252 has as signs that are never there; and its own letters.
const ofMac = /[a-z][\x96\x8e][a-z,;\t]|[A-Z]\x84[A-Z]/
const of1252 = /[A-Za-z][\xc0-\xd6\xd8-\xf6\xf8-\xff]|[\xc0-\xd6\xd8-\xf6\xf8-\xff][a-z]/
const mostSearched = 1024 * 1024

function isOfMac(file: Buffer): boolean {
  const text = file.toString('latin1', 0, mostSearched)
  return ofMac.test(text) && !of1252.test(text)
}

const sampleLines = 20
const quotedLine = /^"((?:[^"]|"")*)"$/

/** The lines inside of their quotes; null where not every line is in quotes, or the first has one column. */
export function unwrappedLines(sample: string): string | null {
  const lines = sample.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '')
  const inner = lines.slice(0, 2).map((line) => quotedLine.exec(line.trim())?.[1]?.replaceAll('""', '"'))
  const hasColumns = delimiters.some((delimiter) => inner[0]?.includes(delimiter))
  return inner.length > 1 && hasColumns && !inner.includes(undefined) ? inner.join('\n') : null
}

/** Tabs are blanks themselves. */
export function hasSpacedQuotes(sample: string, delimiter: string): boolean {
  return delimiter !== '\t' && sample.replace(/"(?:[^"]|"")*"/g, '""').includes(`${delimiter} ""`)
}

/**
 * The likeliest first: the character that occurs equally often in most of the first lines, outside quotes. Titles above
 * have none.
 */
export function delimitersOf(sample: string): [Delimiter, ...Delimiter[]] {
  const lines = sample
    .replace(/"(?:[^"]|"")*"/g, '')
    .split(/\r\n|\r|\n/)
    .filter((line) => line.trim() !== '')
    .slice(0, sampleLines)
  const scores = delimiters.map((delimiter) => {
    const counts = lines.map((line) => line.split(delimiter).length - 1)
    const scoreOf = (usual: number) => usual * counts.filter((count) => count === usual).length
    return { delimiter, score: Math.max(0, ...counts.map(scoreOf)) }
  })
  const found = scores.filter(({ score }) => score > 0).sort((one, other) => other.score - one.score)
  const [first = ',', ...others] = found.map(({ delimiter }) => delimiter)
  return [first, ...others]
}
