import { createHash } from 'node:crypto'
import type { Queryable } from '#server/database/schema.ts'
import type { Clock } from '#server/lib/clock.ts'
import { AppError } from '#server/lib/errors.ts'
import { createWorkQueue } from '#server/lib/work-queue.ts'
import { attachmentLimit, attachmentMessages, imageMessages } from '#shared/files/images.ts'
import type { Attachment, Picture } from '#shared/files/picture.ts'
import type { CleanImage } from './image.ts'
import { createFilesRepository, type StoredFile } from './repository.ts'

/** An upload becomes part of something within this time, in milliseconds; else it is swept away. */
const graceMs = 24 * 60 * 60 * 1000

/** One alone takes up to 450 MB while it is decoded; a photo of a phone as a rule 90 MB. */
const images = { atOnce: 1, waiting: 30 }

/** What the address of a file ends with. */
const extensions: Record<string, string> = { 'image/webp': 'webp', 'image/jpeg': 'jpg' }
const attachmentExtension = 'bin'

/** An uploaded file as it came. */
export interface Upload {
  bytes: Buffer
  fileName: string
  /** As its sender declared it; nothing relies on it. */
  mediaType: string
}

export interface ImageRules {
  /** The largest upload. */
  maxBytes: number
  /** The longest side that is kept, in pixels. */
  sidePx: number
}

export interface PictureRules {
  maxBytes: number
  /** The widths it is kept in, from the smallest to the largest, in pixels. */
  widths: readonly number[]
  jpegWidth: number
}

/** A file made ready before the transaction that stores it together with what refers to it. */
export interface Prepared<T> {
  /** What refers to it holds this. */
  value: T
  files: readonly StoredFile[]
}

interface FilesServiceOptions {
  db: Queryable
  clock: Clock
}

export type FilesService = ReturnType<typeof createFilesService>

/**
 * Uploaded files. An address tells the content, so what it shows never changes: of an image the SHA-256 of its
 * bytes, of an attachment the SHA-256 of its name, type and bytes.
 */
export function createFilesService({ db, clock }: FilesServiceOptions) {
  const repository = createFilesRepository(db)
  const queue = createWorkQueue(images)

  return {
    /**
     * Makes an image anew and stores it.
     *
     * @throws AppError `too_big` or `invalid` with the sentence for the person
     */
    async storeImage(bytes: Buffer, { maxBytes, sidePx }: ImageRules): Promise<{ url: string }> {
      checkSize(bytes, maxBytes)
      const { cleanImage } = await loadImages()
      const file = imageFile(await queue.run(() => cleanImage(bytes, sidePx)))
      await repository.put(file, clock())
      return { url: urlOf(file) }
    },

    /**
     * Makes an image anew in several widths.
     *
     * @throws AppError `too_big` or `invalid` with the sentence for the person, `too_many_requests`
     */
    async preparePicture(
      { bytes }: Pick<Upload, 'bytes'>,
      { maxBytes, widths, jpegWidth }: PictureRules,
    ): Promise<Prepared<Picture>> {
      checkSize(bytes, maxBytes)
      const { cleanPicture } = await loadImages()
      const made = await queue.run(() => cleanPicture(bytes, widths, jpegWidth))
      const webp = made.webp.map(imageFile)
      const jpeg = imageFile(made.jpeg)
      const largest = made.webp.at(-1) ?? made.jpeg
      return {
        value: {
          width: largest.width,
          height: largest.height,
          webp: made.webp.map(({ width }, index) => ({ url: urlOf(webp[index] ?? jpeg), width })),
          jpeg: { url: urlOf(jpeg), width: made.jpeg.width, height: made.jpeg.height },
        },
        files: [...webp, jpeg],
      }
    },

    /** @throws AppError `too_big` with the sentence for the person */
    prepareAttachment({ bytes, fileName, mediaType }: Upload): Prepared<Attachment> {
      if (bytes.byteLength >= attachmentLimit) {
        const message = attachmentMessages.tooLarge
        throw new AppError('too_big', { detail: message, errors: [{ path: 'attachment', message }] })
      }
      const name = cleanFileName(fileName)
      const type = cleanMediaType(mediaType)
      const id = createHash('sha256').update(`${name}\0${type}\0`).update(bytes).digest('hex')
      const file = { id, mediaType: type, bytes, width: null, height: null, fileName: name }
      return { value: { url: urlOf(file), name, type, size: bytes.byteLength }, files: [file] }
    },

    /** Stores prepared files. @param tx the transaction of what refers to them */
    async keep(tx: Queryable, files: readonly StoredFile[]): Promise<void> {
      const inTransaction = createFilesRepository(tx)
      // Sorted, so that two transactions lock the rows in the same order.
      const sorted = [...files].sort((one, other) => (one.id < other.id ? -1 : 1))
      for (const file of sorted) await inTransaction.put(file, clock())
    },

    /**
     * Deletes files that have lost their last reference: what was taken off the site must not stay readable.
     *
     * @param tx the transaction that took the references away, after it did
     * @param values the former pictures and attachments; null where there was none
     */
    async release(tx: Queryable, values: readonly (Picture | Attachment | null)[]): Promise<void> {
      const ids = values.flatMap((value) => (value === null ? [] : urlsOf(value).map(idOf)))
      if (ids.length > 0) await createFilesRepository(tx).deleteUnused(ids)
    },

    /** @param extension the end of the address @throws AppError `not_found` */
    async read(id: string, extension: string): Promise<Pick<StoredFile, 'mediaType' | 'bytes' | 'fileName'>> {
      const file = await repository.find(id)
      if (!file || extensionOf(file) !== extension) throw new AppError('not_found')
      return file
    },

    /** A stored picture as PNG; null when it is no longer there. @param url what `storeImage` gave */
    async readAsPng(url: string, heightPx: number): Promise<Buffer | null> {
      const file = await repository.find(idOf(url))
      if (!file) return null
      const { toPng } = await loadImages()
      return await queue.run(() => toPng(file.bytes, heightPx))
    },

    /** Deletes files that nothing refers to any more. */
    async sweep(): Promise<number> {
      return await repository.deleteOthers(new Date(clock().getTime() - graceMs))
    },
  }
}

/** Loaded with the first image: it brings a large library, which most starts never need. */
async function loadImages() {
  return await import('./image.ts')
}

function checkSize(bytes: Buffer, maxBytes: number): void {
  if (bytes.byteLength <= maxBytes) return
  const message = imageMessages.tooLarge(maxBytes)
  throw new AppError('too_big', { detail: message, errors: [{ path: 'image', message }] })
}

function imageFile(image: CleanImage): StoredFile {
  return { id: createHash('sha256').update(image.bytes).digest('hex'), ...image, fileName: null }
}

function extensionOf({ fileName, mediaType }: Pick<StoredFile, 'fileName' | 'mediaType'>) {
  return fileName === null ? extensions[mediaType] : attachmentExtension
}

function urlOf(file: StoredFile): string {
  return `/api/files/${file.id}.${extensionOf(file)}`
}

function urlsOf(value: Picture | Attachment): string[] {
  return 'jpeg' in value ? [...value.webp.map(({ url }) => url), value.jpeg.url] : [value.url]
}

function idOf(url: string): string {
  return /([0-9a-f]{64})\.\w+$/.exec(url)?.[1] ?? ''
}

/** The longest name, in characters; file systems take 255 bytes. */
const maxLength = 120

/** What a file is called whose own name says nothing. */
const nameless = 'attachment'

// Half of a surrogate pair is no character: the database takes it in no text.
const oddCharacters = /[\p{Cc}\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]/gu

/**
 * The name that an uploaded file is saved under again: its last part without folders, control characters and
 * what turns the direction of writing, short enough, with its extension.
 */
export function cleanFileName(fileName: string): string {
  const last = fileName.replace(oddCharacters, '').split(/[\\/]/).at(-1) ?? ''
  const name = last.replace(/[<>:"|?*]/g, '_').trim()
  if (name === '' || /^\.+$/.test(name)) return nameless
  if (name.length <= maxLength) return name
  const extension = /\.[^.]{1,15}$/.exec(name)?.[0] ?? ''
  // By characters, so that none is cut in half.
  return [...name].slice(0, maxLength - extension.length).join('') + extension
}

/** A declared media type, if it looks like one. */
export function cleanMediaType(mediaType: string): string {
  const [type = ''] = mediaType.split(';')
  const wanted = type.trim().toLowerCase()
  return /^[a-z0-9!#$&^_.+-]{1,60}\/[a-z0-9!#$&^_.+-]{1,80}$/.test(wanted)
    ? wanted
    : 'application/octet-stream'
}
