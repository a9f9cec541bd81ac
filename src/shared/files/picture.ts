export interface PictureFile {
  url: string
  width: number
}

export interface Picture {
  width: number
  height: number
  webp: readonly PictureFile[]
  jpeg: PictureFile & { height: number }
}

export interface Attachment {
  url: string
  name: string
  type: string
  // bytes
  size: number
}
