import { CircleCheck } from 'lucide-react'
import { useRef, useState } from 'react'
import { imageLimits } from '#shared/files/images.ts'
import type { FieldError } from '#shared/problem.ts'
import { slideLimits, slideSentences } from '#shared/slideshow/slides.ts'
import type { Slide } from '#shared/slideshow/slides-response.ts'
import { problemsOfSlide } from '#shared/slideshow/slides-schema.ts'
import { Button, SmallButton } from '#web/components/button.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { TextAreaField, TextField } from '#web/components/field.tsx'
import { ImageField } from '#web/components/file-field.tsx'
import { DeletedNotice, type EditForm, Form } from '#web/components/form.tsx'
import { ModalFoot, ModalOf } from '#web/components/modal.tsx'
import { ProgressBar } from '#web/components/progress-bar.tsx'
import { useRecordForm } from '#web/components/record-form.ts'
import { Loading } from '#web/components/tab-frame.tsx'
import { newSlide, readSlides, sendSlide } from './data.ts'

interface SlideEditorProps {
  opened: string | null
  slides: readonly Slide[] | null
  onUnsaved: (isUnsaved: boolean) => void
  onClose: () => void
}

export function SlideEditor({ opened, slides, ...rest }: SlideEditorProps) {
  return (
    <ModalOf
      thing={opened}
      onClose={rest.onClose}
      title={(id) => (id === newSlide ? 'Add Slide' : 'Edit Slide')}
    >
      {(id) => <OpenedSlide id={id} slides={slides} {...rest} />}
    </ModalOf>
  )
}

function OpenedSlide({ id, slides, ...rest }: Omit<SlideEditorProps, 'opened'> & { id: string }) {
  const now = slides?.find((slide) => slide.id === id) ?? null
  // After its deletion the form still shows it.
  const [last, setLast] = useState(now)
  if (now !== null && now !== last) setLast(now)
  if (id === newSlide || last)
    return <SlideForm stored={last} isDeleted={slides !== null && !now} {...rest} />
  if (slides) return <ErrorBanner message={slideSentences.missing} />
  return <Loading what="the slide" lines={1} className="h-72" />
}

interface SlideValues {
  title: string
  description: string
  /** The address of the stored one; '' for none. */
  image: File | string
}

const labels: Record<keyof SlideValues, string> = {
  title: 'Title',
  description: 'Description',
  image: 'Image',
}

// In ms (product 19.3).
const closeMs = 1_500

interface SlideFormProps extends Pick<SlideEditorProps, 'onUnsaved' | 'onClose'> {
  stored: Slide | null
  isDeleted: boolean
}

function SlideForm({ stored, isDeleted, onUnsaved, onClose }: SlideFormProps) {
  const target = useRef(stored?.id)
  const [isNew, setNew] = useState(stored === null)
  const form = useRecordForm<Slide | null, SlideValues, string>({
    topics: ['slides'],
    stored,
    what: 'slide',
    labels,
    textOf: (name, { image, ...texts }) =>
      name !== 'image' ? texts[name] : image instanceof File ? image.name : 'Saved image',
    valuesOf: slideValuesOf,
    read: async () => (await readSlides()).find(({ id }) => id === stored?.id),
    missing: slideSentences.missing,
    onDirty: onUnsaved,
    problemsOf: (values) => problemsOf(values, target.current === undefined),
    send(values, { version, changed, onProgress }) {
      if (target.current === undefined) return sendSlide(null, values, onProgress)
      const changes = Object.fromEntries(changed.map((name) => [name, values[name]]))
      return sendSlide({ id: target.current, version }, changes, onProgress)
    },
    close: { after: closeMs, now: onClose },
  })
  const { phase, progress, values } = form

  function addAsNew() {
    target.current = undefined
    setNew(true)
    if (typeof values.image === 'string') form.set('image', '')
    void form.submit()
  }

  return (
    <>
      <Form form={form} isGuarded={false}>
        {!isNew && isDeleted && phase === 'editing' && (
          <DeletedNotice lost="image is gone" action="Add as a new slide" onAct={addAsNew} />
        )}
        <SlideFields form={form} stored={isNew ? null : stored} />
        {phase === 'sending' && values.image instanceof File && (
          <ProgressBar
            label={progress === 1 ? 'Preparing the image' : 'Uploading the image'}
            part={progress === 1 ? null : (progress ?? 0)}
          />
        )}
        <p role="status" className="empty:hidden">
          {phase === 'saved' && (
            <span className="flex items-center gap-2 rounded-box bg-success-soft px-4 py-3 font-medium text-success">
              <CircleCheck className="size-5 shrink-0" />
              Slideshow saved successfully!
            </span>
          )}
        </p>
      </Form>
      <ModalFoot>
        <SmallButton onClick={onClose}>{phase === 'saved' ? 'Close' : 'Cancel'}</SmallButton>
        {phase !== 'saved' && (
          <Button type="submit" form={form.id} size="sm" aria-disabled={phase === 'sending'}>
            {phase === 'sending' ? 'Saving…' : isNew ? 'Add Slide' : 'Save Changes'}
          </Button>
        )}
      </ModalFoot>
    </>
  )
}

function SlideFields({ form, stored }: { form: EditForm<SlideValues>; stored: Slide | null }) {
  return (
    <>
      <TextField
        {...form.field('title')}
        label={labels.title}
        hint="Optional. Shown on the image and read by screen readers."
        autoComplete="off"
      />
      <TextAreaField
        {...form.field('description')}
        label={labels.description}
        hint={`Optional. ${form.values.description.length} of ${slideLimits.description} characters.`}
      />
      <ImageField
        form={form}
        label={labels.image}
        hint="JPEG, PNG, GIF or WEBP, up to 5 MB. Large images are resized. A wide image works best, for example 1920 by 820 pixels."
        maxBytes={imageLimits.slide}
        required={stored === null}
        storedUrl={stored?.imageUrl}
        mayBeEmpty={false}
      />
    </>
  )
}

function problemsOf({ title, description, image }: SlideValues, isNew: boolean): FieldError[] {
  const problems = problemsOfSlide({ title, description })
  const isMissing = image === '' || (isNew && !(image instanceof File))
  return isMissing ? [...problems, { path: 'image', message: slideSentences.imageRequired }] : problems
}

function slideValuesOf(slide: Slide | null): SlideValues {
  return { title: slide?.title ?? '', description: slide?.description ?? '', image: slide?.imageUrl ?? '' }
}
