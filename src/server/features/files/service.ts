import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Metadata, Sharp } from 'sharp'
import type { Queryable } from '#server/database/schema.ts'
import { defaultFilesLimitMb, type Env } from '#server/env.ts'
import type { UploadedFile } from '#server/http/read-body.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import type { Clock } from '#server/lib/clock.ts'
import { sha256 } from '#server/lib/digest.ts'
import { AppError, invalid, tooBig } from '#server/lib/errors.ts'
import { createWorkQueue } from '#server/lib/work-queue.ts'
import { attachmentLimit, attachmentMessages, imageMessages, maxImagePixels } from '#shared/files/images.ts'
import type { Attachment, Picture } from '#shared/files/picture.ts'
import { publicTopics, type Topic } from '#shared/topics.ts'

// ms: an upload without a reference is deleted after this.
const graceMs = 24 * 60 * 60 * 1000

// One decode takes up to 450 MB.
const images = { atOnce: 1, maxWaiting: 30 }

// The other connections of the pool are for enlistments.
const sliceReads = { atOnce: 4, maxWaiting: 2_000 }

const storageFull =
  'The storage for images and attachments is full. Delete announcements or slides that are no longer needed, or ask whoever runs NSTP Portal for more (FILES_LIMIT_MB).'

const extensions: Record<string, string> = { 'image/webp': 'webp', 'image/jpeg': 'jpg' }
const attachmentExtension = 'bin'

interface PictureRules {
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

interface FileHead extends Pick<StoredFile, 'mediaType' | 'fileName'> {
  size: number
}

// PostgreSQL's own limit of a value.
const maxFileBytes = 2 ** 30

// All that shows files, where its row passes the condition.
const referencesOf = (announcements: RawBuilder<SqlBool>, slides: RawBuilder<SqlBool>) => sql`(
  select concat(image, attachment) as said from announcements where ${announcements}
  union all select image::text from slides where ${slides}
  union all select image::text from org_nodes
  union all select changed::text from settings
)`

const references = referencesOf(sql`true`, sql`true`)

const publicReferences = (now: Date) =>
  referencesOf(
    sql`deleted_at is null and published_at <= ${now} and coalesce(expire_at, 'infinity') > ${now}`,
    sql`active`,
  )

const idsIn = (said: RawBuilder<unknown>) => sql<{ id: string }>`
  select found[1] as id from ${said} as said, lateral regexp_matches(said.said, '/api/files/([0-9a-f]{64})', 'g') as found`

const inUse = sql`(${idsIn(references)})`

type FilesRepository = ReturnType<typeof createFilesRepository>

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

    // Index: files_pkey. The length is known without reading the bytes.
    describe: (id: string): Promise<FileHead | undefined> =>
      db
        .selectFrom('files')
        .select(['mediaType', 'fileName', sql<number>`octet_length(bytes)`.as('size')])
        .where('id', '=', id)
        .executeTakeFirst(),

    // Hundreds of rows.
    async listPublic(now: Date): Promise<ReadonlySet<string>> {
      const { rows } = await idsIn(publicReferences(now)).execute(db)
      return new Set(rows.map(({ id }) => id))
    },

    // Reads no bytes: their length stands beside them.
    async countBytes(): Promise<number> {
      const { rows } = await sql<{ bytes: number }>`
        select coalesce(sum(octet_length(bytes)), 0)::float8 as bytes from files`.execute(db)
      return rows[0]?.bytes ?? 0
    },

    /** Empty when there is no such file. */
    async readSlice(id: string, from = 0, length = maxFileBytes): Promise<Buffer> {
      const { rows } = await sql<{ slice: Buffer }>`
        select substring(bytes from ${from + 1}::int for ${length}::int) as slice from files where id = ${id}`.execute(
        db,
      )
      return rows[0]?.slice ?? Buffer.alloc(0)
    },

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

// Loaded with the first image.
async function loadSharp() {
  const { default: sharp } = await import('sharp')
  // libvips can read much more than the four formats on offer: SVG that loads other files, PDF, what a library
  // of the machine adds. All other formats are disabled.
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({
    operation: ['Jpeg', 'Png', 'Nsgif', 'Webp'].map((format) => `VipsForeignLoad${format}Buffer`),
  })
  // Uploads are rare: caches would only occupy memory.
  sharp.cache(false)
  return sharp
}

let loading: ReturnType<typeof loadSharp> | undefined

const sharpReady = () => {
  loading ??= loadSharp()
  return loading
}

// Security: each scan reads all pixels, so a small file could block a CPU for minutes. Encoders write about ten.
const maxJpegScans = 100
const startOfScan = Buffer.from([0xff, 0xda])
// seconds: the slowest picture within the limits takes 6 s on a busy machine.
const decodingSeconds = 20

// bytes: progressive JPEG and interlaced PNG take up to eight bytes a pixel, GIF and lossless WebP four.
const maxCoefficientBytes = 6 * maxImagePixels

// px: limit of the format.
const maxWebpSide = 16_383

const formats: readonly string[] = ['jpeg', 'png', 'gif', 'webp']

type CleanImage = Awaited<ReturnType<typeof encode>>

/**
 * Security: the type comes from the content, and pixels are counted before decoding.
 * @param sidePx px
 */
async function cleanImage(bytes: Buffer, sidePx: number): Promise<CleanImage> {
  await checkHead(bytes)
  const image = (await open(bytes)).autoOrient()
  const size = { width: sidePx, height: sidePx, fit: 'inside', withoutEnlargement: true } as const
  return await decoding(() => encode(image.resize(size).webp({ quality: 90, alphaQuality: 100 })))
}

/**
 * Never enlarged.
 * @param widths px, ascending
 * @param jpegWidth px
 */
async function cleanPicture(bytes: Buffer, widths: readonly number[], jpegWidth: number) {
  await checkHead(bytes)
  return await decoding(async () => {
    // Decoded once: what follows starts from the pixels of the largest.
    const sharp = await sharpReady()
    const { data, info } = await (await open(bytes))
      .autoOrient()
      .resize({ width: Math.max(...widths), height: maxWebpSide, fit: 'inside', withoutEnlargement: true })
      .raw()
      .toBuffer({ resolveWithObject: true })
    const { width, height, channels } = info
    const copy = (wanted: number) =>
      sharp(data, { raw: { width, height, channels } }).resize({ width: wanted, withoutEnlargement: true })
    const useful = widths.filter((each) => each < width)
    const webp: CleanImage[] = []
    for (const each of [...useful, width])
      webp.push(await encode(copy(each).webp({ quality: 80, alphaQuality: 100 })))
    // JPEG knows no transparency, which would become black.
    const flat = copy(jpegWidth).flatten({ background: '#ffffff' })
    return { webp, jpeg: await encode(flat.jpeg({ quality: 80, progressive: true })) }
  })
}

export async function toPng(bytes: Buffer, heightPx: number): Promise<Buffer> {
  return await (await open(bytes))
    .resize({ height: heightPx, width: 3 * heightPx, fit: 'inside', withoutEnlargement: true })
    .png({ palette: true })
    .toBuffer()
}

async function checkHead(bytes: Buffer): Promise<void> {
  const { format, width, height, channels, depth, isProgressive } = await readHead(bytes)
  if (format === undefined || !formats.includes(format)) throw invalid('image', imageMessages.type)
  // A progressive JPEG's coefficients are kept in memory, two bytes each.
  const bytesEach = format === 'jpeg' || depth === 'ushort' ? 2 : 1
  const coefficientBytes = isProgressive ? width * height * channels * bytesEach : 0
  if (width * height > maxImagePixels || coefficientBytes > maxCoefficientBytes)
    throw invalid('image', imageMessages.tooManyPixels)
  if (format === 'jpeg' && hasMoreScans(bytes, maxJpegScans)) throw invalid('image', imageMessages.type)
}

function hasMoreScans(bytes: Buffer, most: number): boolean {
  let scans = 0
  for (
    let at = bytes.indexOf(startOfScan);
    at !== -1 && scans <= most;
    at = bytes.indexOf(startOfScan, at + 2)
  ) {
    scans += 1
  }
  return scans > most
}

async function readHead(bytes: Buffer): Promise<Metadata> {
  try {
    return await (await open(bytes)).metadata()
  } catch (cause) {
    const isTooMany = cause instanceof Error && cause.message.includes('pixel limit')
    throw invalid('image', isTooMany ? imageMessages.tooManyPixels : imageMessages.type, cause)
  }
}

async function open(bytes: Buffer): Promise<Sharp> {
  const sharp = await sharpReady()
  // Of an animation, the first picture.
  return sharp(bytes, { limitInputPixels: maxImagePixels, failOn: 'error', pages: 1 }).timeout({
    seconds: decodingSeconds,
  })
}

async function encode(image: Sharp) {
  const { data, info } = await image.toBuffer({ resolveWithObject: true })
  return { bytes: data, mediaType: `image/${info.format}`, width: info.width, height: info.height }
}

async function decoding<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    // Cut off, or damaged in a way that only decoding shows.
    throw invalid('image', imageMessages.type, cause)
  }
}
