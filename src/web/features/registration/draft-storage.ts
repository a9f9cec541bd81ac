import { draftKey, isInItsDay } from './draft-key.ts'
import { controlNames, type FormValues } from './form-values.ts'

/** Answers that somebody asked to keep on their device, and the key that they will be sent with. */
export interface Draft {
  values: Partial<FormValues>
  /** Kept too: a registration whose answer got lost is sent again under the same key after a reload. */
  idempotencyKey: string
}

type DraftStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** Government numbers never stay on a device, and consent is given anew each time. */
const keptNames = controlNames.filter((name) => name !== 'socialSecurityNumber')

/**
 * Keeps the answers.
 *
 * @param startedAt when the draft began: saving again doesn't prolong its day
 * @throws when the browser refuses to keep anything (private window, no space)
 */
export function saveDraft(store: DraftStore, draft: Draft, startedAt: number): void {
  const values = Object.fromEntries(
    keptNames.map((name) => [name, draft.values[name] ?? '']).filter(([, value]) => value !== ''),
  )
  store.setItem(draftKey, JSON.stringify({ startedAt, idempotencyKey: draft.idempotencyKey, values }))
}

/** The kept answers, unless there are none or their day is over; then nothing is left of them either. */
export function readDraft(store: DraftStore, now: number): (Draft & { startedAt: number }) | undefined {
  const draft = parseDraft(store.getItem(draftKey))
  if (draft && isInItsDay(draft.startedAt, now)) return draft
  clearDraft(store)
  return undefined
}

export function clearDraft(store: DraftStore): void {
  store.removeItem(draftKey)
}

function parseDraft(text: string | null): (Draft & { startedAt: number }) | undefined {
  const kept = parseJson(text)
  if (!isRecord(kept) || !isRecord(kept.values)) return undefined
  const { startedAt, idempotencyKey, values } = kept
  if (typeof startedAt !== 'number' || typeof idempotencyKey !== 'string') return undefined
  const known: Partial<FormValues> = {}
  for (const name of keptNames) {
    const value = values[name]
    if (typeof value === 'string') known[name] = value
  }
  return { startedAt, idempotencyKey, values: known }
}

function parseJson(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text)
  } catch {
    // Somebody else wrote it, or an older version of this page: it is no draft of ours.
    return undefined
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
