// px: twice the displayed height, for sharp screens.
const heightPx = 80
const maxSize = { width: 120, height: 40 }

export interface MailLogo {
  png: Buffer
  // Mail programs distort a picture with only one side given.
  width: number
  height: number
}

interface LogoOptions {
  readAsPng: (url: string, heightPx: number) => Promise<Buffer | null>
}

export function createMailLogo({ readAsPng }: LogoOptions) {
  let cached: { url: string; logo: MailLogo } | undefined
  return async function readLogo(url: string): Promise<MailLogo | null> {
    if (cached?.url === url) return cached.logo
    const png = await readAsPng(url, heightPx)
    if (!png) return null
    const logo = { png, ...fitSize(png) }
    cached = { url, logo }
    return logo
  }
}

function fitSize(png: Buffer): Pick<MailLogo, 'width' | 'height'> {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
  const scale = Math.min(maxSize.width / width, maxSize.height / height)
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}
