import sharp, { type Metadata, type Sharp } from 'sharp'
import { invalid } from '#server/lib/errors.ts'
import { imageMessages, maxImagePixels } from '#shared/files/images.ts'

// libvips can read much more than the four formats on offer: SVG that loads other files, PDF, what a library
// of the machine adds. All other formats are disabled.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: [
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadNsgifBuffer',
    'VipsForeignLoadWebpBuffer',
  ],
})
// Uploads are rare: caches would only occupy memory.
sharp.cache(false)

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

export interface CleanImage {
  bytes: Buffer
  mediaType: 'image/webp' | 'image/jpeg'
  width: number
  height: number
}

interface CleanPicture {
  webp: CleanImage[]
  jpeg: CleanImage
}

/**
 * Security: the type comes from the content, and pixels are counted before decoding.
 * @param sidePx px
 */
export async function cleanImage(bytes: Buffer, sidePx: number): Promise<CleanImage> {
  await checkHead(bytes)
  return await decoding(() =>
    encodeWebp(
      open(bytes)
        .autoOrient()
        .resize({ width: sidePx, height: sidePx, fit: 'inside', withoutEnlargement: true }),
      90,
    ),
  )
}

/**
 * Never enlarged.
 * @param widths px, ascending
 * @param jpegWidth px
 */
export async function cleanPicture(
  bytes: Buffer,
  widths: readonly number[],
  jpegWidth: number,
): Promise<CleanPicture> {
  await checkHead(bytes)
  return await decoding(async () => {
    // Decoded once: what follows starts from the pixels of the largest.
    const { data, info } = await open(bytes)
      .autoOrient()
      .resize({ width: Math.max(...widths), height: maxWebpSide, fit: 'inside', withoutEnlargement: true })
      .raw()
      .toBuffer({ resolveWithObject: true })
    const { width, height, channels } = info
    const copy = (wanted: number) =>
      sharp(data, { raw: { width, height, channels } }).resize({ width: wanted, withoutEnlargement: true })
    const useful = widths.filter((each) => each < width)
    const webp: CleanImage[] = []
    for (const each of [...useful, width]) webp.push(await encodeWebp(copy(each), 80))
    return { webp, jpeg: await encodeJpeg(copy(jpegWidth)) }
  })
}

export async function toPng(bytes: Buffer, heightPx: number): Promise<Buffer> {
  return await open(bytes)
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
    return await open(bytes).metadata()
  } catch (cause) {
    const isTooMany = cause instanceof Error && cause.message.includes('pixel limit')
    throw invalid('image', isTooMany ? imageMessages.tooManyPixels : imageMessages.type, cause)
  }
}

function open(bytes: Buffer) {
  // Of an animation, the first picture.
  return sharp(bytes, { limitInputPixels: maxImagePixels, failOn: 'error', pages: 1 }).timeout({
    seconds: decodingSeconds,
  })
}

async function encodeWebp(image: Sharp, quality: number): Promise<CleanImage> {
  const { data, info } = await image
    .webp({ quality, alphaQuality: 100 })
    .toBuffer({ resolveWithObject: true })
  return { bytes: data, mediaType: 'image/webp', width: info.width, height: info.height }
}

async function encodeJpeg(image: Sharp): Promise<CleanImage> {
  const { data, info } = await image
    // It knows no transparency, which would become black.
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: 80, progressive: true })
    .toBuffer({ resolveWithObject: true })
  return { bytes: data, mediaType: 'image/jpeg', width: info.width, height: info.height }
}

async function decoding<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    // Cut off, or damaged in a way that only decoding shows.
    throw invalid('image', imageMessages.type, cause)
  }
}
