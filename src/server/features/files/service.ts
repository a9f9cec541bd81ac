import type { Queryable } from '#server/database/schema.ts'
import { defaultFilesLimitMb, type Env } from '#server/env.ts'
import type { UploadedFile } from '#server/http/read-body.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import type { Clock } from '#server/lib/clock.ts'
import { sha256 } from '#server/lib/digest.ts'
import { AppError, tooBig } from '#server/lib/errors.ts'
import { createWorkQueue } from '#server/lib/work-queue.ts'
import { attachmentLimit, attachmentMessages, imageMessages } from '#shared/files/images.ts'
import type { Attachment, Picture } from '#shared/files/picture.ts'
import { publicTopics, type Topic } from '#shared/topics.ts'
import { type CleanImage, cleanImage, cleanPicture, toPng } from './image-decoding.ts'
import { createFilesRepository, type FileHead, type FilesRepository, type StoredFile } from './repository.ts'

// ms: an upload without a reference is deleted after this.
const graceMs = 24 * 60 * 60 * 1000

// Decoding a picture takes up to 450 MB.
const images = { atOnce: 1, maxWaiting: 30 }

// The other connections of the pool are for enlistments.
const sliceReads = { atOnce: 4, maxWaiting: 2_000 }

const storageFull =
  'The storage for images and attachments is full. Delete announcements or slides that are no longer needed, or ask whoever runs NSTP Portal for more (FILES_LIMIT_MB).'

const extensions: Record<string, string> = { 'image/webp': 'webp', 'image/jpeg': 'jpg' }
const attachmentExtension = 'bin'

export interface PictureRules {
  maxBytes: number
  widths: readonly number[]
  jpegWidth: number
}

/** Prepared before the transaction that stores it with its reference. */
export interface Prepared<T> {
  value: T
  files: readonly StoredFile[]
}

interface FilesOptions {
  db: Queryable
  clock: Clock
  // Absent for the demo content.
  env?: Pick<Env, 'FILES_LIMIT_MB'>
}

export type FilesService = ReturnType<typeof createFilesService>
export type PictureFiles = Pick<FilesService, 'preparePicture' | 'store' | 'release'>

/** Content-addressed: SHA-256 of an image's bytes, or of an attachment's name, type and bytes. An address never changes content. */
export function createFilesService({ db, clock, env }: FilesOptions) {
  const limitBytes = (env?.FILES_LIMIT_MB ?? defaultFilesLimitMb) * 1024 * 1024
  const repository = createFilesRepository(db)
  const queue = createWorkQueue(images)
  const slices = createWorkQueue(sliceReads)

  // Uploads at the same time may exceed it by their own size.
  async function mustFit(stored: FilesRepository, files: readonly StoredFile[]): Promise<void> {
    const added = files.reduce((sum, { bytes }) => sum + bytes.byteLength, 0)
    if ((await stored.countBytes()) + added > limitBytes) throw new AppError('too_big', storageFull)
  }

  return {
    async storeImage(bytes: Buffer, { maxBytes, sidePx }: { maxBytes: number; sidePx: number }) {
      checkSize(bytes, maxBytes)
      const file = imageFile(await queue.run(() => cleanImage(bytes, sidePx)))
      await mustFit(repository, [file])
      await repository.put(file, clock())
      return { url: urlOf(file) }
    },

    async preparePicture(
      { bytes }: Pick<UploadedFile, 'bytes'>,
      { maxBytes, widths, jpegWidth }: PictureRules,
    ): Promise<Prepared<Picture>> {
      checkSize(bytes, maxBytes)
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

    prepareAttachment({ bytes, fileName, mediaType }: UploadedFile): Prepared<Attachment> {
      if (bytes.byteLength >= attachmentLimit) throw tooBig('attachment', attachmentMessages.tooLarge)
      const name = cleanFileName(fileName)
      const type = cleanMediaType(mediaType)
      const id = sha256(`${name}\0${type}\0`, bytes).toString('hex')
      const file = { id, mediaType: type, bytes, width: null, height: null, fileName: name }
      return { value: { url: urlOf(file), name, type, size: bytes.byteLength }, files: [file] }
    },

    /** @param tx the transaction of the reference */
    async store(tx: Queryable, files: readonly StoredFile[] = []): Promise<void> {
      const inTransaction = createFilesRepository(tx)
      if (files.length > 0) await mustFit(inTransaction, files)
      // Sorted, so that two transactions lock the rows in the same order.
      const sorted = [...files].sort((one, other) => (one.id < other.id ? -1 : 1))
      for (const file of sorted) await inTransaction.put(file, clock())
    },

    /**
     * Privacy: a removed file must not stay readable.
     * @param tx the transaction that removed the references, after it did
     */
    async release(tx: Queryable, values: readonly (Picture | Attachment | null)[]): Promise<void> {
      const ids = values.flatMap((value) => (value === null ? [] : urlsOf(value).map(idOf)))
      if (ids.length > 0) await createFilesRepository(tx).deleteUnused(ids)
    },

    async describe(id: string, extension: string): Promise<FileHead> {
      const file = await repository.describe(id)
      if (!file || extensionOf(file) !== extension) throw new AppError('not_found')
      return file
    },

    readSlice: (id: string, from: number, length: number): Promise<Buffer> =>
      slices.run(() => repository.readSlice(id, from, length)),

    async readAsPng(url: string, heightPx: number): Promise<Buffer | null> {
      const bytes = await repository.readSlice(idOf(url))
      return bytes.byteLength === 0 ? null : await queue.run(() => toPng(bytes, heightPx))
    },

    sweep: (): Promise<number> => repository.deleteOthers(new Date(clock().getTime() - graceMs)),
  }
}

/**
 * Whether something that visitors see shows the file. Published content is read whole, once until the next notice: every
 * part of a file would read it again.
 */
export function createVisibleFiles({ db, clock, notices }: Pick<AppContext, 'db' | 'clock' | 'notices'>) {
  const repository = createFilesRepository(db)
  let remembered: Promise<ReadonlySet<string>> | undefined
  const forget = (topic: Topic) => {
    if (publicTopics.some((name) => name === topic)) remembered = undefined
  }
  notices.onPublish(forget)
  notices.subscribe(forget)

  return async (id: string): Promise<boolean> => {
    // Changes of other processes could be missed.
    if (!notices.isCurrent()) remembered = undefined
    remembered ??= repository.listPublic(clock())
    const reading = remembered
    try {
      return (await reading).has(id)
    } catch (error) {
      if (remembered === reading) remembered = undefined
      throw error
    }
  }
}

function checkSize(bytes: Buffer, maxBytes: number): void {
  if (bytes.byteLength > maxBytes) throw tooBig('image', imageMessages.tooLarge(maxBytes))
}

function imageFile(image: CleanImage): StoredFile {
  return { id: sha256(image.bytes).toString('hex'), ...image, fileName: null }
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
  return /\/([0-9a-f]{64})\.\w+$/.exec(url)?.[1] ?? ''
}

// characters; file systems take 255 bytes.
const maxLength = 120

const nameless = 'attachment'

// Half of a surrogate pair is no character: the database refuses it in texts.
const oddCharacters = /[\p{Cc}\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]/gu

/** Security: removes folders, control characters and marks that change the writing direction. */
export function cleanFileName(fileName: string): string {
  const last = fileName.replace(oddCharacters, '').split(/[\\/]/).at(-1) ?? ''
  const name = last.replace(/[<>:"|?*]/g, '_').trim()
  if (name === '' || /^\.+$/.test(name)) return nameless
  if (name.length <= maxLength) return name
  const extension = /\.[^.]{1,15}$/.exec(name)?.[0] ?? ''
  // The name is cut between characters, so that none is cut in half.
  return [...name].slice(0, maxLength - extension.length).join('') + extension
}

export function cleanMediaType(mediaType: string): string {
  const [type = ''] = mediaType.split(';')
  const wanted = type.trim().toLowerCase()
  return /^[a-z0-9!#$&^_.+-]{1,60}\/[a-z0-9!#$&^_.+-]{1,80}$/.test(wanted)
    ? wanted
    : 'application/octet-stream'
}
