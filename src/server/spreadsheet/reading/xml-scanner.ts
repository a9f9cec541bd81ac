import { AppError } from '#server/lib/errors.ts'

/** Events of the scanner. Names come without their namespace prefix. */
export interface XmlListener {
  open: (name: string, attributes: string) => void
  close?: (name: string) => void
  text?: (text: string) => void
}

export interface XmlScanner {
  write: (chunk: string) => void
  /** @throws AppError `invalid` when the document isn't complete */
  end: () => void
}

const cdata = '<![CDATA['
// In characters, for a tag, comment or text: one that never ends must not fill the memory.
const maxToken = 256 * 1024

/**
 * Reads XML as far as a workbook needs it: tags, attributes, text. It refuses document types, so a file can't define
 * entities that expand or refer elsewhere.
 * @throws AppError `invalid` for malformed or unsupported XML
 */
export function createXmlScanner(listener: XmlListener): XmlScanner {
  let rest = ''
  let depth = 0

  // Returns the index after the markup, or -1 when its end hasn't arrived yet.
  function markup(text: string, at: number): number {
    if (text.startsWith('<!--', at)) return after(text, '-->', at + 4)
    if (text.startsWith('<?', at)) return after(text, '?>', at + 2)
    if (text.startsWith('<!', at)) return declaration(text, at)
    const end = tagEnd(text, at)
    if (end !== -1) tag(text.slice(at + 1, end))
    return end === -1 ? -1 : end + 1
  }

  // CDATA; a document type is refused.
  function declaration(text: string, at: number): number {
    if (text.startsWith(cdata, at)) {
      const end = text.indexOf(']]>', at)
      if (end !== -1) listener.text?.(text.slice(at + cdata.length, end))
      return end === -1 ? -1 : end + 3
    }
    // Of a comment or of CDATA only the beginning may have come so far.
    if (text.length - at < cdata.length) return -1
    throw unreadable(fileSentences.damaged)
  }

  function tag(content: string) {
    if (content.startsWith('/')) {
      depth -= 1
      listener.close?.(localName(content.slice(1).trimEnd()))
      return
    }
    const isEmpty = content.endsWith('/')
    const blank = content.search(/[\s/]/)
    const name = localName(blank === -1 ? content : content.slice(0, blank))
    listener.open(name, blank === -1 ? '' : content.slice(blank))
    if (isEmpty) listener.close?.(name)
    else depth += 1
  }

  return {
    write(chunk) {
      const text = rest + chunk
      let at = 0
      for (;;) {
        const next = text.indexOf('<', at)
        // A text waits for the tag that ends it: an entity may be cut in two.
        if (next === -1) break
        if (next > at) listener.text?.(decodeEntities(text.slice(at, next)))
        const end = markup(text, next)
        at = next
        if (end === -1) break
        at = end
      }
      rest = text.slice(at)
      if (rest.length > maxToken) throw unreadable(fileSentences.damaged)
    },
    end() {
      if (depth !== 0 || rest.includes('<')) throw unreadable(fileSentences.damaged)
    },
  }
}

function after(text: string, mark: string, from: number): number {
  const end = text.indexOf(mark, from)
  return end === -1 ? -1 : end + mark.length
}

// A '>' inside quotes doesn't end the tag.
function tagEnd(text: string, from: number): number {
  let quote = ''
  for (let at = from + 1; at < text.length; at++) {
    const character = text.charAt(at)
    if (quote !== '') {
      if (character === quote) quote = ''
    } else if (character === '"' || character === "'") quote = character
    else if (character === '>') return at
  }
  return -1
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

const patterns = new Map<string, RegExp>()

/** One attribute's value without its prefix; undefined when absent. */
export function attribute(attributes: string, name: string): string | undefined {
  let pattern = patterns.get(name)
  if (!pattern) {
    pattern = new RegExp(`(?:\\s|:)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`)
    patterns.set(name, pattern)
  }
  const found = pattern.exec(attributes)
  return found ? decodeEntities(found[1] ?? found[2] ?? '') : undefined
}

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w+));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return named[name] ?? whole
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}

// In characters. Shared texts remain in memory until the sheet is read.
const maxCharacters = 64 * 1024 * 1024
// In characters: a text's memory beside its content. Empty texts come by the million.
const overhead = 16

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
    text(chunk) {
      if (isInText && !isInAid) text += chunk
    },
  }
}

// Office Open XML writes characters that XML doesn't allow as _xHHHH_ (ECMA-376, ST_Xstring).
export function unescapeText(text: string): string {
  if (!text.includes('_x')) return text
  return text.replace(/_x([\dA-Fa-f]{4})_/g, (_whole, code) => String.fromCharCode(Number.parseInt(code, 16)))
}

export function unreadable(detail: string, cause?: unknown): AppError {
  return new AppError('invalid', { detail, cause, errors: [{ path: 'file', message: detail }] })
}

export const fileSentences = {
  oldExcel:
    'This is an older Excel file (.xls). Please open it in Excel, choose Save As, and save it as an Excel Workbook (.xlsx).',
  locked:
    'This Excel file is protected by a password. Please open it in Excel, remove the password, and save it again.',
  otherType:
    'This is not an Excel (.xlsx) or CSV file. Please open it in your spreadsheet program and save it as .xlsx or CSV.',
  damaged:
    'This file could not be read; it may be damaged. Please open it in your spreadsheet program, save it again as .xlsx, and try once more.',
  tooLarge:
    'This file unpacks to more than can be read. Please save only the rows and columns with students into a new file.',
  tooManyColumns: (max: number) =>
    `This file has more than ${max} columns. Please keep only the columns with the students' data.`,
  empty: 'This file has no rows below its headings. Please choose the file with the list of students.',
} as const
