/** Twice as high as it is shown at most, for sharp screens. In pixels. */
const heightPx = 80
/** What mails show of it at most. In pixels. */
const shown = { width: 120, height: 40 }

/** The logo as mails show it. */
export interface MailLogo {
  png: Buffer
  /** At which size, in its own proportions: mail programs stretch a picture that is told only one of them. */
  width: number
  height: number
}

interface LogoOptions {
  /** A picture of ours as PNG. */
  readAsPng: (url: string, heightPx: number) => Promise<Buffer | null>
}

/** The logo for mails, made once: an address of ours shows the same picture for ever. */
export function createMailLogo({ readAsPng }: LogoOptions) {
  let known: { url: string; logo: MailLogo } | undefined
  return async function readLogo(url: string): Promise<MailLogo | null> {
    if (known?.url === url) return known.logo
    const png = await readAsPng(url, heightPx)
    if (!png) return null
    const logo = { png, ...shownSize(png) }
    known = { url, logo }
    return logo
  }
}

/** How large a PNG is shown: its first chunk begins with its width and its height. */
function shownSize(png: Buffer): Pick<MailLogo, 'width' | 'height'> {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
  const scale = Math.min(shown.width / width, shown.height / height)
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}
