export const draftKey = 'nstp-enlistment-draft'

// In ms: a draft on a shared phone expires.
export const draftLifetimeMs = 24 * 60 * 60 * 1000

interface StoredDraft {
  startedAt: number
  /** Stored so that a registration whose answer got lost is sent again under the same key after a reload. */
  idempotencyKey: string
  values: Record<string, unknown>
}

/** In the session's storage are the answers of a form whose language is being switched. */
export type DraftPlace = 'localStorage' | 'sessionStorage'

/** Deletes an expired draft: on every page, since the user may never open the form again. */
export function readDraft(place: DraftPlace = 'localStorage'): StoredDraft | undefined {
  try {
    const text = globalThis[place].getItem(draftKey)
    const draft = text === null ? undefined : parseDraft(text)
    const age = Date.now() - (draft?.startedAt ?? Number.NaN)
    // Before 0 the clock was set back, which must not keep a draft for ever.
    if (age >= 0 && age < draftLifetimeMs) return draft
    if (text !== null) dropDraft(place)
  } catch {
    // The browser gives no storage to this page: then nothing was stored.
  }
  return undefined
}

export function dropDraft(place: DraftPlace = 'localStorage'): void {
  try {
    globalThis[place].removeItem(draftKey)
  } catch {
    // As above.
  }
}

function parseDraft(text: string): StoredDraft | undefined {
  try {
    const draft: { [Key in keyof StoredDraft]?: unknown } | null = JSON.parse(text)
    const { startedAt, idempotencyKey, values } = draft ?? {}
    if (typeof startedAt !== 'number' || typeof idempotencyKey !== 'string') return undefined
    return typeof values === 'object' && values
      ? { startedAt, idempotencyKey, values: { ...values } }
      : undefined
  } catch {
    // Written by another program or by an older version of the form.
    return undefined
  }
}

const enlistedKey = 'nstp-enlisted'

/** From now on earlier forms of this tab come back without their answers: the next one at a phone may be somebody else. */
export function noteEnlisted(reference: string): void {
  try {
    // Once: its confirmation may be opened again while the next one fills the form in.
    const isNoted = sessionStorage.getItem(enlistedKey)?.startsWith(reference)
    if (!isNoted) sessionStorage.setItem(enlistedKey, reference)
  } catch {
    // As above.
  }
}

/** A form that is left was filled in after the tab's last enlistment: it keeps its answers. */
export function noteFormLeft(): void {
  try {
    const left = sessionStorage.getItem(enlistedKey)
    if (left !== null) sessionStorage.setItem(enlistedKey, `${left} ${historyEntry() ?? ''}`)
  } catch {
    // As above.
  }
}

/** Whether a form that came from the tab's history was filled in before the last enlistment. */
export function isBeforeEnlistment(): boolean {
  try {
    const left = sessionStorage.getItem(enlistedKey)
    const entry = historyEntry()
    return left !== null && (entry === undefined || !left.includes(entry))
  } catch {
    return false
  }
}

// Older versions of Safari and Firefox don't tell it: there any form is emptied.
function historyEntry(): string | undefined {
  return window.navigation?.currentEntry?.key
}

/** By Back or Forward, with what was typed into it. */
export function isFromHistory(): boolean {
  const [loaded] = performance.getEntriesByType('navigation')
  return loaded instanceof PerformanceNavigationTiming && loaded.type === 'back_forward'
}

export function hasAnswers(form: HTMLFormElement): boolean {
  return [...form.elements].some(isChanged)
}

export function isChanged(control: Node): boolean {
  if (control instanceof HTMLSelectElement) {
    const options = [...control.options]
    return control.value !== (options.find(({ defaultSelected }) => defaultSelected) ?? options[0])?.value
  }
  if (control instanceof HTMLTextAreaElement) return control.value !== control.defaultValue
  if (!(control instanceof HTMLInputElement)) return false
  const isTick = control.type === 'checkbox' || control.type === 'radio'
  return isTick ? control.checked !== control.defaultChecked : control.value !== control.defaultValue
}
