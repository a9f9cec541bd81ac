import { ImageUp, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { imageTypes, problemOfImage } from '#shared/images.ts'
import { Button } from './button.tsx'
import { FieldError, RequiredMark } from './field.tsx'

interface ImageFieldProps {
  /** The field's name in the form, and the id of its button. */
  name: string
  label: string
  hint: string
  /** One of `imageLimits`, in bytes. */
  maxBytes: number
  required?: boolean
  /** The address of the image in use, while it is kept; null for none. */
  currentUrl: string | null
  /** What was chosen and isn't sent yet. */
  chosen: File | null
  error: string | undefined
  /** A file was chosen that can be sent. */
  onChoose: (image: File) => void
  /** A file was chosen that can't: the sentence. */
  onRefuse: (sentence: string) => void
  /** The chosen or the current image is to go; absent where one must stay. */
  onRemove?: () => void
}

/** Chooses an image by a button or by dropping it, and shows it. */
export function ImageField({
  name,
  label,
  hint,
  maxBytes,
  required,
  currentUrl,
  chosen,
  error,
  onChoose,
  onRefuse,
  onRemove,
}: ImageFieldProps) {
  const picker = useRef<HTMLInputElement>(null)
  const chooser = useRef<HTMLButtonElement>(null)
  const chosenUrl = useObjectUrl(chosen)
  const shownUrl = chosenUrl ?? currentUrl
  const errorId = `${name}-error`

  function take(image: File | undefined) {
    if (!image) return
    const problem = problemOfImage(image, maxBytes)
    if (problem === undefined) onChoose(image)
    else onRefuse(problem)
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is the mouse's shortcut of the button inside
    <div
      className="flex min-w-0 flex-col gap-1.5"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        take(event.dataTransfer.files[0])
      }}
    >
      <span id={`${name}-label`} className="text-sm font-semibold">
        {label}
        {required && <RequiredMark />}
      </span>
      <div className="flex flex-wrap items-center gap-3">
        {shownUrl !== null && (
          <img
            src={shownUrl}
            alt={chosen ? `Chosen: ${chosen.name}` : 'In use'}
            className="h-24 max-w-48 rounded-box border bg-soft object-contain"
          />
        )}
        <input
          ref={picker}
          type="file"
          accept={imageTypes.join()}
          aria-label={label}
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
          id={name}
          variant="outline"
          size="sm"
          aria-describedby={`${name}-label ${error === undefined ? `${name}-hint` : errorId}`}
          icon={<ImageUp aria-hidden="true" className="size-4" />}
          onClick={() => picker.current?.click()}
        >
          {shownUrl === null ? 'Choose an image' : 'Choose another image'}
        </Button>
        {shownUrl !== null && onRemove && (
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
      <p id={`${name}-hint`} className="text-sm text-muted">
        {hint}
      </p>
    </div>
  )
}

/** An address for a file of this browser, as long as it is shown. */
function useObjectUrl(file: File | null): string | null {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (!file) {
      setUrl(null)
      return
    }
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return url
}
