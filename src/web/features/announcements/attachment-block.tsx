import { Download, FileText } from 'lucide-react'
import { sizeText } from '#web/lib/size-text.ts'
import type { AnnouncementCard } from './announcement-card.ts'
import { attachmentTypeText } from './attachment-type.ts'

type Attached = Pick<
  AnnouncementCard,
  'attachmentUrl' | 'attachmentName' | 'attachmentType' | 'attachmentSize'
>

/** The file of an announcement: its name, type and size, and the way to save it (spec §2). */
export function AttachmentBlock({ attachmentUrl, attachmentName, attachmentType, attachmentSize }: Attached) {
  if (attachmentUrl === null) return null
  const name = attachmentName ?? 'Attachment'
  const type = attachmentTypeText(attachmentType)
  return (
    <section
      aria-label="Attachment"
      className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-box border bg-soft px-4 py-3"
    >
      <FileText aria-hidden="true" className="size-7 shrink-0 text-primary" strokeWidth={1.75} />
      <p className="min-w-40 flex-1">
        <span className="block font-semibold wrap-anywhere">{name}</span>
        <span className="block text-sm wrap-anywhere text-muted">
          {attachmentSize === null ? type : `${type} · ${sizeText(attachmentSize)}`}
        </span>
      </p>
      {/* A document of its own, not a page of the product. */}
      <a
        href={attachmentUrl}
        download={name}
        aria-label={`Download ${name}`}
        className="inline-flex min-h-11 items-center gap-2 rounded-box border border-edge bg-card px-4 font-semibold hover:bg-line"
      >
        <Download aria-hidden="true" className="size-4" />
        Download
      </a>
    </section>
  )
}
