import { useEffect, useEffectEvent, useState } from 'react'
import type { FieldError } from '#shared/problem.ts'
import { type Slide, slideSentences } from '#shared/slides.ts'
import { problemsOfSlide } from '#shared/slides-schema.ts'
import { useContentForm } from '#web/lib/content-form.ts'
import { sendSlide } from './send-slide.ts'
import {
  changedSlideFields,
  mergeSlide,
  type SlideField,
  type SlideValues,
  slideValuesOf,
} from './slide-merge.ts'

interface SlideFormOptions {
  /** The slide when the form was opened; null for a new one. */
  opened: Slide | null
  /** The slide as it is now; null when it is gone. */
  now: Slide | null
  onSaved: () => void
  /** The slide may be another than the one that is known here. */
  onStale: () => void
}

/** The life of a slide's form: checking, sending, failing without loss, and meeting another change. */
export function useSlideForm({ opened, now, onSaved, onStale }: SlideFormOptions) {
  /** The slide that the edit is based on. */
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
  // By the version too: a second change may come with the first one still to be taken in.
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

    keepMine() {
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

export type SlideForm = ReturnType<typeof useSlideForm>

function problemsOf(values: SlideValues, base: Slide | null): FieldError[] {
  const problems = problemsOfSlide({ title: values.title, description: values.description })
  if (base || values.image) return problems
  return [...problems, { path: 'image', message: slideSentences.imageRequired }]
}

/** Of a new slide everything; of one that is edited what was changed. */
function changesOf(base: Slide | null, values: SlideValues): Partial<SlideValues> {
  if (base === null) return values
  return Object.fromEntries(changedSlideFields(base, values).map((field) => [field, values[field]]))
}
