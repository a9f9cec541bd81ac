import type { Sending } from '#web/lib/send-form.ts'
import { type RecordTarget, sendRecord, sentId } from '#web/lib/send-record.ts'

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
