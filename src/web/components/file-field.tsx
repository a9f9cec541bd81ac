import { ImageUp, Trash2 } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { imageMessages, imageTypes, mayBeImage } from '#shared/files/images.ts'
import { prepareImage } from '#web/lib/prepare-image.ts'
import { Button, type IconType } from './button.tsx'
import { FieldErrorText, RequiredMark } from './field.tsx'

interface FileFieldProps {
  name: string
  label: string
  hint: string
  required?: boolean
  error: string | undefined
  note?: string
  accept?: string
  choose: string
  icon: IconType
  shown: ReactNode
  onTake: (file: File) => void
  onRemove?: (() => void) | undefined
}

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
            icon={Trash2}
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
      {error !== undefined && <FieldErrorText id={errorId}>{error}</FieldErrorText>}
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

interface ImageFieldProps {
  name: string
  label: string
  hint: string
  /** In bytes. */
  maxBytes: number
  required?: boolean
  currentUrl: string | null
  chosen: File | null
  error: string | undefined
  onChoose: (image: File) => void
  onRefuse: (sentence: string) => void
  /** While a file is being prepared: the sentence that blocks saving; then null. */
  onHold: (sentence: string | null) => void
  onRemove?: () => void
}

/** Scales down a picture that is too large. */
export function ImageField(props: ImageFieldProps) {
  const { maxBytes, currentUrl, chosen, onChoose, onRefuse, onHold, onRemove, ...field } = props
  const chosenUrl = useObjectUrl(chosen)
  const shownUrl = chosenUrl ?? currentUrl
  const [taken, setTaken] = useState<File | null>(null)
  const [ready, setReady] = useState<{ image: File; note: string } | null>(null)

  const hold = useEffectEvent(onHold)
  const finish = useEffectEvent((prepared: Awaited<ReturnType<typeof prepareImage>>) => {
    setTaken(null)
    if ('problem' in prepared) return onRefuse(prepared.problem)
    setReady(prepared)
    if (prepared.image !== chosen) onChoose(prepared.image)
  })
  useEffect(() => {
    if (!taken) return
    let isWanted = true
    if (taken.size > maxBytes) hold(imageMessages.wait)
    void prepareImage(taken, maxBytes).then((prepared) => isWanted && finish(prepared))
    return () => {
      isWanted = false
      hold(null)
    }
  }, [taken, maxBytes])

  function take(image: File) {
    // What can be sent as it is may be sent at once.
    if (image.size <= maxBytes && mayBeImage(image.type)) onChoose(image)
    setTaken(image)
  }

  const isShrinking = taken !== null && taken.size > maxBytes
  const chosenNote = ready !== null && ready.image === chosen ? ready.note : ''

  return (
    <FileField
      {...field}
      accept={imageTypes.join()}
      choose={shownUrl === null ? 'Choose an image' : 'Choose another image'}
      icon={ImageUp}
      shown={
        shownUrl === null ? null : (
          <img
            src={shownUrl}
            alt={chosen ? `Chosen: ${chosen.name}` : 'In use'}
            className="h-24 max-w-48 rounded-box border bg-soft object-contain"
          />
        )
      }
      note={isShrinking ? imageMessages.makingSmaller : chosenNote}
      onTake={take}
      onRemove={
        onRemove &&
        (() => {
          setTaken(null)
          onRemove()
        })
      }
    />
  )
}

/** Revoked on change and unmount. */
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
