import { type Sending, sendForm } from './send-form.ts'

/** The record that a save changes, at the version that it starts from; null adds a new one. */
export type RecordTarget = { id: string; version: number } | null

interface RecordForm<T> {
  /** Where records are added: '/api/slides'. */
  collection: string
  target: RecordTarget
  body: FormData
  /** Takes what is needed from the answer; undefined when it isn't there. */
  read: (answer: unknown) => T | undefined
  /** Is told the part that has gone, from 0 to 1. */
  onProgress: (part: number) => void
}

/** Sends a new record with its files, or a change of one, which is refused when somebody else came first. */
export function sendRecord<T>({ collection, target, ...form }: RecordForm<T>): Sending<T> {
  if (target === null) return sendForm({ ...form, method: 'POST', path: collection })
  return sendForm({
    ...form,
    method: 'PATCH',
    path: `${collection}/${target.id}`,
    headers: { 'If-Match': `"${target.version}"` },
  })
}

/** The id of the record that an answer holds. */
export function sentId(answer: unknown): string | undefined {
  const isRecord = typeof answer === 'object' && answer !== null && 'id' in answer
  return isRecord && typeof answer.id === 'string' ? answer.id : undefined
}
