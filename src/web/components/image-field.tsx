import { ImageUp } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { imageMessages, imageTypes, mayBeImage } from '#shared/images.ts'
import { prepareImage } from '#web/lib/prepare-image.ts'
import { FileField } from './file-field.tsx'

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
  /** A chosen file is being made ready: the sentence for who wants to save meanwhile; null when that is over. */
  onHold: (sentence: string | null) => void
  /** The chosen or the current image is to go; absent where one must stay. */
  onRemove?: () => void
}

/** Chooses an image, and shows it. One that is too large is made smaller. */
export function ImageField(props: ImageFieldProps) {
  const { maxBytes, currentUrl, chosen, onChoose, onRefuse, onHold, onRemove, ...field } = props
  const chosenUrl = useObjectUrl(chosen)
  const shownUrl = chosenUrl ?? currentUrl
  /** Being made ready. */
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
      icon={<ImageUp aria-hidden="true" className="size-4" />}
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
