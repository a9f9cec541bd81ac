import { CircleCheck } from 'lucide-react'
import { useEffect, useEffectEvent } from 'react'
import { createPortal } from 'react-dom'
import type { Slide } from '#shared/slides.ts'
import { Button } from '#web/components/button.tsx'
import { FormFailure } from '#web/components/form-failure.tsx'
import { ProgressBar } from '#web/components/progress-bar.tsx'
import { SlideConflict } from './slide-conflict.tsx'
import { SlideFields } from './slide-fields.tsx'
import { useSlideForm } from './use-slide-form.ts'

/** How long the form stays after it was saved (spec §9). */
const closeMs = 1_500
const formId = 'slide-form'

interface SlideFormProps {
  /** The slide when the form was opened; null for a new one. */
  opened: Slide | null
  /** The slide as it is now; null when it is gone. */
  now: Slide | null
  /** Where the buttons go. */
  foot: HTMLElement | null
  onUnsaved: (isUnsaved: boolean) => void
  /** The slides have changed, or may have. */
  onStale: () => void
  onClose: () => void
}

/** Adds or edits a slide (spec §2 "Slideshow manager"). */
export function SlideForm({ opened, now, foot, onUnsaved, onStale, onClose }: SlideFormProps) {
  const slideForm = useSlideForm({ opened, now, onSaved: onStale, onStale })
  const { form, contested, isUnsaved, keepMine, takeTheirs } = slideForm
  const { phase, failure, progress, values } = form
  const close = useEffectEvent(onClose)
  const tellUnsaved = useEffectEvent(onUnsaved)

  useEffect(() => {
    tellUnsaved(isUnsaved)
    return () => tellUnsaved(false)
  }, [isUnsaved])

  useEffect(() => {
    if (phase !== 'saved') return
    const timer = setTimeout(close, closeMs)
    return () => clearTimeout(timer)
  }, [phase])

  return (
    <>
      <form
        id={formId}
        noValidate
        aria-busy={phase === 'sending'}
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (contested.length === 0) void form.submit()
        }}
      >
        {failure && contested.length === 0 && <FormFailure message={failure.sentence} />}
        {contested.length > 0 && now && (
          <SlideConflict contested={contested} now={now} onKeepMine={keepMine} onTakeTheirs={takeTheirs} />
        )}
        {opened && !now && phase === 'editing' && (
          <FormFailure message="This slide was deleted meanwhile. What you typed can't be saved any more." />
        )}
        <SlideFields slideForm={slideForm} />
        {phase === 'sending' && values.image && (
          <ProgressBar
            label={progress < 1 ? 'Uploading the image' : 'Preparing the image'}
            part={progress < 1 ? progress : null}
          />
        )}
        <p role="status" className="empty:hidden">
          {phase === 'saved' && (
            <span className="flex items-center gap-2 rounded-box bg-success-soft px-4 py-3 font-medium text-success">
              <CircleCheck aria-hidden="true" className="size-5 shrink-0" />
              Slideshow saved successfully!
            </span>
          )}
        </p>
      </form>
      {foot &&
        createPortal(
          <>
            <Button variant="outline" size="sm" onClick={onClose}>
              {phase === 'saved' ? 'Close' : 'Cancel'}
            </Button>
            {phase !== 'saved' && (
              <Button
                type="submit"
                form={formId}
                size="sm"
                aria-disabled={phase === 'sending' || contested.length > 0}
              >
                {phase === 'sending' ? 'Saving…' : opened ? 'Save Changes' : 'Add Slide'}
              </Button>
            )}
          </>,
          foot,
        )}
    </>
  )
}
