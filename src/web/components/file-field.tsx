import { Trash2 } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { Button } from './button.tsx'
import { FieldError, RequiredMark } from './field.tsx'

interface FileFieldProps {
  /** The field's name in the form, and the id of its button. */
  name: string
  label: string
  hint: string
  required?: boolean
  error: string | undefined
  /** What is to be known of the chosen file; read out when it comes. */
  note?: string
  /** Media types for the browser's picker; all of them when absent. */
  accept?: string
  /** The words on the button, and its picture. */
  choose: string
  icon: ReactNode
  /** The file that is chosen or in use; null for none. */
  shown: ReactNode
  /** A file was chosen, which may not be one that can be taken. */
  onTake: (file: File) => void
  /** What is shown is to go; absent where one must stay. */
  onRemove?: (() => void) | undefined
}

/** Chooses a file by a button or by dropping it. */
export function FileField({
  name,
  label,
  hint,
  required,
  error,
  note = '',
  accept,
  choose,
  icon,
  shown,
  onTake,
  onRemove,
}: FileFieldProps) {
  const picker = useRef<HTMLInputElement>(null)
  const chooser = useRef<HTMLButtonElement>(null)
  const errorId = `${name}-error`

  function takeFirst(files: FileList | null) {
    const [file] = files ?? []
    if (file) onTake(file)
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is the mouse's shortcut of the button inside
    <div
      className="flex min-w-0 flex-col gap-1.5"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        takeFirst(event.dataTransfer.files)
      }}
    >
      <span id={`${name}-label`} className="text-sm font-semibold">
        {label}
        {required && <RequiredMark />}
      </span>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        {shown}
        <input
          ref={picker}
          type="file"
          accept={accept}
          aria-label={label}
          tabIndex={-1}
          className="sr-only"
          onChange={({ target }) => {
            takeFirst(target.files)
            // The same file may be chosen again after it was changed.
            target.value = ''
          }}
        />
        <Button
          ref={chooser}
          id={name}
          variant="outline"
          size="sm"
          aria-describedby={`${name}-label ${error === undefined ? `${name}-hint` : errorId}`}
          icon={icon}
          onClick={() => picker.current?.click()}
        >
          {choose}
        </Button>
        {shown !== null && onRemove && (
          <Button
            variant="ghost"
            size="sm"
            aria-label={`Remove the ${label.toLowerCase()}`}
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
      {error !== undefined && <FieldError id={errorId}>{error}</FieldError>}
      <div className="text-sm">
        <p role="status" className="font-medium">
          {note}
        </p>
        <p id={`${name}-hint`} className="text-muted">
          {hint}
        </p>
      </div>
    </div>
  )
}
