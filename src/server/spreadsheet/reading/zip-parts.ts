import { SaxesParser } from 'saxes'
import { type Entry, fromBufferPromise } from 'yauzl'
import { type AppError, invalid } from '#server/lib/errors.ts'
import fileSentences from './file-sentences.json'

export { fileSentences }

/**
 * Events of a part's XML. Element names come without their namespace prefix, and `written` with it; `within` are those of
 * the open elements around.
 */
export interface XmlListener {
  open: (
    name: string,
    attributes: Readonly<Record<string, string>>,
    within: readonly string[],
    written: string,
  ) => void
  close?: (name: string, written: string) => void
  text?: (text: string, within: readonly string[]) => void
}

export type Parts = Awaited<ReturnType<typeof openParts>>

// The most bytes that are unpacked from one file: a zip of 20 MB can expand to 20 GB.
const usualUnpacked = 256 * 1024 * 1024
// The most ms for one file: 256 MB of nothing but tags take long.
const maxTime = 30_000
// A workbook has a dozen parts, one with many pictures some hundreds.
const maxEntries = 5_000

/**
 * Opens a zip file of XML parts. Declared sizes aren't trusted: the unpacked bytes are counted over all parts.
 * @throws AppError `invalid` when it isn't a zip, is damaged or unpacks to too much
 */
export async function openParts(file: Buffer, maxUnpacked = usualUnpacked) {
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

  /** The unpacked bytes of a part; nothing of one that is absent. */
  async function* read(path: string, maxBytes = maxUnpacked): AsyncGenerator<Buffer> {
    const entry = entries.get(path)
    if (!entry) return
    let length = 0
    const stream = await zip.openReadStreamPromise(entry).catch(damaged)
    try {
      for await (const chunk of stream) {
        length += chunk.length
        unpacked += chunk.length
        if (length > maxBytes || unpacked > maxUnpacked) throw unreadable(fileSentences.tooLarge)
        yield chunk
      }
    } catch (error) {
      if (error === stream.errored) damaged(error)
      throw error
    }
  }

  /**
   * Sends a part's XML to the listener, with a step for each unpacked chunk; nothing of a part that is absent. Document
   * types are refused, so a file can't define entities.
   */
  async function* scan(path: string, listener: XmlListener, maxBytes?: number): AsyncGenerator<void> {
    if (!entries.has(path)) return
    const scanner = createScanner(listener)
    const decoder = new TextDecoder()
    for await (const chunk of read(path, maxBytes)) {
      if (Date.now() > end) throw unreadable(fileSentences.tooLarge)
      scanner.write(decoder.decode(chunk, { stream: true }))
      yield
    }
    scanner.end()
    yield
  }

  return { paths: [...entries.keys()], has: (path: string) => entries.has(path), read, scan }
}

// The most characters of a tag, comment or text: one that never ends must not fill the memory.
const maxToken = 256 * 1024
// A sheet's texts are about ten elements deep. The parser keeps the open ones in memory.
const maxDepth = 100

function createScanner(listener: XmlListener) {
  const parser = new SaxesParser<{ xmlns: false; position: boolean }>({ xmlns: false, position: false })
  const within: string[] = []
  let sinceEvent = 0
  const onText = (text: string) => {
    sinceEvent = 0
    listener.text?.(text, within)
  }
  parser.on('error', damaged)
  parser.on('doctype', () => damaged())
  parser.on('opentag', ({ name, attributes }) => {
    sinceEvent = 0
    listener.open(localName(name), attributes, within, name)
    if (within.push(localName(name)) > maxDepth) damaged()
  })
  parser.on('closetag', ({ name }) => {
    sinceEvent = 0
    within.pop()
    listener.close?.(localName(name), name)
  })
  parser.on('text', onText)
  parser.on('cdata', onText)
  return {
    write(chunk: string) {
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
