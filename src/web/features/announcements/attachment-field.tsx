import { FileText, Paperclip } from 'lucide-react'
import { attachmentLimit, attachmentMessages } from '#shared/images.ts'
import { FileField } from '#web/components/file-field.tsx'
import { sizeText } from '#web/lib/size-text.ts'

/** A file as it is shown: one of this device, or the one in use. */
interface ShownFile {
  name: string
  size: number | null
}

interface AttachmentFieldProps {
  /** The one in use, while it is kept. */
  current: ShownFile | null
  /** What was chosen and isn't sent yet. */
  chosen: File | null
  error: string | undefined
  onChoose: (file: File) => void
  onRefuse: (sentence: string) => void
  onRemove: () => void
}

/** Chooses a file of any type, and says which. */
export function AttachmentField({
  current,
  chosen,
  error,
  onChoose,
  onRefuse,
  onRemove,
}: AttachmentFieldProps) {
  const shown = chosen ?? current

  function take(file: File) {
    if (file.size < attachmentLimit) onChoose(file)
    else onRefuse(attachmentMessages.tooLarge)
  }

  return (
    <FileField
      name="attachment"
      label="Attachment"
      hint="Any type of file, smaller than 10 MB."
      error={error}
      choose={shown ? 'Choose another file' : 'Choose a file'}
      icon={<Paperclip aria-hidden="true" className="size-4" />}
      shown={shown && <ChosenFile file={shown} state={chosen ? 'Chosen' : 'In use'} />}
      onTake={take}
      onRemove={onRemove}
    />
  )
}

function ChosenFile({ file, state }: { file: ShownFile; state: string }) {
  const { name, size } = file
  return (
    <p className="flex w-full items-center gap-2 rounded-box border bg-soft px-3 py-2 text-sm">
      <FileText aria-hidden="true" className="size-5 shrink-0 text-primary" />
      <span className="min-w-0 flex-1">
        <span className="block font-semibold wrap-anywhere">{name}</span>
        <span className="text-muted">{size === null ? state : `${state} · ${sizeText(size)}`}</span>
      </span>
    </p>
  )
}
