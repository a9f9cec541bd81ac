import { FileText, Paperclip, Trash2 } from 'lucide-react'
import { type DragEvent, useRef } from 'react'
import { attachmentLimit, attachmentMessages } from '#shared/images.ts'
import { Button } from '#web/components/button.tsx'
import { FieldError } from '#web/components/field.tsx'
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

/** Chooses a file of any type, by a button or by dropping it. */
export function AttachmentField({
  current,
  chosen,
  error,
  onChoose,
  onRefuse,
  onRemove,
}: AttachmentFieldProps) {
  const picker = useRef<HTMLInputElement>(null)
  const chooser = useRef<HTMLButtonElement>(null)
  const shown = chosen ?? current

  function take(file: File | undefined) {
    if (!file) return
    if (file.size < attachmentLimit) onChoose(file)
    else onRefuse(attachmentMessages.tooLarge)
  }

  function drop(event: DragEvent) {
    event.preventDefault()
    take(event.dataTransfer.files[0])
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is the mouse's shortcut of the button inside
    <div
      className="flex min-w-0 flex-col gap-1.5"
      onDragOver={(event) => event.preventDefault()}
      onDrop={drop}
    >
      <span id="attachment-label" className="text-sm font-semibold">
        Attachment
      </span>
      {shown && (
        <p className="flex items-center gap-2 rounded-box border bg-soft px-3 py-2 text-sm">
          <FileText aria-hidden="true" className="size-5 shrink-0 text-primary" />
          <span className="min-w-0 flex-1">
            <span className="block font-semibold wrap-anywhere">{shown.name}</span>
            <span className="text-muted">
              {[chosen ? 'Chosen' : 'In use', shown.size === null ? null : sizeText(shown.size)]
                .filter((part) => part !== null)
                .join(' · ')}
            </span>
          </span>
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <input
          ref={picker}
          type="file"
          aria-label="Attachment"
          tabIndex={-1}
          className="sr-only"
          onChange={({ target }) => {
            take(target.files?.[0])
            // The same file may be chosen again after it was changed.
            target.value = ''
          }}
        />
        <Button
          ref={chooser}
          id="attachment"
          variant="outline"
          size="sm"
          aria-describedby={`attachment-label ${error === undefined ? 'attachment-hint' : 'attachment-error'}`}
          icon={<Paperclip aria-hidden="true" className="size-4" />}
          onClick={() => picker.current?.click()}
        >
          {shown ? 'Choose another file' : 'Choose a file'}
        </Button>
        {shown && (
          <Button
            variant="ghost"
            size="sm"
            aria-label="Remove the attachment"
            icon={<Trash2 aria-hidden="true" className="size-4" />}
            onClick={() => {
              // This button goes, and the focus with it.
              chooser.current?.focus()
              onRemove()
            }}
          >
            Remove
          </Button>
        )}
      </div>
      {error !== undefined && <FieldError id="attachment-error">{error}</FieldError>}
      <p id="attachment-hint" className="text-sm text-muted">
        Any type of file, smaller than 10 MB.
      </p>
    </div>
  )
}
