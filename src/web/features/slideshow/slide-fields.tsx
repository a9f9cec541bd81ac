import { imageLimits } from '#shared/images.ts'
import { slideLimits } from '#shared/slides.ts'
import { ImageField } from '#web/components/image-field.tsx'
import { TextAreaField, TextField } from '#web/components/text-field.tsx'
import type { SlideForm } from './use-slide-form.ts'

/** The fields of a slide. */
export function SlideFields({ slideForm: { form, base } }: { slideForm: SlideForm }) {
  const { values, change, errorOf, refuseField, hold } = form
  return (
    <>
      <TextField
        name="title"
        label="Title"
        hint="Optional. Shown on the picture and read out with it."
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
        hint="JPEG, PNG, GIF or WEBP, at most 5 MB; a larger one is made smaller. A wide one fits best, 1920 by 820 pixels for example."
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
