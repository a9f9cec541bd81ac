import { useQuery } from '@tanstack/react-query'
import { Images, Plus } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { type Location, useLocation, useNavigate } from 'react-router'
import type { Slide } from '#shared/slideshow/slides-response.ts'
import { useActionWithToast } from '#web/components/action-toast.ts'
import { Button, SmallButton } from '#web/components/button.tsx'
import { ChoiceButtons } from '#web/components/choice-buttons.tsx'
import { useDeferredSessionEnd } from '#web/components/deferred-session-end.ts'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { QuestionModal } from '#web/components/question-modal.tsx'
import { Loaded, TabFrame } from '#web/components/tab-frame.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { UnsavedGuard } from '#web/components/unsaved-prompt.tsx'
import { tabOf } from '#web/lib/admin-tab.ts'
import { api, callApi, ifMatch } from '#web/lib/api.ts'
import { ApiProblem, failureText, sentenceOf } from '#web/lib/api-problem.ts'
import { useFocusAfterRender, useFocusBack } from '#web/lib/focus.ts'
import { useFormAddress } from '#web/lib/form-address.ts'
import { useAction } from '#web/lib/query.ts'
import { newSlide, readSlides, type SlideFilter, sendSlide, slideName, slideshowAddress } from './data.ts'
import { SlideCard, type SlideCardActions, slideMenuId } from './slide-card.tsx'
import { SlideEditor } from './slide-editor.tsx'

const filters: { value: SlideFilter; label: string }[] = [
  { value: 'all', label: 'All Slides' },
  { value: 'active', label: 'Active' },
  { value: 'inactive', label: 'Inactive' },
]

const none: readonly Slide[] = []

/** Product 19. */
export function SlideshowTab() {
  const query = useQuery({
    queryKey: ['slides', 'manager'],
    meta: { topics: ['settings'] },
    queryFn: ({ signal }) => readSlides(signal),
  })
  const navigate = useNavigate()
  const { show: filter, slide: opened } = slideshowAddress.read(useLocation().search)
  const form = useFormAddress(opened !== null)
  const open = (id: string) => form.open(slideshowAddress.to({ show: filter, slide: id }))
  const arrangement = useArrangement(query.data ?? none)
  const [deleting, setDeleting] = useState<Slide | null>(null)
  const { toggling, deletion } = useSlideActions(() => setDeleting(null))
  const [isTyped, setTyped] = useState(false)
  const add = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const isFormUnsaved = isTyped && opened !== null
  const isUnsaved = isFormUnsaved || arrangement.isArranged
  const staysOpen = ({ pathname, search }: Location) =>
    pathname === '/admin' &&
    tabOf(search) === 'slideshow' &&
    (!isFormUnsaved || slideshowAddress.read(search).slide === opened)
  useDeferredSessionEnd(isUnsaved)
  const { slides } = arrangement
  const isShown = ({ active }: Slide) => filter === 'all' || active === (filter === 'active')
  const shownIds = slides.filter(isShown).map(({ id }) => id)
  const focusBack = useRestoredFocus(list, shownIds, add)

  return (
    <TabFrame query={query} failure="Failed to load slideshow">
      <div className="flex flex-col gap-5">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h1 className="text-2xl font-bold tracking-tight">Slideshow</h1>
          <Button ref={add} size="sm" icon={Plus} onClick={() => open(newSlide)}>
            Add Slide
          </Button>
        </div>
        <ChoiceButtons
          legend="Show"
          choices={filters}
          selected={filter}
          onSelect={(chosen) =>
            void navigate(slideshowAddress.to({ show: chosen }), { preventScrollReset: true })
          }
        />
        <Loaded query={query} what="the slides" lines={3} className="h-56">
          {() =>
            shownIds.length > 0 ? (
              // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form's controls
              <div ref={list} role="group" aria-label="Slides" tabIndex={-1} className="outline-hidden">
                <SlideGrid
                  slides={slides}
                  isShown={isShown}
                  isMovable={filter === 'all' && slides.length > 1}
                  busyId={toggling.isPending ? toggling.variables.id : null}
                  onEdit={({ id }) => open(id)}
                  onToggle={toggling.run}
                  onDelete={setDeleting}
                  onMove={arrangement.move}
                />
                <OrderBar arrangement={arrangement} focusBack={list} />
              </div>
            ) : (
              <NoSlides filter={filter} hasSlides={slides.length > 0} />
            )
          }
        </Loaded>
        <p role="status" className="sr-only">
          {arrangement.announcement}
        </p>
        <SlideEditor
          opened={opened}
          slides={query.data ?? null}
          onUnsaved={setTyped}
          onClose={() => form.close(slideshowAddress.to({ show: filter }))}
        />
        <QuestionModal
          title="Delete Slide"
          thing={deleting}
          isBusy={deletion.isPending}
          focusBack={focusBack}
          onConfirm={deletion.run}
          onClose={() => setDeleting(null)}
        >
          {(slide) => (
            <>
              <p className="wrap-anywhere">
                Are you sure you want to delete {slide.title === '' ? slideName(slide) : `“${slide.title}”`}?
                Its image and texts will be deleted. This action cannot be undone.
              </p>
              <img
                src={slide.image.webp[0]?.url ?? slide.imageUrl}
                alt=""
                width={slide.image.width}
                height={slide.image.height}
                className="mt-4 max-h-40 w-full rounded-box bg-pine-deep object-contain"
              />
            </>
          )}
        </QuestionModal>
        <UnsavedGuard isUnsaved={isUnsaved} staysOpen={staysOpen} />
      </div>
    </TabFrame>
  )
}

function NoSlides({ filter, hasSlides }: { filter: SlideFilter; hasSlides: boolean }) {
  const title = hasSlides ? `No ${filter} slides.` : 'No slides yet.'
  return (
    <EmptyState icon={Images} title={title}>
      {hasSlides
        ? 'Select All Slides to see the others.'
        : 'Add the first one. Slides appear on the home page below the banner.'}
    </EmptyState>
  )
}

interface OrderBarProps {
  arrangement: Arrangement
  focusBack: RefObject<HTMLElement | null>
}

function OrderBar({ arrangement, focusBack }: OrderBarProps) {
  const { isArranged, isSaving, failure, save, discard } = arrangement
  useFocusBack(isArranged || failure !== null, focusBack)
  if (!isArranged) {
    // Another user's change may have left nothing to save; the failure is still shown.
    return failure === null ? null : (
      <div className="mt-4">
        <ErrorBanner message={failure} onDismiss={discard} />
      </div>
    )
  }
  return (
    <section
      aria-label="Order of the slides"
      className="sticky bottom-3 z-10 mt-4 flex flex-col gap-3 rounded-box border border-edge bg-card p-3 shadow-card"
    >
      {failure !== null && <ErrorBanner message={failure} />}
      <div className="flex flex-wrap items-center gap-2">
        <p className="mr-auto text-sm font-semibold">Unsaved order</p>
        <SmallButton disabled={isSaving} onClick={discard}>
          Discard
        </SmallButton>
        <Button size="sm" aria-disabled={isSaving} onClick={save}>
          {isSaving ? 'Saving…' : 'Save order'}
        </Button>
      </div>
    </section>
  )
}

interface SlideGridProps extends Omit<SlideCardActions, 'onDrop'> {
  slides: readonly Slide[]
  isShown: (slide: Slide) => boolean
  isMovable: boolean
  busyId: string | null
}

function SlideGrid({ slides, isShown, isMovable, busyId, onMove, ...actions }: SlideGridProps) {
  const focusNext = useFocusAfterRender()

  function move(slide: Slide, place: number) {
    onMove(slide, place)
    focusNext(slideMenuId(slide.id))
  }

  return (
    <ul className="grid gap-4 md:grid-cols-2 xl:grid-cols-3">
      {slides.map((slide, place) =>
        isShown(slide) ? (
          <SlideCard
            key={slide.id}
            slide={slide}
            place={place}
            count={slides.length}
            isMovable={isMovable}
            isBusy={busyId === slide.id}
            {...actions}
            onMove={move}
            onDrop={(id, target) => {
              const dropped = slides.find((each) => each.id === id)
              if (dropped) onMove(dropped, target)
            }}
          />
        ) : null,
      )}
    </ul>
  )
}

/**
 * When the focused card goes away, focuses the card in its place, else the fallback. @param list its cards have
 * `data-slide` @param cardIds ids in order @returns the target of the focus when a card's dialog closes
 */
function useRestoredFocus(
  list: RefObject<HTMLElement | null>,
  cardIds: readonly string[],
  fallback: RefObject<HTMLElement | null>,
): () => HTMLElement | true {
  const last = useRef<{ id: string; index: number }>(null)
  // The same ids are the same list.
  const key = cardIds.join(' ')

  useEffect(() => {
    const ids = idsOf(key)
    const noteFocus = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return
      const id = target.closest('[data-slide]')?.getAttribute('data-slide')
      if (id) last.current = { id, index: ids.indexOf(id) }
      // A dialog is about the card: the focus comes back from there.
      else if (!target.closest('[role="dialog"]')) last.current = null
    }
    document.addEventListener('focusin', noteFocus)
    return () => document.removeEventListener('focusin', noteFocus)
  }, [key])

  function heir(): HTMLElement | null {
    const ids = idsOf(key)
    const lost = last.current
    if (!lost || ids.includes(lost.id)) return null
    const next = ids[Math.min(lost.index, ids.length - 1)]
    const card = next && list.current?.querySelector(`[data-slide="${CSS.escape(next)}"]`)
    return card ? card.querySelector<HTMLElement>('[data-first]') : fallback.current
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: when cards have come or gone
  useEffect(() => {
    if (document.activeElement === document.body) heir()?.focus()
  }, [key])

  return () => heir() ?? true
}

function idsOf(key: string): string[] {
  return key === '' ? [] : key.split(' ')
}

function useSlideActions(onDeletionEnd: () => void) {
  const toggling = useActionWithToast({
    topics: ['slides'],
    mutationFn: (slide: Slide) => sendSlide(slide, { active: !slide.active }).done,
    done: (_id, { active }) => `Slide ${active ? 'deactivated' : 'activated'} successfully!`,
    whatFailed: 'Failed to update slide',
  })
  // The slide as it was when the question was asked.
  const deletion = useAction({
    topics: ['slides'],
    mutationFn: ({ id, version }: Slide) =>
      callApi(api.slides[':id'].$delete({ param: { id }, header: ifMatch(version) })),
    onSuccess() {
      showToast('success', 'Slide deleted successfully!')
      onDeletionEnd()
    },
    onError(error) {
      showToast('error', failureText('Failed to delete slide', error))
      // Changed or deleted by another user: a retry can't help.
      const code = error instanceof ApiProblem ? error.problem.code : ''
      if (code === 'conflict' || code === 'not_found') onDeletionEnd()
    },
  })
  return { toggling, deletion }
}

interface SavedOrder {
  over: readonly Slide[]
  slides: readonly Slide[]
}

const orderedIdsOf = (slides: readonly Slide[]) => slides.map(({ id }) => id)

type Arrangement = ReturnType<typeof useArrangement>

function useArrangement(read: readonly Slide[]) {
  const [order, setOrder] = useState<readonly string[] | null>(null)
  const [savedOrder, setSavedOrder] = useState<SavedOrder | null>(null)
  const [announcement, announce] = useState('')
  const saved = savedOrder?.over === read ? savedOrder.slides : read
  const slides = order === null ? saved : arrange(saved, order)
  const isArranged = !isSameOrder(orderedIdsOf(slides), orderedIdsOf(saved))
  const { isPending, error, run, reset } = useAction({
    topics: ['slides'],
    mutationFn: () => callApi(api.slides.order.$put({ json: { ids: orderedIdsOf(slides) } })),
    onSuccess({ items }) {
      setSavedOrder({ over: read, slides: items })
      setOrder(null)
      showToast('success', 'Slide order saved successfully!')
    },
  })

  return {
    slides,
    isArranged,
    isSaving: isPending,
    failure: error && `The order was not saved. ${sentenceOf(error)}`,
    announcement,
    save: () => run(),

    move(slide: Slide, place: number) {
      if (isPending) return
      reset()
      setOrder(moveTo(orderedIdsOf(slides), slide.id, place))
      announce(`${slideName(slide)} is now number ${place + 1} of ${slides.length}. Not saved yet.`)
    },

    discard() {
      setOrder(null)
      reset()
      announce('The previous order is restored.')
    },
  }
}

type Ids = readonly string[]

/** An unsaved order: new slides come last, deleted ones are left out. */
export function arrange<T extends Pick<Slide, 'id'>>(slides: readonly T[], order: Ids): T[] {
  const place = new Map(order.map((id, index) => [id, index]))
  return [...slides].sort(
    (one, other) => (place.get(one.id) ?? order.length) - (place.get(other.id) ?? order.length),
  )
}

export function moveTo(order: Ids, id: string, place: number): string[] {
  const others = order.filter((each) => each !== id)
  others.splice(place, 0, id)
  return others
}

export function isSameOrder(one: Ids, other: Ids): boolean {
  return one.length === other.length && one.every((id, index) => id === other[index])
}
