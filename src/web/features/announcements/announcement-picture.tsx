import type { Picture as PictureData } from '#shared/picture.ts'
import { Picture } from '#web/components/picture.tsx'

interface AnnouncementPictureProps {
  image: PictureData | null
  title: string
  sizes: string
  isFirst?: boolean
}

/** The picture of an opened announcement, all of it. */
export function AnnouncementPicture({ image, title, sizes, isFirst = false }: AnnouncementPictureProps) {
  if (!image) return null
  return (
    <div className="grid justify-items-center overflow-hidden rounded-box bg-soft">
      <Picture
        picture={image}
        alt={`Picture of the announcement “${title}”`}
        sizes={sizes}
        isFirst={isFirst}
        className="h-auto max-h-[60dvh] w-auto max-w-full object-contain"
      />
    </div>
  )
}
