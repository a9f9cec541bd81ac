import sharp, { type Metadata } from 'sharp'
import { AppError } from '#server/errors.ts'
import { imageMessages, maxImagePixels } from '#shared/images.ts'

// libvips can read much more than the four formats on offer: SVG that loads other files, PDF, whatever a library
// of the machine adds. It is told to know nothing else.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: [
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadNsgifBuffer',
    'VipsForeignLoadWebpBuffer',
  ],
})
// A rare upload must not keep memory for the next one.
sharp.cache(false)

const formats: readonly string[] = ['jpeg', 'png', 'gif', 'webp']

/** An image made anew: its pixels and nothing else that its file held. */
export interface CleanImage {
  bytes: Buffer
  mediaType: 'image/webp'
  width: number
  height: number
}

/**
 * Decodes an image and encodes it anew within a square. What a file is, its content tells and not its name or
 * declared type; the pixels are counted before they are decoded.
 *
 * @param sidePx the longest side of the result
 * @throws AppError `invalid` with the sentence for the person
 */
export async function cleanImage(bytes: Buffer, sidePx: number): Promise<CleanImage> {
  const { format, width, height } = await readHead(bytes)
  if (format === undefined || !formats.includes(format)) throw refusal(imageMessages.type)
  if (width * height > maxImagePixels) throw refusal(imageMessages.tooManyPixels)
  try {
    const { data, info } = await open(bytes)
      .autoOrient()
      .resize({ width: sidePx, height: sidePx, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 90, alphaQuality: 100 })
      .toBuffer({ resolveWithObject: true })
    return { bytes: data, mediaType: 'image/webp', width: info.width, height: info.height }
  } catch (cause) {
    // Cut off, or damaged in a way that only decoding shows.
    throw refusal(imageMessages.type, cause)
  }
}

async function readHead(bytes: Buffer): Promise<Metadata> {
  try {
    return await open(bytes).metadata()
  } catch (cause) {
    const isTooMany = cause instanceof Error && cause.message.includes('pixel limit')
    throw refusal(isTooMany ? imageMessages.tooManyPixels : imageMessages.type, cause)
  }
}

function open(bytes: Buffer) {
  // Of an animation, the first picture.
  return sharp(bytes, { limitInputPixels: maxImagePixels, failOn: 'error', pages: 1 })
}

function refusal(message: string, cause?: unknown): AppError {
  return new AppError('invalid', { detail: message, errors: [{ path: 'image', message }], cause })
}
