import { Images, Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import { useRevalidator } from 'react-router'
import type { Slide } from '#shared/slides.ts'
import { Button } from '#web/components/button.tsx'
import { ChoiceButtons } from '#web/components/choice-buttons.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { useHeldSession } from '#web/components/held-session.ts'
import { UnsavedPrompt } from '#web/components/unsaved-prompt.tsx'
import { useUnsavedGuard } from '#web/lib/unsaved-guard.ts'
import { DeleteSlideModal } from './delete-slide-modal.tsx'
import { OrderBar } from './order-bar.tsx'
import { SlideEditor } from './slide-editor.tsx'
import { SlideGrid } from './slide-grid.tsx'
import { SlideGridSkeleton } from './slide-grid-skeleton.tsx'
import { isSameForm, newSlide, type SlideFilter } from './slideshow-address.ts'
import type { SlideshowData } from './slideshow-data.ts'
import { useArrangement } from './use-arrangement.ts'
import { useKeptFocus } from './use-kept-focus.ts'
import { useSlideActions } from './use-slide-actions.ts'
import { useSlideshowNavigation } from './use-slideshow-navigation.ts'

interface SlideshowTabProps {
  /** Null while it is being read, and when that has failed. */
  data: SlideshowData | null
  failed: boolean
}

const filters: { value: SlideFilter; label: string }[] = [
  { value: 'all', label: 'All Slides' },
  { value: 'active', label: 'Active' },
  { value: 'inactive', label: 'Inactive' },
]

const none: readonly Slide[] = []

/** The coordinator's tab (spec §2 "Other tabs", "Slideshow manager"). */
export function SlideshowTab({ data, failed }: SlideshowTabProps) {
  const { revalidate } = useRevalidator()
  const readAgain = () => void revalidate()
  const { filter, opened, show, open, close } = useSlideshowNavigation()
  const arrangement = useArrangement(data?.slides ?? none, readAgain)
  const actions = useSlideActions(readAgain)
  const [deleting, setDeleting] = useState<Slide | null>(null)
  const [isTyped, setTyped] = useState(false)
  const add = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const isFormUnsaved = isTyped && opened !== null
  const isUnsaved = isFormUnsaved || arrangement.isArranged
  const guard = useUnsavedGuard(isUnsaved, (next) => isSameForm(isFormUnsaved ? opened : null, next))
  useHeldSession(isUnsaved)
  // A press before the scripts run would be lost.
  const { slides } = arrangement
  const isShown = ({ active }: Slide) => filter === 'all' || active === (filter === 'active')
  const shownIds = slides.filter(isShown).map(({ id }) => id)
  const focusBack = useKeptFocus(list, shownIds, add)

  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-2xl font-bold tracking-tight">Slideshow</h1>
        <Button
          ref={add}
          size="sm"
          className="max-md:min-h-11"
          icon={<Plus aria-hidden="true" className="size-4" />}
          onClick={() => open(newSlide)}
        >
          Add Slide
        </Button>
      </div>
      <ChoiceButtons legend="Show" choices={filters} selected={filter} onSelect={show} />
      {data === null ? (
        !failed && <SlideGridSkeleton />
      ) : shownIds.length > 0 ? (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form's controls
        <div ref={list} role="group" aria-label="Slides" tabIndex={-1} className="outline-hidden">
          <SlideGrid
            slides={slides}
            isShown={isShown}
            isMovable={filter === 'all' && slides.length > 1}
            busyId={actions.busyId}
            onEdit={({ id }) => open(id)}
            onToggle={(slide) => void actions.toggle(slide)}
            onDelete={setDeleting}
            onMove={arrangement.move}
          />
          <OrderBar arrangement={arrangement} focusBack={list} />
        </div>
      ) : (
        <NoSlides filter={filter} hasSlides={slides.length > 0} />
      )}
      <p role="status" className="sr-only">
        {arrangement.said}
      </p>
      <SlideEditor
        opened={opened}
        slides={data?.slides ?? null}
        onUnsaved={setTyped}
        onStale={readAgain}
        onClose={close}
      />
      <DeleteSlideModal
        slide={deleting}
        isBusy={actions.busyId !== null}
        focusBack={focusBack}
        onDelete={async (slide) => {
          if (await actions.delete(slide)) setDeleting(null)
        }}
        onClose={() => setDeleting(null)}
      />
      <UnsavedPrompt
        what={isFormUnsaved ? 'in this slide' : 'of the order of the slides'}
        open={guard.isAsking}
        onDiscard={guard.discard}
        onKeep={guard.keep}
      />
    </div>
  )
}

function NoSlides({ filter, hasSlides }: { filter: SlideFilter; hasSlides: boolean }) {
  const title = hasSlides ? `There is no ${filter} slide.` : 'There are no slides yet.'
  return (
    <EmptyState icon={<Images className="size-8" />} title={title}>
      {hasSlides
        ? 'Choose All Slides to see the others.'
        : 'Add the first one: it appears on the home page below the banner.'}
    </EmptyState>
  )
}
