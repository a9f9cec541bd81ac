/** One file of a picture. */
export interface PictureFile {
  /** Its address tells the content: it never changes and may be kept for ever. */
  url: string
  /** In pixels. */
  width: number
}

/** An uploaded image as it is stored and given out: made anew in a few widths, so that a phone loads little. */
export interface Picture {
  /** Of the largest file, in pixels: they hold the place while it loads. */
  width: number
  height: number
  /** From the smallest to the largest. */
  webp: readonly PictureFile[]
  /** For what knows no WebP, and for link previews. */
  jpeg: PictureFile & { height: number }
}

/** A file to download, as it is stored and given out. */
export interface Attachment {
  url: string
  /** What it is saved as. */
  name: string
  /** The media type that its sender declared. */
  type: string
  /** In bytes. */
  size: number
}
