import sharp from 'sharp'

/** Uploads must never be read as SVG (see features/files/image.ts): it is known here for our own drawings only. */
const svgReader = { operation: ['VipsForeignLoadSvgBuffer'] }

/** Makes a PNG file of a drawing. To be called before the port opens. */
export async function drawPng(svg: string): Promise<Buffer> {
  sharp.unblock(svgReader)
  try {
    return await sharp(Buffer.from(svg)).png().toBuffer()
  } finally {
    sharp.block(svgReader)
  }
}
