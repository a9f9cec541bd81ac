import { CircleCheck } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { createPortal } from 'react-dom'
import { imageLimits } from '#shared/files/images.ts'
import type { FieldError } from '#shared/problem.ts'
import { slideLimits, slideSentences } from '#shared/slideshow/slides.ts'
import type { Slide } from '#shared/slideshow/slides-response.ts'
import { problemsOfSlide } from '#shared/slideshow/slides-schema.ts'
import { Button } from '#web/components/button.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { TextAreaField, TextField } from '#web/components/field.tsx'
import { ImageField } from '#web/components/file-field.tsx'
import { FormFailure } from '#web/components/form-failure.tsx'
import { Modal } from '#web/components/modal.tsx'
import { ProgressBar } from '#web/components/progress-bar.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import { useContentForm } from '#web/lib/content-form.ts'
import { scrollIntoSight } from '#web/lib/focus.ts'
import { newSlide } from './data.ts'
import { sendSlide } from './use-slide-actions.ts'

interface SlideEditorProps {
  opened: string | null
  slides: readonly Slide[] | null
  onUnsaved: (isUnsaved: boolean) => void
  onStale: () => void
  onClose: () => void
}

export function SlideEditor({ opened, slides, onClose, ...rest }: SlideEditorProps) {
  const { form, slide, formKey } = useOpenedSlide(opened, slides)
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
        <SlideForm key={formKey} opened={slide} now={now} foot={foot} onClose={onClose} {...rest} />
      ) : slides ? (
        <ErrorBanner message={slideSentences.missing} />
      ) : (
        <Skeleton className="h-72 w-full" />
      )}
    </Modal>
  )
}

interface Opened {
  opened: string | null
  form: string | null
  slide: Slide | null
  formKey: number
}

/** A later version is handled while it is edited. */
function useOpenedSlide(opened: string | null, slides: readonly Slide[] | null): Opened {
  const slide = slides?.find(({ id }) => id === opened) ?? null
  const [stored, setStored] = useState<Opened>({ opened, form: opened, slide, formKey: 0 })
  if (opened !== stored.opened) {
    setStored(
      opened === null ? { ...stored, opened } : { opened, form: opened, slide, formKey: stored.formKey + 1 },
    )
  } else if (opened !== null && !stored.slide && slide) setStored({ ...stored, slide })
  return stored
}

// Spec §9, in ms.
const closeMs = 1_500
const formId = 'slide-form'

interface SlideFormProps {
  opened: Slide | null
  now: Slide | null
  foot: HTMLElement | null
  onUnsaved: (isUnsaved: boolean) => void
  onStale: () => void
  onClose: () => void
}

/** Spec §2 "Slideshow manager". */
function SlideForm({ opened, now, foot, onUnsaved, onStale, onClose }: SlideFormProps) {
  const slideForm = useSlideForm({ opened, now, onSaved: onStale, onStale })
  const { form, contested, isUnsaved, keepChanges, takeTheirs } = slideForm
  const { phase, failure, progress, values } = form
  const close = useEffectEvent(onClose)
  const reportUnsaved = useEffectEvent(onUnsaved)

  useEffect(() => {
    reportUnsaved(isUnsaved)
    return () => reportUnsaved(false)
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
          <SlideConflict
            contested={contested}
            now={now}
            onKeepChanges={keepChanges}
            onTakeTheirs={takeTheirs}
          />
        )}
        {opened && !now && phase === 'editing' && (
          <FormFailure message="This slide was deleted in the meantime. Your changes can no longer be saved." />
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

function SlideFields({ slideForm: { form, base } }: { slideForm: SlideFormState }) {
  const { values, change, errorOf, refuseField, hold } = form
  return (
    <>
      <TextField
        name="title"
        label="Title"
        hint="Optional. Shown on the image and read by screen readers."
        value={values.title}
        autoComplete="off"
        error={errorOf('title')}
        onChange={({ target }) => change({ title: target.value })}
      />
      <TextAreaField
        name="description"
        label="Description"
        hint={`Optional. ${values.description.length} of ${slideLimits.description} characters.`}
        value={values.description}
        error={errorOf('description')}
        onChange={({ target }) => change({ description: target.value })}
      />
      <ImageField
        name="image"
        label="Image"
        hint="JPEG, PNG, GIF or WEBP, up to 5 MB. Large images are resized. A wide image works best, for example 1920 by 820 pixels."
        maxBytes={imageLimits.slide}
        required={base === null}
        currentUrl={base ? (base.image.webp[0]?.url ?? base.imageUrl) : null}
        chosen={values.image}
        error={errorOf('image')}
        onChoose={(image) => change({ image })}
        onRefuse={(sentence) => refuseField('image', sentence)}
        onHold={(sentence) => hold('image', sentence)}
        // A slide is never without one: what goes is only the choice.
        {...(values.image ? { onRemove: () => change({ image: null }) } : {})}
      />
    </>
  )
}

interface SlideConflictProps {
  contested: readonly SlideField[]
  now: Slide
  onKeepChanges: () => void
  onTakeTheirs: () => void
}

function SlideConflict({ contested, now, onKeepChanges, onTakeTheirs }: SlideConflictProps) {
  return (
    <div
      ref={scrollIntoSight}
      role="alert"
      className="scroll-my-5 rounded-box border border-warning bg-warning-soft px-4 py-3 text-sm"
    >
      <p className="font-semibold text-warning">
        This slide was changed elsewhere while you were editing it. Your changes are still here but not saved
        yet.
      </p>
      <dl className="mt-2 flex flex-col gap-1">
        {contested.map((field) => (
          <div key={field} className="wrap-anywhere">
            <dt className="inline font-semibold">{slideFieldLabels[field]}</dt>{' '}
            <dd className="inline">{otherChange(field, now)}</dd>
          </div>
        ))}
      </dl>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button variant="outline" size="sm" onClick={onKeepChanges}>
          Keep my changes
        </Button>
        <Button variant="outline" size="sm" onClick={onTakeTheirs}>
          Use the other version
        </Button>
      </div>
    </div>
  )
}

function otherChange(field: SlideField, now: Slide): string {
  if (field === 'image') return 'was replaced too.'
  return now[field] === '' ? 'is empty now.' : `is now: ${now[field]}`
}

interface SlideFormOptions {
  opened: Slide | null
  now: Slide | null
  onSaved: () => void
  onStale: () => void
}

function useSlideForm({ opened, now, onSaved, onStale }: SlideFormOptions) {
  const [base, setBase] = useState(opened)
  const form = useContentForm<SlideValues, string>({
    initial: slideValuesOf(opened),
    problemsOf: (values) => problemsOf(values, base),
    send: (values, onProgress) => sendSlide(base, changesOf(base, values), onProgress),
    onSaved,
  })
  const { values, phase, failure } = form
  const isOther = phase === 'editing' && base !== null && now !== null && now.version !== base.version
  const merge = isOther ? mergeSlide(base, now, values) : null
  const contested: readonly SlideField[] = merge?.contested ?? []

  const follow = useEffectEvent(() => {
    if (!merge) return
    form.change({ title: merge.values.title, description: merge.values.description })
    setBase(now)
  })
  const isMerged = merge !== null && contested.length === 0
  // Keyed by version too: a second change may come before the first one is resolved.
  const version = now?.version
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each change
  useEffect(() => {
    if (isMerged) follow()
  }, [isMerged, version])

  const isConflict = failure?.isConflict ?? false
  const readAgain = useEffectEvent(onStale)
  useEffect(() => {
    if (isConflict) readAgain()
  }, [isConflict])

  return {
    form,
    base,
    contested,
    isUnsaved: phase !== 'saved' && changedSlideFields(base, values).length > 0,

    keepChanges() {
      if (merge) form.change({ title: merge.values.title, description: merge.values.description })
      setBase(now)
    },

    takeTheirs() {
      if (!merge || !now) return
      const { title, description } = merge.values
      form.change({
        title: contested.includes('title') ? now.title : title,
        description: contested.includes('description') ? now.description : description,
        ...(contested.includes('image') ? { image: null } : {}),
      })
      setBase(now)
    },
  }
}

type SlideFormState = ReturnType<typeof useSlideForm>

function problemsOf(values: SlideValues, base: Slide | null): FieldError[] {
  const problems = problemsOfSlide({ title: values.title, description: values.description })
  if (base || values.image) return problems
  return [...problems, { path: 'image', message: slideSentences.imageRequired }]
}

/** All fields of a new slide, only the changed ones of an existing slide. */
function changesOf(base: Slide | null, values: SlideValues): Partial<SlideValues> {
  if (base === null) return values
  return Object.fromEntries(changedSlideFields(base, values).map((field) => [field, values[field]]))
}

interface SlideValues {
  title: string
  description: string
  image: File | null
}

const texts = ['title', 'description'] as const
type SlideField = keyof SlideValues

const slideFieldLabels: Record<SlideField, string> = {
  title: 'Title',
  description: 'Description',
  image: 'Image',
}

export function slideValuesOf(slide: Slide | null): SlideValues {
  return { title: slide?.title ?? '', description: slide?.description ?? '', image: null }
}

export function changedSlideFields(base: Slide | null, values: SlideValues): SlideField[] {
  const before = slideValuesOf(base)
  const changed: SlideField[] = texts.filter((field) => values[field].trim() !== before[field])
  return values.image === null ? changed : [...changed, 'image']
}

interface SlideMerge {
  values: SlideValues
  /** Changed by both sides to different values. */
  contested: SlideField[]
}

/** Three-way merge. @param base the slide when the form was opened @param now the stored slide */
export function mergeSlide(base: Slide, now: Slide, mine: SlideValues): SlideMerge {
  const touched = changedSlideFields(base, mine)
  const contested: SlideField[] = texts.filter(
    (field) => touched.includes(field) && now[field] !== base[field] && now[field] !== mine[field].trim(),
  )
  if (mine.image !== null && now.imageUrl !== base.imageUrl) contested.push('image')
  const values = { ...mine }
  for (const field of texts) if (!touched.includes(field)) values[field] = now[field]
  return { values, contested }
}
