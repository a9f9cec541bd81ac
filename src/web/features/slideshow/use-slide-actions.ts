import { useState } from 'react'
import type { Slide } from '#shared/slideshow/slides-response.ts'
import { showToast } from '#web/components/toaster.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { ApiProblem, sentenceOf } from '#web/lib/api-problem.ts'
import { type RecordTarget, type Sending, sendRecord, sentId } from '#web/lib/send-form.ts'

/** @param readAgain called when the slides may have changed */
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

    // `slide` as it was when the question was asked. Returns whether the question is over: deleted,
    // or changed meanwhile.
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

/** Changed or deleted by another user: a retry can't help. */
function isOvertaken(error: unknown): boolean {
  return error instanceof ApiProblem && ['conflict', 'not_found'].includes(error.problem.code)
}

interface SlideFields {
  title?: string
  description?: string
  image?: File | string
  active?: boolean
}

/**
 * @param slide null for a new one @param onProgress the part sent, 0 to 1 @returns the slide's id
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
  if (image instanceof File) body.set('image', image)
  return sendRecord({ collection: '/api/slides', target: slide, body, read: sentId, onProgress })
}
