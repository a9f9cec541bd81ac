import { useState } from 'react'
import { type Slide, slideSentences } from '#shared/slideshow/slides.ts'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { Modal } from '#web/components/modal.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import { newSlide } from './data.ts'
import { SlideForm } from './slide-form.tsx'

interface SlideEditorProps {
  opened: string | null
  slides: readonly Slide[] | null
  onUnsaved: (isUnsaved: boolean) => void
  onStale: () => void
  onClose: () => void
}

export function SlideEditor({ opened, slides, onClose, ...rest }: SlideEditorProps) {
  const { form, slide, turn } = useHeldSlide(opened, slides)
  // The form knows what its buttons can do; they stand in the modal's foot.
  const [foot, setFoot] = useState<HTMLElement | null>(null)
  const now = slides?.find(({ id }) => id === form) ?? null
  return (
    <Modal
      open={opened !== null}
      onClose={onClose}
      title={form === newSlide ? 'Add Slide' : 'Edit Slide'}
      footer={<div ref={setFoot} className="contents" />}
    >
      {form === newSlide || slide ? (
        <SlideForm key={turn} opened={slide} now={now} foot={foot} onClose={onClose} {...rest} />
      ) : slides ? (
        <ErrorBanner message={slideSentences.missing} />
      ) : (
        <Skeleton className="h-72 w-full" />
      )}
    </Modal>
  )
}

interface Held {
  opened: string | null
  form: string | null
  slide: Slide | null
  turn: number
}

/** A later version is handled while it is edited. */
function useHeldSlide(opened: string | null, slides: readonly Slide[] | null): Held {
  const slide = slides?.find(({ id }) => id === opened) ?? null
  const [held, setHeld] = useState<Held>({ opened, form: opened, slide, turn: 0 })
  if (opened !== held.opened) {
    setHeld(opened === null ? { ...held, opened } : { opened, form: opened, slide, turn: held.turn + 1 })
  } else if (opened !== null && !held.slide && slide) setHeld({ ...held, slide })
  return held
}
