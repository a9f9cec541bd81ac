import { createInflateRaw } from 'node:zlib'
import { fileSentences, unreadable } from './unreadable.ts'

/** All that may be unpacked from one file, in bytes: a zip of 20 MB can hold 20 GB. */
const maxUnpacked = 256 * 1024 * 1024
/** How long one file may take, in milliseconds: 256 MB of nothing but tags take long. */
const maxTime = 30_000
/** A workbook has a dozen parts, one with many pictures some hundreds. */
const maxEntries = 5_000
const endSignature = 0x06054b50
const endLength = 22
const longestComment = 0xffff
const directorySignature = 0x02014b50
const directoryEntryLength = 46
const localSignature = 0x04034b50
const localHeaderLength = 30
const pieceLength = 64 * 1024

interface Entry {
  offset: number
  compressedSize: number
  method: number
}

/** The parts of a zip file that is held in memory. */
export interface ZipArchive {
  has: (path: string) => boolean
  /**
   * The content of a part, unpacked piece by piece while it is read.
   *
   * @param maxBytes what this part may unpack to, where it is less than what all may
   */
  read: (path: string, maxBytes?: number) => AsyncGenerator<Buffer>
}

/**
 * Opens a zip file by its directory. What it claims about sizes isn't believed: the bytes that really come out
 * are counted, over all parts together.
 *
 * @throws AppError `invalid` when it is none, is damaged or unpacks to too much
 */
export function openZip(file: Buffer): ZipArchive {
  const entries = readDirectory(file)
  const end = Date.now() + maxTime
  let unpacked = 0

  async function* read(path: string, maxBytes = maxUnpacked): AsyncGenerator<Buffer> {
    const entry = entries.get(path)
    if (!entry) throw unreadable(fileSentences.damaged)
    let length = 0
    for await (const piece of unpack(contentOf(file, entry), entry.method)) {
      length += piece.length
      unpacked += piece.length
      if (length > maxBytes || unpacked > maxUnpacked || Date.now() > end) {
        throw unreadable(fileSentences.tooLarge)
      }
      yield piece
    }
  }

  return { has: (path) => entries.has(path), read }
}

function readDirectory(file: Buffer): Map<string, Entry> {
  const end = findEnd(file)
  const count = file.readUInt16LE(end + 10)
  let at = file.readUInt32LE(end + 16)
  const entries = new Map<string, Entry>()
  if (count > maxEntries) throw unreadable(fileSentences.damaged)
  for (let index = 0; index < count; index++) {
    if (at + directoryEntryLength > file.length || file.readUInt32LE(at) !== directorySignature) {
      throw unreadable(fileSentences.damaged)
    }
    const nameLength = file.readUInt16LE(at + 28)
    const name = file.toString('utf8', at + directoryEntryLength, at + directoryEntryLength + nameLength)
    entries.set(name, {
      method: file.readUInt16LE(at + 10),
      compressedSize: file.readUInt32LE(at + 20),
      offset: file.readUInt32LE(at + 42),
    })
    at += directoryEntryLength + nameLength + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32)
  }
  return entries
}

/** Where the record at the end begins. A comment may follow it, hence the search backwards. */
function findEnd(file: Buffer): number {
  const first = Math.max(0, file.length - endLength - longestComment)
  for (let at = file.length - endLength; at >= first; at--) {
    if (file.readUInt32LE(at) === endSignature) return at
  }
  throw unreadable(fileSentences.damaged)
}

/** The packed bytes. The names in the local header may be longer than those in the directory. */
function contentOf(file: Buffer, { offset, compressedSize }: Entry): Buffer {
  if (offset + localHeaderLength > file.length || file.readUInt32LE(offset) !== localSignature) {
    throw unreadable(fileSentences.damaged)
  }
  const start = offset + localHeaderLength + file.readUInt16LE(offset + 26) + file.readUInt16LE(offset + 28)
  if (start + compressedSize > file.length) throw unreadable(fileSentences.damaged)
  return file.subarray(start, start + compressedSize)
}

async function* unpack(content: Buffer, method: number): AsyncGenerator<Buffer> {
  if (method === 0) {
    for (let at = 0; at < content.length; at += pieceLength) yield content.subarray(at, at + pieceLength)
    return
  }
  // Excel and every other program of today deflate; other methods and encryption are nobody's workbook.
  if (method !== 8) throw unreadable(fileSentences.damaged)
  const inflate = createInflateRaw({ chunkSize: pieceLength })
  inflate.end(content)
  try {
    for await (const piece of inflate) yield Buffer.from(piece)
  } catch (error) {
    if (inflate.errored) throw unreadable(fileSentences.damaged, error)
    throw error
  } finally {
    inflate.destroy()
  }
}
