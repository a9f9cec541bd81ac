import { SaxesParser } from 'saxes'
import { type Entry, fromBufferPromise } from 'yauzl'
import { type AppError, invalid } from '#server/lib/errors.ts'

/** Events of a part's XML. Element names come without their namespace prefix. */
export interface XmlListener {
  open: (name: string, attributes: Readonly<Record<string, string>>) => void
  close?: (name: string) => void
  text?: (text: string) => void
}

export interface Parts {
  has: (path: string) => boolean
  /**
   * Sends a part's XML to the listener, with a step for each unpacked chunk. Document types are refused, so a file can't
   * define entities.
   * @param maxBytes the part's limit, where it is below the file's
   */
  scan: (path: string, listener: XmlListener, maxBytes?: number) => AsyncGenerator<void>
}

// In bytes, over one file: a zip of 20 MB can expand to 20 GB.
const maxUnpacked = 256 * 1024 * 1024
// In ms: 256 MB of nothing but tags take long.
const maxTime = 30_000
// A workbook has a dozen parts, one with many pictures some hundreds.
const maxEntries = 5_000

/**
 * Opens a zip file of XML parts. Declared sizes aren't trusted: the unpacked bytes are counted over all parts.
 * @throws AppError `invalid` when it isn't a zip, is damaged or unpacks to too much
 */
export async function openParts(file: Buffer): Promise<Parts> {
  const entries = new Map<string, Entry>()
  const end = Date.now() + maxTime
  let unpacked = 0
  const zip = await fromBufferPromise(file, { validateEntrySizes: false }).catch(damaged)
  if (zip.entryCount > maxEntries) throw unreadable(fileSentences.damaged)
  try {
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry)
  } catch (error) {
    damaged(error)
  }

  async function* scan(path: string, listener: XmlListener, maxBytes = maxUnpacked): AsyncGenerator<void> {
    const entry = entries.get(path)
    if (!entry) throw unreadable(fileSentences.damaged)
    const scanner = createScanner(listener)
    const decoder = new TextDecoder()
    let length = 0
    const stream = await zip.openReadStreamPromise(entry).catch(damaged)
    try {
      for await (const chunk of stream) {
        length += chunk.length
        unpacked += chunk.length
        if (length > maxBytes || unpacked > maxUnpacked || Date.now() > end) {
          throw unreadable(fileSentences.tooLarge)
        }
        scanner.write(decoder.decode(chunk, { stream: true }))
        yield
      }
    } catch (error) {
      if (error === stream.errored) damaged(error)
      throw error
    }
    scanner.end()
    yield
  }

  return { has: (path) => entries.has(path), scan }
}

// In characters, for a tag, comment or text: one that never ends must not fill the memory.
const maxToken = 256 * 1024
// A sheet's texts are about ten elements deep. The parser keeps the open ones in memory.
const maxDepth = 100

function createScanner(listener: XmlListener): { write: (chunk: string) => void; end: () => void } {
  const parser = new SaxesParser<{ xmlns: false; position: boolean }>({ xmlns: false, position: false })
  let sinceEvent = 0
  let depth = 0
  const onText = (text: string) => {
    sinceEvent = 0
    listener.text?.(text)
  }
  parser.on('error', damaged)
  parser.on('doctype', () => damaged())
  parser.on('opentag', ({ name, attributes }) => {
    sinceEvent = 0
    depth += 1
    if (depth > maxDepth) damaged()
    listener.open(localName(name), attributes)
  })
  parser.on('closetag', ({ name }) => {
    sinceEvent = 0
    depth -= 1
    listener.close?.(localName(name))
  })
  parser.on('text', onText)
  parser.on('cdata', onText)
  return {
    write(chunk) {
      sinceEvent += chunk.length
      parser.write(chunk)
      if (sinceEvent > maxToken) damaged()
    },
    end: () => parser.close(),
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

function damaged(cause?: unknown): never {
  throw unreadable(fileSentences.damaged, cause)
}

export function unreadable(detail: string, cause?: unknown): AppError {
  return invalid('file', detail, cause)
}

export const fileSentences = {
  busy: 'Other files are being read at the moment. Please try again in a few seconds.',
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
  nothing: 'This file is empty. Please choose the file with the list of students.',
  empty: 'This file has no rows below its headings. Please choose the file with the list of students.',
} as const
