import { clsx } from 'clsx'
import { ImageUp, Trash2 } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { imageMessages, imageTypes, mayBeImage } from '#shared/files/images.ts'
import { prepareImage } from '#web/lib/prepare-image.ts'
import { Button, type IconType, SmallButton } from './button.tsx'
import { FieldErrorText, RequiredMark } from './field.tsx'

interface FileFieldProps {
  name: string
  label: string
  hint?: string
  required?: boolean
  error?: string | undefined
  note?: string
  /** While what was taken is sent, nothing else is taken. */
  isBusy?: boolean
  accept?: string
  choose: string
  icon: IconType
  preview: ReactNode
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
  isBusy = false,
  accept,
  choose,
  icon,
  preview,
  onTake,
  onRemove,
}: FileFieldProps) {
  const picker = useRef<HTMLInputElement>(null)
  const chooser = useRef<HTMLButtonElement>(null)
  const errorId = `${name}-error`

  function takeFirst(files: FileList | null) {
    const [file] = files ?? []
    if (file && !isBusy) onTake(file)
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
        {preview}
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
        <SmallButton
          ref={chooser}
          id={name}
          aria-describedby={clsx(`${name}-label`, error === undefined ? hint && `${name}-hint` : errorId)}
          icon={icon}
          // Not disabled: the button would lose the focus.
          aria-disabled={isBusy}
          onClick={() => isBusy || picker.current?.click()}
        >
          {choose}
        </SmallButton>
        {preview !== null && onRemove && (
          <Button
            variant="ghost"
            size="sm"
            aria-label={`Remove the ${label.toLowerCase()}`}
            icon={Trash2}
            aria-disabled={isBusy}
            onClick={() => {
              if (isBusy) return
              // This button goes, and the focus with it.
              chooser.current?.focus()
              onRemove()
            }}
          >
            Remove
          </Button>
        )}
      </div>
      {/* It may come long after the press, while the focus is elsewhere. */}
      <div role="alert" className="empty:hidden">
        {error !== undefined && <FieldErrorText id={errorId}>{error}</FieldErrorText>}
      </div>
      <div className="text-sm">
        <p role="status" className="font-medium">
          {note}
        </p>
        {hint && (
          <p id={`${name}-hint`} className="text-muted">
            {hint}
          </p>
        )}
      </div>
    </div>
  )
}

interface ImageForm {
  /** The address of a stored picture; '' for none. */
  values: { image: File | string }
  errorOf: (name: 'image') => string | undefined
  set: (name: 'image', value: File | string) => void
  refuse: (name: 'image', sentence: string) => void
  hold: (name: 'image', sentence: string | null) => void
}

interface ImageFieldProps {
  form: ImageForm
  label: string
  hint: string
  maxBytes: number
  required?: boolean
  storedUrl: string | null | undefined
  /** False: only a choice can be removed, not the stored picture. */
  mayBeEmpty?: boolean
}

/** Scales down a picture that is too large. Nothing is sent while one is prepared, or refused and not removed. */
export function ImageField({ form, maxBytes, storedUrl, mayBeEmpty = true, ...field }: ImageFieldProps) {
  const { image } = form.values
  const chosen = image instanceof File ? image : null
  const chosenUrl = useObjectUrl(chosen)
  const shownUrl = image instanceof File ? chosenUrl : image || null
  const [taken, setTaken] = useState<File | null>(null)
  const [refused, setRefused] = useState<File | null>(null)
  const [ready, setReady] = useState<{ image: File; note: string } | null>(null)
  const isRefused = taken !== null && refused === taken
  const unchoose = () => form.set('image', storedUrl ?? '')

  const hold = useEffectEvent((sentence: string | null) => form.hold('image', sentence))
  const finish = useEffectEvent((file: File, prepared: Awaited<ReturnType<typeof prepareImage>>) => {
    if ('problem' in prepared) {
      if (chosen) unchoose()
      setRefused(file)
      form.hold('image', prepared.problem)
      return form.refuse('image', prepared.problem)
    }
    setTaken(null)
    setReady(prepared)
    if (prepared.image !== chosen) form.set('image', prepared.image)
  })
  useEffect(() => {
    if (!taken) return
    let isWanted = true
    if (taken.size > maxBytes) hold(imageMessages.wait)
    void prepareImage(taken, maxBytes).then((prepared) => isWanted && finish(taken, prepared))
    return () => {
      isWanted = false
      hold(null)
    }
  }, [taken, maxBytes])

  function take(file: File) {
    // What can be sent as it is may be sent at once.
    if (file.size <= maxBytes && mayBeImage(file.type)) form.set('image', file)
    setTaken(file)
  }

  function remove() {
    setTaken(null)
    if (chosen || isRefused) unchoose()
    else form.set('image', '')
  }

  function noteOf() {
    if (isRefused) return imageMessages.refused
    if (taken && taken.size > maxBytes) return imageMessages.makingSmaller
    return ready && ready.image === chosen ? ready.note : ''
  }

  return (
    <FileField
      {...field}
      name="image"
      error={form.errorOf('image')}
      accept={imageTypes.join()}
      choose={shownUrl === null ? 'Choose an image' : 'Choose another image'}
      icon={ImageUp}
      preview={
        isRefused ? (
          <p className="text-sm font-semibold wrap-anywhere">{taken.name}</p>
        ) : (
          shownUrl && <Preview url={shownUrl} chosen={chosen} />
        )
      }
      note={noteOf()}
      onTake={take}
      onRemove={mayBeEmpty || chosen || isRefused ? remove : undefined}
    />
  )
}

function Preview({ url, chosen }: { url: string; chosen: File | null }) {
  return (
    <img
      src={url}
      alt={chosen ? `Chosen: ${chosen.name}` : 'In use'}
      className="h-24 max-w-48 rounded-box border bg-soft object-contain"
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
