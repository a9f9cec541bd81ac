/** Where the browser's storage keeps the draft. */
export const draftKey = 'nstp-enlistment-draft'

/** A forgotten draft on a shared phone ends by itself, in milliseconds. */
export const draftLifetimeMs = 24 * 60 * 60 * 1000

/** Whether this device keeps a draft, however old: a reason to load the form's scripts. */
export function keepsDraft(): boolean {
  return ofStorage((store) => store.getItem(draftKey) !== null) ?? false
}

/** Whether a draft's day isn't over. A clock that was set back must not make a draft eternal. */
export function isInItsDay(startedAt: number, now: number): boolean {
  const age = now - startedAt
  return age >= 0 && age < draftLifetimeMs
}

/** Takes away a draft whose day is over. Every page does: the form itself may never be opened again. */
export function dropEndedDraft(): void {
  ofStorage((store) => {
    const text = store.getItem(draftKey)
    if (text !== null && !isInItsDay(startOf(text), Date.now())) store.removeItem(draftKey)
  })
}

/** Takes the draft away, whatever its age: its answers have been registered. */
export function dropDraft(): void {
  ofStorage((store) => store.removeItem(draftKey))
}

/** NaN, which lies in no day, for what isn't a draft. */
function startOf(text: string): number {
  try {
    const draft: unknown = JSON.parse(text)
    const isDraft = typeof draft === 'object' && draft !== null && 'startedAt' in draft
    return isDraft && typeof draft.startedAt === 'number' ? draft.startedAt : Number.NaN
  } catch {
    // Somebody else wrote it, or an older version of the form.
    return Number.NaN
  }
}

function ofStorage<T>(work: (store: Storage) => T): T | undefined {
  try {
    return work(localStorage)
  } catch {
    // The browser gives no storage to this page: then nothing was kept.
    return undefined
  }
}

/** Whether anything stands in the form that didn't come with the page. */
export function hasAnswers(form: HTMLFormElement): boolean {
  return [...form.elements].some((control) => {
    if (control instanceof HTMLSelectElement) return control.value !== initialChoice(control)
    if (control instanceof HTMLTextAreaElement) return control.value !== control.defaultValue
    if (!(control instanceof HTMLInputElement)) return false
    const isTick = control.type === 'checkbox' || control.type === 'radio'
    return isTick ? control.checked !== control.defaultChecked : control.value !== control.defaultValue
  })
}

/** The choice that a list came with. */
export function initialChoice({ options }: HTMLSelectElement): string {
  return ([...options].find(({ defaultSelected }) => defaultSelected) ?? options[0])?.value ?? ''
}
