import { parseAsStringLiteral } from 'nuqs/server'
import type { Slide } from '#shared/slideshow/slides-response.ts'
import { createAddress, parseAsId } from '#web/lib/address.ts'
import { tabPath } from '#web/lib/admin-tab.ts'
import { api, callApi } from '#web/lib/api.ts'
import { type RecordTarget, type Sending, sendRecord, sentId } from '#web/lib/send-form.ts'

export async function readSlides(signal: AbortSignal | null = null): Promise<readonly Slide[]> {
  return (await callApi(api.slides.$get({ query: { all: 'true' } }, { init: { signal } }))).items
}

export const newSlide = 'new'

export const slideshowAddress = createAddress(tabPath('slideshow'), {
  show: parseAsStringLiteral(['all', 'active', 'inactive']).withDefault('all'),
  slide: parseAsId,
})

export type SlideFilter = ReturnType<typeof slideshowAddress.read>['show']

export function slideName({ title, order }: Pick<Slide, 'title' | 'order'>): string {
  return title === '' ? `slide ${order + 1}` : title
}

interface SlideFields {
  title?: string
  description?: string
  image?: File | string
  active?: boolean
}

/** @param slide null for a new one @param onProgress the part sent, 0 to 1 @returns the slide's id */
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
