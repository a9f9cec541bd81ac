import type { Slide } from '#shared/slides.ts'
import { type Sending, sendForm } from '#web/lib/send-form.ts'

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
  slide: Pick<Slide, 'id' | 'version'> | null,
  { title, description, image, active }: SlideFields,
  onProgress: (part: number) => void = () => undefined,
): Sending<string> {
  const body = new FormData()
  if (title !== undefined) body.set('title', title)
  if (description !== undefined) body.set('description', description)
  if (active !== undefined) body.set('active', String(active))
  if (image) body.set('image', image)
  return sendForm({
    ...(slide
      ? { method: 'PATCH', path: `/api/slides/${slide.id}`, headers: { 'If-Match': `"${slide.version}"` } }
      : { method: 'POST', path: '/api/slides' }),
    body,
    read: idOf,
    onProgress,
  })
}

function idOf(answer: unknown): string | undefined {
  const isSlide = typeof answer === 'object' && answer !== null && 'id' in answer
  return isSlide && typeof answer.id === 'string' ? answer.id : undefined
}
