/** The key of one sending of the form. */
export interface BatchKey {
  /** What is sent, as text. */
  content: string
  key: string
}

/**
 * The key to send a bulk e-mail with. What is sent again unchanged, after a second press or a lost connection, keeps its
 * key, and the server makes no second batch of it; something else is a new one.
 */
export function batchKeyFor(content: string, last: BatchKey | null): BatchKey {
  return last?.content === content ? last : { content, key: crypto.randomUUID() }
}
