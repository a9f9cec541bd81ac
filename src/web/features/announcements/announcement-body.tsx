import { Download, FileText } from 'lucide-react'
import type { Picture as PictureData } from '#shared/files/picture.ts'
import { Picture } from '#web/components/picture.tsx'
import { sizeText } from '#web/lib/number-texts.ts'
import { useTranslation } from '#web/lib/translation.tsx'
import type { AnnouncementCard } from './announcement-facts.tsx'

// The server's HTML has no classes.
const contentClass = [
  'flex flex-col gap-3 wrap-anywhere',
  '[&_a]:font-medium [&_a]:text-primary [&_a]:underline [&_a]:underline-offset-4',
  '[&_ul]:list-disc [&_ul]:pl-6 [&_ol]:list-decimal [&_ol]:pl-6 [&_li]:mt-1',
].join(' ')

export function AnnouncementText({ html }: { html: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: rendered and sanitised by the server, see contentHtml
  return <div dir="auto" className={contentClass} dangerouslySetInnerHTML={{ __html: html }} />
}

type Attached = Pick<
  AnnouncementCard,
  'attachmentUrl' | 'attachmentName' | 'attachmentType' | 'attachmentSize'
>

export function AttachmentBlock({ attachmentUrl, attachmentName, attachmentType, attachmentSize }: Attached) {
  const t = useTranslation()
  if (attachmentUrl === null) return null
  const name = attachmentName ?? 'Attachment'
  const type = t(attachmentTypeText(attachmentType))
  return (
    <section
      aria-label={t('Attachment')}
      className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-box border bg-soft px-4 py-3"
    >
      <FileText className="size-7 shrink-0 text-primary" strokeWidth={1.75} />
      <p className="min-w-[min(10rem,100%)] flex-1">
        <span className="block font-semibold wrap-anywhere">{name}</span>
        <span className="block text-sm wrap-anywhere text-muted">
          {attachmentSize === null ? type : `${type} · ${sizeText(attachmentSize)}`}
        </span>
      </p>
      {/* A document of its own, not a page of the product. */}
      <a
        href={attachmentUrl}
        download={name}
        aria-label={t(`Download ${name}`)}
        className="inline-flex min-h-11 items-center gap-2 rounded-box border border-edge bg-card px-4 font-semibold hover:bg-line"
      >
        <Download className="size-4" />
        {t('Download')}
      </a>
    </section>
  )
}

const words: readonly (readonly [pattern: RegExp, word: string])[] = [
  [/^application\/pdf$/, 'PDF document'],
  [/wordprocessingml|msword|opendocument\.text/, 'Text document'],
  [/spreadsheet|ms-excel|^text\/csv$/, 'Spreadsheet'],
  [/presentation|ms-powerpoint/, 'Presentation'],
  [/^application\/(x-)?(zip|7z|rar|gzip|tar)/, 'Archive'],
  [/^image\//, 'Image'],
  [/^audio\//, 'Audio'],
  [/^video\//, 'Video'],
  [/^text\//, 'Text'],
]

/** 'PDF document'. Unknown types are returned unchanged. */
export function attachmentTypeText(type: string | null): string {
  if (type === null || type === '' || type === 'application/octet-stream') return 'File'
  return words.find(([pattern]) => pattern.test(type))?.[1] ?? type
}

interface AnnouncementPictureProps {
  image: PictureData | null
  title: string
  sizes: string
  isFirst?: boolean
}

export function AnnouncementPicture({ image, title, sizes, isFirst = false }: AnnouncementPictureProps) {
  const t = useTranslation()
  if (!image) return null
  return (
    <div className="grid justify-items-center overflow-hidden rounded-box bg-soft">
      <Picture
        picture={image}
        alt={t(`Image of the announcement “${title}”`)}
        sizes={sizes}
        isFirst={isFirst}
        className="h-auto max-h-[60dvh] w-auto max-w-full object-contain"
      />
    </div>
  )
}
