export const draftKey = 'nstp-enlistment-draft'

// In ms: a draft on a shared phone expires.
export const draftLifetimeMs = 24 * 60 * 60 * 1000

export function hasStoredDraft(): boolean {
  return withStorage((store) => store.getItem(draftKey) !== null) ?? false
}

/**
 * False for a start in the future too: a clock that was set back must not keep a draft for ever.
 */
export function isWithinLifetime(startedAt: number, now: number): boolean {
  const age = now - startedAt
  return age >= 0 && age < draftLifetimeMs
}

/** Runs on every page: the user may never open the form again. */
export function dropExpiredDraft(): void {
  withStorage((store) => {
    const text = store.getItem(draftKey)
    if (text !== null && !isWithinLifetime(startOf(text), Date.now())) store.removeItem(draftKey)
  })
}

export function dropDraft(): void {
  withStorage((store) => store.removeItem(draftKey))
}

// NaN for a text that isn't a draft.
function startOf(text: string): number {
  try {
    const draft: unknown = JSON.parse(text)
    const isDraft = typeof draft === 'object' && draft !== null && 'startedAt' in draft
    return isDraft && typeof draft.startedAt === 'number' ? draft.startedAt : Number.NaN
  } catch {
    // Written by another program or by an older version of the form.
    return Number.NaN
  }
}

function withStorage<T>(work: (store: Storage) => T): T | undefined {
  try {
    return work(localStorage)
  } catch {
    // The browser gives no storage to this page: then nothing was stored.
    return undefined
  }
}

export function hasAnswers(form: HTMLFormElement): boolean {
  return [...form.elements].some((control) => {
    if (control instanceof HTMLSelectElement) return control.value !== initialChoice(control)
    if (control instanceof HTMLTextAreaElement) return control.value !== control.defaultValue
    if (!(control instanceof HTMLInputElement)) return false
    const isTick = control.type === 'checkbox' || control.type === 'radio'
    return isTick ? control.checked !== control.defaultChecked : control.value !== control.defaultValue
  })
}

export function initialChoice({ options }: HTMLSelectElement): string {
  return ([...options].find(({ defaultSelected }) => defaultSelected) ?? options[0])?.value ?? ''
}
