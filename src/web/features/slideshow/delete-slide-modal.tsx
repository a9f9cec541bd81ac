import type { Slide } from '#shared/slides.ts'
import { DeleteModal } from '#web/components/delete-modal.tsx'
import { slideName } from './slide-texts.ts'

interface DeleteSlideModalProps {
  /** Which one is asked about, null for none. */
  slide: Slide | null
  isBusy: boolean
  /** What gets the focus when it closes; see `Modal`. */
  focusBack: () => HTMLElement | true
  onDelete: (slide: Slide) => void
  onClose: () => void
}

/** Asks before a slide is deleted. */
export function DeleteSlideModal({ slide, ...modal }: DeleteSlideModalProps) {
  return (
    <DeleteModal {...modal} title="Delete Slide" thing={slide}>
      {(asked) => (
        <>
          <p className="wrap-anywhere">
            Are you sure you want to delete {asked.title === '' ? slideName(asked) : `“${asked.title}”`}? Its
            picture and texts are deleted for good. This action cannot be undone.
          </p>
          <img
            src={asked.image.webp[0]?.url ?? asked.imageUrl}
            alt=""
            width={asked.image.width}
            height={asked.image.height}
            className="mt-4 max-h-40 w-full rounded-box bg-pine-deep object-contain"
          />
        </>
      )}
    </DeleteModal>
  )
}
