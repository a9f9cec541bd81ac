import type { Picture as PictureData } from '#shared/files/picture.ts'

interface PictureProps {
  picture: PictureData
  alt: string
  sizes: string
  className?: string
  isFirst?: boolean
}

/** Width and height reserve its space. */
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
