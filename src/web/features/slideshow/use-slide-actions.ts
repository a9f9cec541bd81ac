import { useState } from 'react'
import type { Slide } from '#shared/slides.ts'
import { showToast } from '#web/components/toaster.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { sendSlide } from './send-slide.ts'

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
      return false
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

    /** @returns whether it is deleted */
    delete(slide: Slide) {
      return act(
        slide,
        () => callApi(api.slides[':id'].$delete({ param: { id: slide.id } })),
        'Slide deleted successfully!',
        'Failed to delete slide',
      )
    },
  }
}
