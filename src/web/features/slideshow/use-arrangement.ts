import { useState } from 'react'
import type { Slide } from '#shared/slideshow/slides.ts'
import { showToast } from '#web/components/toaster.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { slideName } from './data.ts'

interface Learned {
  over: readonly Slide[]
  slides: readonly Slide[]
}

const idsOf = (slides: readonly Slide[]) => slides.map(({ id }) => id)

export type Arrangement = ReturnType<typeof useArrangement>

export function useArrangement(read: readonly Slide[], readAgain: () => void) {
  const [order, setOrder] = useState<readonly string[] | null>(null)
  const [learned, setLearned] = useState<Learned | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [isSaving, setSaving] = useState(false)
  const [said, setSaid] = useState('')
  const saved = learned?.over === read ? learned.slides : read
  const slides = order === null ? saved : arrange(saved, order)
  const isArranged = !isSameOrder(idsOf(slides), idsOf(saved))

  return {
    slides,
    isArranged,
    isSaving,
    failure,
    said,

    move(slide: Slide, place: number) {
      if (isSaving) return
      setFailure(null)
      setOrder(moveTo(idsOf(slides), slide.id, place))
      setSaid(`${slideName(slide)} is number ${place + 1} of ${slides.length} now. Not saved yet.`)
    },

    discard() {
      setOrder(null)
      setFailure(null)
      setSaid('The order is as it was.')
    },

    async save() {
      if (isSaving) return
      setSaving(true)
      setFailure(null)
      try {
        const { items } = await callApi(api.slides.order.$put({ json: { ids: idsOf(slides) } }))
        setLearned({ over: read, slides: items })
        setOrder(null)
        showToast({ type: 'success', message: 'Slide order saved successfully!' })
      } catch (error) {
        setFailure(`The order was not saved. ${sentenceOf(error)}`)
      } finally {
        setSaving(false)
        readAgain()
      }
    },
  }
}

type Ids = readonly string[]

/** An unsaved order: new slides come last, deleted ones are left out. */
export function arrange<T extends Pick<Slide, 'id'>>(slides: readonly T[], order: Ids): T[] {
  const place = new Map(order.map((id, index) => [id, index]))
  return slides.toSorted(
    (one, other) => (place.get(one.id) ?? order.length) - (place.get(other.id) ?? order.length),
  )
}

export function moveTo(order: Ids, id: string, place: number): string[] {
  const others = order.filter((each) => each !== id)
  return others.toSpliced(place, 0, id)
}

export function isSameOrder(one: Ids, other: Ids): boolean {
  return one.length === other.length && one.every((id, index) => id === other[index])
}
