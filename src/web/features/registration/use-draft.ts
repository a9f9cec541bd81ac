import { type RefObject, useEffect, useRef, useState } from 'react'
import { abortable, runAfter } from '#web/lib/timers.ts'
import {
  type DraftPlace,
  draftKey,
  draftPlaces,
  dropDraft,
  hasAnswers,
  isChanged,
  readDraft,
  type StoredDraft,
} from './draft-key.ts'
import { controlNames, type FormValues, textOf, valuesOf } from './form-values.ts'

// Debounce in ms; leaving the page saves at once.
const pauseMs = 400

interface DraftOptions {
  form: RefObject<HTMLFormElement | null>
  /** The checkbox: it may have been ticked before scripts arrived. */
  box: RefObject<HTMLInputElement | null>
  /** False after a refused plain post: an older draft must not replace what was just typed. */
  canRestore: boolean
  /** The form has the answers of the draft again. */
  onRestored: (draft: StoredDraft) => void
  /** They were submitted, and not sent. */
  onWaiting: (draft: StoredDraft) => void
  /** The page is left, and no answer is lost. */
  onLeave: () => void
}

/** The state of the answers that the student chose to keep on the device. */
type DraftState = 'off' | 'kept' | 'restored' | 'refused'

/** Stores the answers for a reload of this tab, and on the device while the box is ticked: opt-in, for at most one day. */
export function useDraft({ form, box, canRestore, onRestored, onWaiting, onLeave }: DraftOptions) {
  const [state, setState] = useState<DraftState>('off')
  const [restored, setRestored] = useState<'answers' | 'waiting'>()
  const startedAt = useRef<number>(undefined)
  const stopTimer = useRef<() => void>(undefined)
  // Set once the draft was stored: if it is missing later, the user deleted it.
  const isSaved = useRef(false)
  // Sent or discarded: nothing is stored again.
  const isOver = useRef(false)

  /** @returns whether the answers survive the page */
  function save(): boolean {
    stopTimer.current?.()
    if (!form.current || isOver.current) return false
    const data = new FormData(form.current)
    const values = valuesOf(data)
    const key = textOf(data, 'idempotencyKey')
    saveOnDevice(values, key)
    if (isOwn(readDraft('waiting'), key)) keepWaiting(values, key)
    if (!canRestore || hasAnswers(form.current)) return saveDraft('tab', values, key, Date.now())
    // An emptied form: what is stored may be the next student's.
    if (isOwn(readDraft('tab'), key)) dropDraft('tab')
    return false
  }

  function saveOnDevice(values: FormValues, key: string) {
    // An emptied form's box is unticked.
    if (startedAt.current === undefined || !box.current?.checked) return
    // Submitted or unticked in another tab: what was deleted there must not come back from here.
    if (isSaved.current && !readDraft('device')) return stop()
    isSaved.current = saveDraft('device', values, key, startedAt.current)
    if (isSaved.current) return
    // A private window or no space left: report it, since nothing is stored.
    stop()
    setState('refused')
  }

  function start() {
    startedAt.current = Date.now()
    setState('kept')
    save()
  }

  function stop() {
    startedAt.current = undefined
    isSaved.current = false
    if (box.current) box.current.checked = false
    setState('off')
    dropDraft('device')
  }

  function forget() {
    isOver.current = true
    stopTimer.current?.()
    stop()
    if (form.current) dropDrafts(textOf(new FormData(form.current), 'idempotencyKey'))
  }

  function schedule() {
    stopTimer.current?.()
    stopTimer.current = runAfter(pauseMs, save)
  }

  function carryOver({ target }: MouseEvent) {
    const isSwitch = target instanceof Element && target.closest('a[href*="/language/"]') !== null
    // If nothing could be stored, the browser asks before it leaves the page.
    if (isSwitch && save()) onLeave()
  }

  function restore(form: HTMLFormElement) {
    const [place, draft] = findDraft() ?? []
    if (!place || !draft) return
    fillForm(form, namesIn(place), (name) => draft.values[name])
    setRestored(place === 'waiting' ? 'waiting' : 'answers')
    onRestored(draft)
    if (place === 'waiting') onWaiting(draft)
    const device = readDraft('device')
    if (!device || !isOwn(device, draft.idempotencyKey) || !box.current) return
    box.current.checked = true
    startedAt.current = device.startedAt
    isSaved.current = true
    setState('restored')
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page's scripts have arrived
  useEffect(() => {
    if (canRestore && form.current) restore(form.current)
    if (startedAt.current === undefined && box.current?.checked) start()

    const saveNow = () => void save()
    // Not when it is shown again: on a page kept by the browser the answers may be older than the draft.
    const saveHidden = () => void (document.hidden && save())
    const followOtherTab = ({ key, newValue }: StorageEvent) => {
      const isDeleted = newValue === null && (key === draftKey || key === null)
      if (isDeleted && startedAt.current !== undefined) stop()
    }
    return abortable(({ signal }) => {
      window.addEventListener('storage', followOtherTab, { signal })
      window.addEventListener('pagehide', saveNow, { signal })
      document.addEventListener('visibilitychange', saveHidden, { signal })
      document.addEventListener('click', carryOver, { signal })
      signal.addEventListener('abort', saveNow)
    })
  }, [])

  return { state, restored, start, stop, forget, schedule }
}

// What this tab was typing comes before what somebody else left on the device.
function findDraft(): readonly [DraftPlace, StoredDraft] | undefined {
  const [tab, waiting, device] = [readDraft('tab'), readDraft('waiting'), readDraft('device')]
  if (waiting && (!tab || isOwn(tab, waiting.idempotencyKey))) return ['waiting', waiting]
  if (tab) return ['tab', tab]
  return device && ['device', device]
}

const isOwn = (draft: StoredDraft | undefined, key: string) => draft?.idempotencyKey === key

/** Fills only controls as the page came: what was typed before scripts arrived is newer. */
export function fillForm(
  form: HTMLFormElement,
  names: readonly (keyof FormValues)[],
  answerOf: (name: keyof FormValues) => unknown,
) {
  for (const name of names) {
    const answer = answerOf(name)
    const control = form.elements.namedItem(name)
    if (control && typeof answer === 'string' && answer !== '') fill(control, answer)
  }
  form.dispatchEvent(new Event('input', { bubbles: true }))
}

function fill(control: Element | RadioNodeList, answer: string) {
  if ((control instanceof RadioNodeList ? [...control] : [control]).some(isChanged)) return
  if (control instanceof HTMLInputElement && control.type === 'checkbox') control.checked = true
  // A choice that is no longer on offer stays empty.
  else if (control instanceof HTMLSelectElement) control.value = isOnOffer(control, answer) ? answer : ''
  else if ('value' in control) control.value = answer
}

const isOnOffer = ({ options }: HTMLSelectElement, answer: string) =>
  [...options].some(({ value }) => value === answer)

// Government numbers are never stored on a device, and consent is required each time.
const storedNames = controlNames.filter((name) => name !== 'socialSecurityNumber')

// A submitted enlistment also stores its consents, which were given when it was submitted.
const namesIn = (place: DraftPlace): readonly (keyof FormValues)[] =>
  place === 'waiting' ? [...storedNames, 'consent', 'guardianConsent', 'dayCode'] : storedNames

/** @returns false when storage is refused (private window, no space) */
export function saveDraft(
  place: DraftPlace,
  given: Partial<FormValues>,
  idempotencyKey: string,
  startedAt: number,
  asksNumber = false,
): boolean {
  const values = Object.fromEntries(namesIn(place).map((name) => [name, given[name] || undefined]))
  const { storage, key } = draftPlaces[place]
  try {
    globalThis[storage].setItem(key, JSON.stringify({ startedAt, idempotencyKey, values, asksNumber }))
    return true
  } catch {
    return false
  }
}

/** Stores a submitted enlistment until the server has decided. @returns false when it is in the page alone */
export function keepWaiting(values: FormValues, key: string): boolean {
  const stored = readDraft('waiting')
  // Somebody else's waits already.
  if (stored && !isOwn(stored, key)) return false
  const asksNumber = values.socialSecurityNumber !== '' || stored?.asksNumber === true
  return saveDraft('waiting', values, key, stored?.startedAt ?? Date.now(), asksNumber)
}

export function endWaiting(key: string): void {
  if (isOwn(readDraft('waiting'), key)) dropDraft('waiting')
}

/** Deletes the drafts of the form with this key: another student's enlistment may still wait. */
export function dropDrafts(key: string): void {
  dropDraft('tab', 'device')
  endWaiting(key)
}
