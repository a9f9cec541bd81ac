import type { Metadata, Sharp } from 'sharp'
import { invalid } from '#server/lib/errors.ts'
import { imageMessages, maxImagePixels } from '#shared/files/images.ts'

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

export type CleanImage = Awaited<ReturnType<typeof encode>>

/**
 * Security: the type comes from the content, and pixels are counted before decoding.
 * @param sidePx px
 */
export async function cleanImage(bytes: Buffer, sidePx: number): Promise<CleanImage> {
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
export async function cleanPicture(bytes: Buffer, widths: readonly number[], jpegWidth: number) {
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
  // `pages: 1` reads the first picture of an animation.
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
    // The file was cut off, or is damaged in a way that only decoding shows.
    throw invalid('image', imageMessages.type, cause)
  }
}
