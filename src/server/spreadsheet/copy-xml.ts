import type { XmlListener } from './reading/zip-parts.ts'
import { declaration } from './workbook.ts'

export type Attributes = Readonly<Record<string, string>>

interface CopyRules {
  /** What the element's attributes become; null leaves it out, with all in it. */
  open?: (name: string, attributes: Attributes, within: readonly string[]) => Attributes | null
  /** Called before the element ends. @returns whether it stays. @param content what is written in it, escaped */
  close?: (name: string, content: string) => boolean
}

/** Writes a part as it is read, but for what the rules change. Comments go. */
export function createXmlCopy({ open, close }: CopyRules): XmlListener & {
  write: (xml: string) => void
  length: () => number
  xml: () => string
} {
  const pieces: string[] = []
  // The indexes of the pieces where the content of each open element begins.
  const starts: number[] = []
  let leftOut = 0
  // The characters of all pieces.
  let length = 0
  function add(xml: string) {
    length += xml.length
    return pieces.push(xml)
  }
  function takeFrom(start: number): string {
    const content = pieces.splice(start).join('')
    length -= content.length
    return content
  }
  return {
    open(name, attributes, within, written) {
      const own = leftOut > 0 ? null : open ? open(name, attributes, within) : attributes
      if (own === null) {
        leftOut += 1
        return
      }
      const texts = Object.entries(own).map(([key, value]) => ` ${key}="${escapeAttribute(value)}"`)
      starts.push(add(`<${written}${texts.join('')}`))
    },
    close(name, written) {
      if (leftOut > 0) {
        leftOut -= 1
        return
      }
      const start = starts.pop() ?? 0
      const own = takeFrom(start)
      const stays = close?.(name, own) ?? true
      // The content includes what the rule wrote.
      const content = own + takeFrom(start)
      const opening = takeFrom(start - 1)
      if (stays) add(content === '' ? `${opening}/>` : `${opening}>${content}</${written}>`)
    },
    text(text) {
      // Line breaks around the elements too: a parser gives them as texts.
      if (leftOut === 0 && starts.length > 0) add(escapeText(text))
    },
    /** Writes XML into the element that is open. */
    write: (xml) => void add(xml),
    length: () => length,
    xml: () => declaration + pieces.join(''),
  }
}

const names: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const codeOf = (character: string) => names[character] ?? `&#${character.charCodeAt(0)};`

// A parser makes a line feed of a carriage return, and a blank of either in an attribute.
const escapeText = (text: string) => text.replace(/[&<>\r]/g, codeOf)
const escapeAttribute = (text: string) => text.replace(/[&<>"\t\r\n]/g, codeOf)
