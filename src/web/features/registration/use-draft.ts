import { type RefObject, useEffect, useRef, useState } from 'react'
import { abortable, runAfter } from '#web/lib/timers.ts'
import {
  dropDraft,
  hasAnswers,
  isChanged,
  readDraft,
  readKept,
  type StoredDraft,
  saveText,
} from './draft-key.ts'
import { composeBirthDate, controlNames, type FormValues, textOf, valuesOf } from './form-values.ts'
import { createKeptCopy } from './kept-copy.ts'

// Debounce in ms; leaving the page saves the tab's copy at once.
const pauseMs = 400

interface DraftOptions {
  form: RefObject<HTMLFormElement | null>
  /** False after a refused plain post: an older draft must not replace what was just typed. */
  canRestore: boolean
  /** The form has the answers of the draft again, after a reload of the tab or since they were asked for. */
  onRestored: (draft: StoredDraft, isReload: boolean) => void
  /** They were submitted, and not sent. */
  onWaiting: (draft: StoredDraft) => void
  /** The page is left, and no answer is lost. */
  onLeave: () => void
}

/** What the device has, of whom isn't known: it is shown after the birth date only. */
export interface DraftOffer {
  waiting: StoredDraft | undefined
  /** When kept answers were typed. */
  keptAt: number | undefined
}

/** Stores the answers for a reload of this tab, and on the device for an hour, encrypted by the birth date. */
export function useDraft({ form, canRestore, onRestored, onWaiting, onLeave }: DraftOptions) {
  const [restored, setRestored] = useState<'answers' | 'waiting'>()
  const [offer, setOffer] = useState<DraftOffer>()
  const [kept] = useState(createKeptCopy)
  const stopTimer = useRef<() => void>(undefined)
  // Sent or discarded: nothing is stored again.
  const isOver = useRef(false)

  /** @returns whether the answers survive the page */
  function save(): boolean {
    stopTimer.current?.()
    if (!form.current || isOver.current) return false
    const data = new FormData(form.current)
    const values = valuesOf(data)
    const key = textOf(data, 'idempotencyKey')
    // A submitted one is in its own place alone.
    if (isOwn(readDraft('waiting'), key)) return keepWaiting(values, key)
    if (canRestore && !hasAnswers(form.current)) {
      // An emptied form: what is stored may be the next student's.
      kept.drop()
      if (isOwn(readDraft('tab'), key)) dropDraft('tab')
      return false
    }
    const draft = draftOf('tab', values, key, Date.now())
    void kept.save(composeBirthDate(values), draft)
    return saveText('tab', JSON.stringify(draft))
  }

  function forget() {
    isOver.current = true
    stopTimer.current?.()
    kept.drop()
    if (form.current) dropDrafts(textOf(new FormData(form.current), 'idempotencyKey'))
  }

  /** The enlistment is submitted: what was typed has its own place until it is sent. */
  function endCopies() {
    stopTimer.current?.()
    kept.drop()
    dropDraft('tab')
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

  function bringBack(place: 'tab' | 'waiting', draft: StoredDraft, isReload: boolean) {
    if (!form.current) return
    fillForm(form.current, namesIn(place), (name) => draft.values[name])
    setRestored(place === 'waiting' ? 'waiting' : 'answers')
    onRestored(draft, isReload)
    if (place === 'waiting') onWaiting(draft)
  }

  /** @returns false when nothing on the device is of a student with this birth date */
  async function open(birthDate: string): Promise<boolean> {
    const waiting = readDraft('waiting')
    const isOfWaiting = waiting !== undefined && composeBirthDate(answersOf(waiting)) === birthDate
    const draft = isOfWaiting ? waiting : await kept.open(birthDate)
    if (!draft) return false
    setOffer(undefined)
    bringBack(isOfWaiting ? 'waiting' : 'tab', draft, false)
    return true
  }

  /** The waiting enlistment was sent. */
  function endOffer() {
    setOffer((shown) => shown && findOffer(shown.keptAt !== undefined))
  }

  function startAnew() {
    dropDraft('device')
    setOffer(findOffer())
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page's scripts have arrived
  useEffect(() => {
    // Only what this very tab was typing comes back unasked.
    const ofTab = canRestore ? readDraft('tab') : undefined
    if (ofTab) bringBack('tab', ofTab, true)
    setOffer(findOffer(canRestore && !ofTab))

    const saveNow = () => void save()
    // Not when it is shown again: on a page kept by the browser the answers may be older than the draft.
    const saveHidden = () => void (document.hidden && save())
    return abortable(({ signal }) => {
      window.addEventListener('pagehide', saveNow, { signal })
      document.addEventListener('visibilitychange', saveHidden, { signal })
      document.addEventListener('click', carryOver, { signal })
      signal.addEventListener('abort', saveNow)
    })
  }, [])

  return { restored, offer, open, endOffer, startAnew, forget, endCopies, schedule }
}

/** @param isEmpty whether the form may take the kept answers */
function findOffer(isEmpty = true): DraftOffer | undefined {
  const waiting = readDraft('waiting')
  const keptAt = isEmpty ? readKept()?.startedAt : undefined
  return waiting || keptAt !== undefined ? { waiting, keptAt } : undefined
}

/** The answers of a stored draft, as the form had them. */
export function answersOf({ values }: StoredDraft): FormValues {
  const data = new FormData()
  for (const [name, value] of Object.entries(values)) {
    if (typeof value === 'string') data.set(name, value)
  }
  return valuesOf(data)
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
const namesIn = (place: 'tab' | 'waiting'): readonly (keyof FormValues)[] =>
  place === 'waiting' ? [...storedNames, 'consent', 'guardianConsent', 'dayCode'] : storedNames

export function draftOf(
  place: 'tab' | 'waiting',
  given: Partial<FormValues>,
  idempotencyKey: string,
  startedAt: number,
  asksNumber = false,
): StoredDraft {
  const values = Object.fromEntries(namesIn(place).map((name) => [name, given[name] || undefined]))
  return { startedAt, idempotencyKey, values, asksNumber }
}

/** Stores a submitted enlistment until the server has decided. @returns false when it is in the page alone */
export function keepWaiting(values: FormValues, key: string): boolean {
  const stored = readDraft('waiting')
  // Somebody else's waits already.
  if (stored && !isOwn(stored, key)) return false
  const asksNumber = values.socialSecurityNumber !== '' || stored?.asksNumber === true
  const draft = draftOf('waiting', values, key, stored?.startedAt ?? Date.now(), asksNumber)
  return saveText('waiting', JSON.stringify(draft))
}

export function endWaiting(key: string): void {
  if (isOwn(readDraft('waiting'), key)) dropDraft('waiting')
}

/** Deletes the drafts of the form with this key: another student's enlistment may still wait. */
export function dropDrafts(key: string): void {
  dropDraft('tab', 'device')
  endWaiting(key)
}
