export const draftKey = 'nstp-enlistment-draft'

// One hour in ms. Drafts expire, because a phone may be shared.
const hour = 60 * 60 * 1000

/**
 * Where answers are stored: of this tab always, on the device while the box is ticked, and on the device while a
 * submitted enlistment waits for the connection.
 */
export const draftPlaces = {
  tab: { storage: 'sessionStorage', key: draftKey, lifetimeMs: hour },
  device: { storage: 'localStorage', key: draftKey, lifetimeMs: 24 * hour },
  waiting: { storage: 'localStorage', key: 'nstp-enlistment-waiting', lifetimeMs: 24 * hour },
} as const

export type DraftPlace = keyof typeof draftPlaces

export interface StoredDraft {
  startedAt: number
  /** Stored so that a registration whose answer got lost is sent again under the same key after a reload. */
  idempotencyKey: string
  values: Record<string, unknown>
  /** Submitted with a social security number, which isn't stored. */
  asksNumber: boolean
}

/** Deletes an expired draft. */
export function readDraft(place: DraftPlace): StoredDraft | undefined {
  const { storage, key, lifetimeMs } = draftPlaces[place]
  try {
    const text = globalThis[storage].getItem(key)
    const draft = text === null ? undefined : parseDraft(text)
    const age = Date.now() - (draft?.startedAt ?? Number.NaN)
    // Before 0 the clock was set back, which must not keep a draft for ever.
    if (age >= 0 && age < lifetimeMs) return draft
    if (text !== null) dropDraft(place)
  } catch {
    // The browser gives no storage to this page: then nothing was stored.
  }
  return undefined
}

const allPlaces = ['tab', 'device', 'waiting'] as const satisfies DraftPlace[]

/** Called on every page, since the user may never open the form again. */
export function dropExpiredDrafts(): void {
  for (const place of allPlaces) readDraft(place)
}

/** Deletes the answers of this tab and those kept on the device, but not a submitted enlistment that waits for the connection. */
export const forgetDrafts = () => dropDraft('tab', 'device')

export function hasDraft(): boolean {
  return allPlaces.some((place) => readDraft(place) !== undefined)
}

export function dropDraft(...places: readonly DraftPlace[]): void {
  for (const place of places) {
    const { storage, key } = draftPlaces[place]
    try {
      globalThis[storage].removeItem(key)
    } catch {
      // The browser gives no storage to this page.
    }
  }
}

function parseDraft(text: string): StoredDraft | undefined {
  try {
    const draft: { [Key in keyof StoredDraft]?: unknown } | null = JSON.parse(text)
    const { startedAt, idempotencyKey, values, asksNumber } = draft ?? {}
    if (typeof startedAt !== 'number' || typeof idempotencyKey !== 'string') return undefined
    return typeof values === 'object' && values
      ? { startedAt, idempotencyKey, values: { ...values }, asksNumber: asksNumber === true }
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
    if (sessionStorage.getItem(enlistedKey)?.startsWith(reference)) return
    sessionStorage.setItem(enlistedKey, reference)
  } catch {
    // The browser gives no storage to this page.
  }
  forgetDrafts()
}

/** A form that is left was filled in after the tab's last enlistment: it keeps its answers. */
export function noteFormLeft(): void {
  try {
    const left = sessionStorage.getItem(enlistedKey)
    if (left !== null) sessionStorage.setItem(enlistedKey, `${left} ${historyEntry() ?? ''}`)
  } catch {
    // The browser gives no storage to this page.
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

/** Whether the page was opened by Back or Forward, with what was typed into it. */
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
