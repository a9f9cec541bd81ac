import { fileSentences, unreadable } from './unreadable.ts'
import type { XmlListener } from './xml-scanner.ts'

/** The texts that cells share, in characters over all: they have to be kept until the sheet is read. */
const maxCharacters = 64 * 1024 * 1024
/** What a text takes in memory beside its characters; empty ones come by the million. In characters. */
const overhead = 16

/** Gathers the texts of sharedStrings.xml. */
export function createStringsListener(): XmlListener & { strings: readonly string[] } {
  const strings: string[] = []
  let characters = 0
  let text = ''
  let isInText = false
  // The reading aid above Japanese words (rPh) has texts too, which aren't the cell's.
  let isInAid = false
  return {
    strings,
    open(name) {
      if (name === 'si') text = ''
      else if (name === 'rPh') isInAid = true
      else if (name === 't') isInText = true
    },
    close(name) {
      if (name === 't') isInText = false
      else if (name === 'rPh') isInAid = false
      else if (name === 'si') {
        characters += text.length + overhead
        if (characters > maxCharacters) throw unreadable(fileSentences.tooLarge)
        strings.push(unescapeText(text))
      }
    },
    text(piece) {
      if (isInText && !isInAid) text += piece
    },
  }
}

/** Office Open XML writes characters that XML has no place for as _xHHHH_ (ECMA-376, ST_Xstring). */
export function unescapeText(text: string): string {
  if (!text.includes('_x')) return text
  return text.replace(/_x([\dA-Fa-f]{4})_/g, (_whole, code) => String.fromCharCode(Number.parseInt(code, 16)))
}
