import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'

type Format = 'jpeg' | 'png' | 'gif' | 'webp' | 'tiff' | 'avif'

export async function buildImage(format: Format, { width = 640, height = 480 } = {}): Promise<Buffer> {
  return await noise(width, height)
    .toFormat(format, quick[format] ?? {})
    .toBuffer()
}

// Two formats search long for the smallest file, which no test needs.
const quick: Partial<Record<Format, { effort: number; colours?: number }>> = {
  gif: { effort: 1, colours: 4 },
  avif: { effort: 0 },
}

/** A photo as of a phone: rotated by its EXIF data, with a location. */
export async function buildPhoto(): Promise<Buffer> {
  return await noise(300, 200)
    .jpeg()
    .withExif({ IFD0: { Orientation: '6', Copyright: 'Maria Peña' }, IFD3: { GPSLatitudeRef: 'N' } })
    .withMetadata({ orientation: 6 })
    .toBuffer()
}

function noise(width: number, height: number) {
  return sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#17573f',
      noise: { type: 'gaussian', mean: 128, sigma: 30 },
    },
  })
}

/** A PNG of 109 kB that really has 30,000 × 30,000 pixels: 900 MB decoded. */
export function buildDecompressionBomb(
  side = 30_000,
  { bitDepth = 1, colourType = 0, interlace = 0 } = {},
): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(side, 0)
  head.writeUInt32BE(side, 4)
  head[8] = bitDepth
  head[9] = colourType
  head[12] = interlace
  const rows = deflateSync(Buffer.alloc(side * (side / 8 + 1)), { level: 9 })
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10])
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))])
}

function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(crc32(typed))
  return Buffer.concat([length, typed, checksum])
}
