import type { Picture as PictureData } from '#shared/files/picture.ts'

interface PictureProps {
  picture: PictureData
  /** What it shows; '' for a picture that only decorates. */
  alt: string
  /** How wide it is on the screen, as of an `img`: '(min-width: 640px) 320px, 100vw'. */
  sizes: string
  className?: string
  /** Of the one picture that is seen first: fetched at once and before others. */
  isFirst?: boolean
}

/** An uploaded image in the width that the screen needs. Its own width and height hold its place. */
export function Picture({ picture, alt, sizes, className, isFirst = false }: PictureProps) {
  const { width, height, webp, jpeg } = picture
  return (
    <picture className="contents">
      <source
        type="image/webp"
        srcSet={webp.map((file) => `${file.url} ${file.width}w`).join(', ')}
        sizes={sizes}
      />
      <img
        src={jpeg.url}
        alt={alt}
        width={width}
        height={height}
        className={className}
        loading={isFirst ? 'eager' : 'lazy'}
        fetchPriority={isFirst ? 'high' : 'auto'}
        decoding="async"
      />
    </picture>
  )
}
