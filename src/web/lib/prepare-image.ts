import { imageMessages, imageTypes, mayBeImage } from '#shared/files/images.ts'
import { sizeText } from './number-texts.ts'

// The longest sides in pixels, tried in this order. iPhones paint no larger square than the first.
const sides = [4_096, 2_560, 1_600, 1_024]
const quality = 0.85

interface ReadyImage {
  image: File
  note: string
}

/**
 * Scales a picture down that exceeds the limit; the server checks the content. @param maxBytes one of `imageLimits`
 */
export async function prepareImage(file: File, maxBytes: number): Promise<ReadyImage | { problem: string }> {
  if (!mayBeImage(file.type)) return { problem: imageMessages.type }
  const isAnimated = await isAnimatedGif(file)
  if (file.size <= maxBytes) {
    const note = isAnimated ? imageMessages.still : ''
    return (await isReadable(file)) ? { image: file, note } : { problem: imageMessages.type }
  }
  const smaller = isAnimated ? null : await makeSmaller(file, maxBytes)
  return smaller
    ? { image: smaller, note: imageMessages.madeSmaller(sizeText(file.size), sizeText(smaller.size)) }
    : { problem: imageMessages.tooLarge(maxBytes) }
}

async function isReadable(file: File): Promise<boolean> {
  try {
    const bitmap = await createImageBitmap(file)
    bitmap.close()
    return true
  } catch {
    return false
  }
}

// Null when the browser can't.
async function makeSmaller(file: File, maxBytes: number): Promise<File | null> {
  let bitmap: ImageBitmap | undefined
  try {
    // Upright, as its EXIF data say: what is painted has none.
    bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' })
    const longest = Math.max(bitmap.width, bitmap.height)
    for (const side of sides) {
      const blob = await paint(bitmap, Math.min(1, side / longest), file.type)
      const type = imageTypes.find((known) => known === blob?.type)
      if (!blob || !type || blob.size > maxBytes) continue
      const name = `${file.name.replace(/\.[^.]*$/, '')}.${type.replace('image/', '')}`
      return new File([blob], name, { type })
    }
  } catch {
    // No picture that it can read, or too little memory.
  } finally {
    bitmap?.close()
  }
  return null
}

async function paint(bitmap: ImageBitmap, scale: number, type: string): Promise<Blob | null> {
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(bitmap.width * scale))
  canvas.height = Math.max(1, Math.round(bitmap.height * scale))
  const brush = canvas.getContext('2d')
  if (!brush) return null
  brush.imageSmoothingQuality = 'high'
  brush.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  // Only photos are known to have no transparency. A browser that writes no WebP writes a PNG.
  const target = type === 'image/jpeg' ? type : 'image/webp'
  return await new Promise((resolve) => canvas.toBlob(resolve, target, quality))
}

/** More than one picture by its blocks (GIF89a, appendix A). */
export async function isAnimatedGif(file: Blob): Promise<boolean> {
  if ((await file.slice(0, 4).text()) !== 'GIF8') return false
  const bytes = new Uint8Array(await file.arrayBuffer())
  const colours = (flags = 0) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)
  let at = 13 + colours(bytes[10])
  for (let pictures = 0; at < bytes.length; ) {
    const block = bytes[at]
    if (block === 0x2c) {
      pictures += 1
      if (pictures > 1) return true
      // Its head, its own colours, and how many bits its codes begin with.
      at += 10 + colours(bytes[at + 9]) + 1
    } else if (block === 0x21) {
      at += 2
    } else {
      return false
    }
    for (let length = bytes[at]; length; length = bytes[at]) at += 1 + length
    at += 1
  }
  return false
}
