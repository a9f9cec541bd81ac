import { useState } from 'react'
import type { Slide } from '#shared/slides.ts'
import { Button } from '#web/components/button.tsx'
import { Modal } from '#web/components/modal.tsx'
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
export function DeleteSlideModal({ slide, isBusy, focusBack, onDelete, onClose }: DeleteSlideModalProps) {
  // While the modal fades out it still names what it named.
  const [last, setLast] = useState(slide)
  if (slide && slide !== last) setLast(slide)
  if (!last) return null
  return (
    <Modal
      open={slide !== null}
      onClose={() => !isBusy && onClose()}
      title="Delete Slide"
      size="sm"
      focusBack={focusBack}
      footer={
        <>
          <Button variant="outline" size="sm" disabled={isBusy} onClick={onClose}>
            Cancel
          </Button>
          <Button variant="danger" size="sm" disabled={isBusy} onClick={() => onDelete(last)}>
            {isBusy ? 'Deleting…' : 'Delete'}
          </Button>
        </>
      }
    >
      <p className="wrap-anywhere">
        Are you sure you want to delete {last.title === '' ? slideName(last) : `“${last.title}”`}? Its picture
        and texts are deleted for good. This action cannot be undone.
      </p>
      <img
        src={last.image.webp[0]?.url ?? last.imageUrl}
        alt=""
        width={last.image.width}
        height={last.image.height}
        className="mt-4 max-h-40 w-full rounded-box bg-pine-deep object-contain"
      />
    </Modal>
  )
}
