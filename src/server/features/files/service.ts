import { sql } from 'kysely'
import type { Queryable } from '#server/database/schema.ts'
import type { Clock } from '#server/lib/clock.ts'
import { sha256 } from '#server/lib/digest.ts'
import { AppError, tooBig } from '#server/lib/errors.ts'
import { createWorkQueue } from '#server/lib/work-queue.ts'
import { attachmentLimit, attachmentMessages, imageMessages } from '#shared/files/images.ts'
import type { Attachment, Picture } from '#shared/files/picture.ts'
import type { CleanImage } from './image.ts'

// ms: an upload without a reference is deleted after this.
const graceMs = 24 * 60 * 60 * 1000

// One decode takes up to 450 MB.
const images = { atOnce: 1, maxWaiting: 30 }

const extensions: Record<string, string> = { 'image/webp': 'webp', 'image/jpeg': 'jpg' }
const attachmentExtension = 'bin'

export interface Upload {
  bytes: Buffer
  fileName: string
  mediaType: string
}

export interface ImageRules {
  maxBytes: number
  sidePx: number
}

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

interface FilesServiceOptions {
  db: Queryable
  clock: Clock
}

export type FilesService = ReturnType<typeof createFilesService>

/** Content-addressed: SHA-256 of an image's bytes, or of an attachment's name, type and bytes. An address never changes content. */
export function createFilesService({ db, clock }: FilesServiceOptions) {
  const repository = createFilesRepository(db)
  const queue = createWorkQueue(images)

  return {
    async storeImage(bytes: Buffer, { maxBytes, sidePx }: ImageRules): Promise<{ url: string }> {
      checkSize(bytes, maxBytes)
      const { cleanImage } = await loadImages()
      const file = imageFile(await queue.run(() => cleanImage(bytes, sidePx)))
      await repository.put(file, clock())
      return { url: urlOf(file) }
    },

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

    prepareAttachment({ bytes, fileName, mediaType }: Upload): Prepared<Attachment> {
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

    async read(id: string, extension: string): Promise<Pick<StoredFile, 'mediaType' | 'bytes' | 'fileName'>> {
      const file = await repository.find(id)
      if (!file || extensionOf(file) !== extension) throw new AppError('not_found')
      return file
    },

    async readAsPng(url: string, heightPx: number): Promise<Buffer | null> {
      const file = await repository.find(idOf(url))
      if (!file) return null
      const { toPng } = await loadImages()
      return await queue.run(() => toPng(file.bytes, heightPx))
    },

    sweep: (): Promise<number> => repository.deleteOthers(new Date(clock().getTime() - graceMs)),
  }
}

// sharp is loaded with the first image.
const loadImages = () => import('./image.ts')

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
  return /([0-9a-f]{64})\.\w+$/.exec(url)?.[1] ?? ''
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
  // By characters, so that none is cut in half.
  return [...name].slice(0, maxLength - extension.length).join('') + extension
}

export function cleanMediaType(mediaType: string): string {
  const [type = ''] = mediaType.split(';')
  const wanted = type.trim().toLowerCase()
  return /^[a-z0-9!#$&^_.+-]{1,60}\/[a-z0-9!#$&^_.+-]{1,80}$/.test(wanted)
    ? wanted
    : 'application/octet-stream'
}

interface StoredFile {
  id: string
  mediaType: string
  bytes: Buffer
  width: number | null
  height: number | null
  fileName: string | null
}

const references = sql`(
  select image::text as said from announcements
  union all select attachment::text from announcements
  union all select image::text from slides
  union all select image::text from org_nodes
  union all select changed::text from settings
)`

const inUse = sql`(
  select found[1] from ${references} as said, lateral regexp_matches(said.said, '/api/files/([0-9a-f]{64})', 'g') as found
)`

function createFilesRepository(db: Queryable) {
  return {
    // Race: storing the same bytes again renews the time, so that no sweep deletes them.
    async put(file: StoredFile, now: Date): Promise<void> {
      await db
        .insertInto('files')
        .values({ ...file, createdAt: now })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ createdAt: now }))
        .execute()
    },

    // Index: files_pkey.
    find: (id: string): Promise<Pick<StoredFile, 'mediaType' | 'bytes' | 'fileName'> | undefined> =>
      db
        .selectFrom('files')
        .select(['mediaType', 'bytes', 'fileName'])
        .where('id', '=', id)
        .executeTakeFirst(),

    // Race: two statements. The first waits for a transaction that stores the same bytes, the second sees its references.
    async deleteUnused(ids: readonly string[]): Promise<void> {
      await sql`select id from files where id = any(${[...ids]}::text[]) order by id for update`.execute(db)
      await sql`delete from files where id = any(${[...ids]}::text[]) and id not in ${inUse}`.execute(db)
    },

    async deleteOthers(before: Date): Promise<number> {
      const { numAffectedRows } = await sql`
        delete from files where created_at < ${before} and id not in ${inUse}`.execute(db)
      return Number(numAffectedRows ?? 0)
    },
  }
}
