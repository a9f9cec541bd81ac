import { useState } from 'react'
import type { Slide } from '#shared/slideshow/slides.ts'
import { showToast } from '#web/components/toaster.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { ApiProblem, sentenceOf } from '#web/lib/api-problem.ts'
import { type RecordTarget, type Sending, sendRecord, sentId } from '#web/lib/content-form.ts'

/** What is done with a slide without its form. @param readAgain called when the slides may be others */
export function useSlideActions(readAgain: () => void) {
  const [busyId, setBusyId] = useState<string | null>(null)

  async function act(slide: Slide, work: () => Promise<unknown>, done: string, failed: string) {
    if (busyId !== null) return false
    setBusyId(slide.id)
    try {
      await work()
      showToast({ type: 'success', message: done })
      return true
    } catch (error) {
      showToast({ type: 'error', message: `${failed}. ${sentenceOf(error)}` })
      return isOvertaken(error)
    } finally {
      setBusyId(null)
      readAgain()
    }
  }

  return {
    busyId,

    toggle(slide: Slide) {
      const active = !slide.active
      return act(
        slide,
        () => sendSlide(slide, { active }).done,
        `Slide ${active ? 'activated' : 'deactivated'} successfully!`,
        'Failed to update slide',
      )
    },

    /**
     * @param slide as it was when the question was asked
     * @returns whether that question is over: it is deleted, or it is no longer what was asked about
     */
    delete(slide: Slide) {
      return act(
        slide,
        () => {
          const header = { 'if-match': `"${slide.version}"` }
          return callApi(api.slides[':id'].$delete({ param: { id: slide.id }, header }))
        },
        'Slide deleted successfully!',
        'Failed to delete slide',
      )
    },
  }
}

/** Somebody else changed or deleted it: trying the same again can't help. */
function isOvertaken(error: unknown): boolean {
  return error instanceof ApiProblem && ['conflict', 'not_found'].includes(error.problem.code)
}

interface SlideFields {
  title?: string
  description?: string
  image?: File | null
  active?: boolean
}

/**
 * Sends a new slide, or the changed fields of one.
 *
 * @param slide the slide that the change starts from; null for a new one
 * @param onProgress is told the part that has gone, from 0 to 1
 * @returns the slide's id
 */
export function sendSlide(
  slide: RecordTarget,
  { title, description, image, active }: SlideFields,
  onProgress: (part: number) => void = () => undefined,
): Sending<string> {
  const body = new FormData()
  if (title !== undefined) body.set('title', title)
  if (description !== undefined) body.set('description', description)
  if (active !== undefined) body.set('active', String(active))
  if (image) body.set('image', image)
  return sendRecord({ collection: '/api/slides', target: slide, body, read: sentId, onProgress })
}
