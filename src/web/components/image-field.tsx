import { ImageUp } from 'lucide-react'
import { useEffect, useState } from 'react'
import { imageTypes, problemOfImage } from '#shared/images.ts'
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
  /** The chosen or the current image is to go; absent where one must stay. */
  onRemove?: () => void
}

/** Chooses an image, and shows it. */
export function ImageField({ maxBytes, currentUrl, chosen, onChoose, onRefuse, ...field }: ImageFieldProps) {
  const chosenUrl = useObjectUrl(chosen)
  const shownUrl = chosenUrl ?? currentUrl

  function take(image: File) {
    const problem = problemOfImage(image, maxBytes)
    if (problem === undefined) onChoose(image)
    else onRefuse(problem)
  }

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
      onTake={take}
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
