/** Twice as high as it is shown, for sharp screens. In pixels. */
const heightPx = 80

interface LogoOptions {
  /** A picture of ours as PNG. */
  readAsPng: (url: string, heightPx: number) => Promise<Buffer | null>
}

/** The logo for mails, made once: an address of ours shows the same picture for ever. */
export function createMailLogo({ readAsPng }: LogoOptions) {
  let known: { url: string; png: Buffer } | undefined
  return async function readLogo(url: string): Promise<Buffer | null> {
    if (known?.url === url) return known.png
    const png = await readAsPng(url, heightPx)
    if (png) known = { url, png }
    return png
  }
}
