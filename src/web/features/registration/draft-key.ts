import type { LockedText } from './draft-lock.ts'

export const draftKey = 'nstp-enlistment-draft'

// An hour in ms. Drafts expire, because a phone may be shared.
const hour = 60 * 60 * 1000

/**
 * Where answers are stored: of this tab, on the device encrypted by the birth date, and on the device while a submitted
 * enlistment waits for the connection.
 */
export const draftPlaces = {
  tab: { storage: 'sessionStorage', key: draftKey, lifetimeMs: hour },
  device: { storage: 'localStorage', key: draftKey, lifetimeMs: hour },
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

export interface KeptDraft extends LockedText {
  /** When its last answer was typed. */
  startedAt: number
}

export const readDraft = (place: 'tab' | 'waiting') => readStored(place, parseDraft)

/** The encrypted answers of the device. */
export const readKept = () => readStored('device', parseKept)

/** Deletes what has expired, or can't be read. */
function readStored<Stored extends { startedAt: number }>(
  place: DraftPlace,
  parse: (text: string) => Stored | undefined,
): Stored | undefined {
  const { storage, key, lifetimeMs } = draftPlaces[place]
  try {
    const text = globalThis[storage].getItem(key)
    const stored = text === null ? undefined : parse(text)
    const age = Date.now() - (stored?.startedAt ?? Number.NaN)
    // A negative age means that the clock was set back, which must not keep a draft for ever.
    if (age >= 0 && age < lifetimeMs) return stored
    if (text !== null) dropDraft(place)
  } catch {
    // The browser gives no storage to this page: then nothing was stored.
  }
  return undefined
}

/** @returns false when storage is refused (private window, no space) */
export function saveText(place: DraftPlace, text: string): boolean {
  const { storage, key } = draftPlaces[place]
  try {
    globalThis[storage].setItem(key, text)
    return true
  } catch {
    return false
  }
}

/** Called on every page, since the user may never open the form again. Reading a draft deletes it once it has expired. */
export function dropExpiredDrafts(): void {
  readAll()
}

/** Deletes the answers of this tab: what the device has may be another student's. */
export const forgetDrafts = () => dropDraft('tab')

export function hasDraft(): boolean {
  return readAll().some((draft) => draft !== undefined)
}

const readAll = () => [readDraft('tab'), readDraft('waiting'), readKept()]

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

/** @returns undefined for what another program or an older version of the form has written */
export function parseDraft(text: string): StoredDraft | undefined {
  const { startedAt, idempotencyKey, values, asksNumber } = membersOf<StoredDraft>(text)
  if (typeof startedAt !== 'number' || typeof idempotencyKey !== 'string') return undefined
  return typeof values === 'object' && values
    ? { startedAt, idempotencyKey, values: { ...values }, asksNumber: asksNumber === true }
    : undefined
}

function parseKept(text: string): KeptDraft | undefined {
  const { startedAt, salt, iv, data } = membersOf<KeptDraft>(text)
  if (typeof startedAt !== 'number' || typeof salt !== 'string') return undefined
  return typeof iv === 'string' && typeof data === 'string' ? { startedAt, salt, iv, data } : undefined
}

function membersOf<Stored>(text: string): { [Key in keyof Stored]?: unknown } {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {}
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
