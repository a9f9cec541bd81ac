import { type RefObject, useEffect, useRef, useState } from 'react'
import { composeBirthDate } from '#web/lib/birth-date.ts'
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
import { controlNames, type FormValues, textOf, valuesOf } from './form-values.ts'
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
  onWaiting: (draft: StoredDraft, hadAnswers: boolean) => void
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
  // Saving alone does not make answers newer.
  const typedAt = useRef(0)

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
    const draft = draftOf('tab', values, key, typedAt.current)
    // What was offered is replaced.
    void kept.save(composeBirthDate(values), draft).then((isKept) => isKept && setOffer(withoutKept))
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

  function noteInput() {
    typedAt.current = Date.now()
    schedule()
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

  /** @param isReload else what the form has is replaced: it may be another student's */
  function bringBack(place: 'tab' | 'waiting', draft: StoredDraft, isReload: boolean) {
    if (!form.current) return
    const hadAnswers = !canRestore || hasAnswers(form.current)
    if (!isReload) form.current.reset()
    fillForm(form.current, (name) => draft.values[name], !isReload)
    // Submitted answers are stored for longer, and those of a refused one for an hour from now.
    if (place === 'tab') typedAt.current = draft.startedAt
    setRestored(place === 'waiting' ? 'waiting' : 'answers')
    onRestored(draft, isReload)
    if (place === 'waiting') onWaiting(draft, hadAnswers)
  }

  /** @returns false when nothing on the device is of a student with this birth date */
  async function open(birthDate: string): Promise<boolean> {
    const waiting = readDraft('waiting')
    const isOfWaiting = waiting !== undefined && isBornOn(waiting, birthDate)
    // Only what is offered: what this form itself keeps is in it already.
    const ofKept = async () => (offer?.keptAt === undefined ? undefined : await kept.open(birthDate))
    const draft = isOfWaiting ? waiting : await ofKept()
    if (!draft) return false
    stopTimer.current?.()
    // Without this, another student's copy, which this form typed before, would be taken for that of the one it has now.
    if (isOfWaiting) kept.leave()
    // Another student's enlistment is sent further on.
    setOffer((current) => (isOfWaiting ? undefined : withoutKept(current)))
    bringBack(isOfWaiting ? 'waiting' : 'tab', draft, false)
    return true
  }

  function startAnew() {
    dropDraft('device')
    // What is typed from now on is kept again.
    kept.leave()
    setOffer(withoutKept)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page's scripts have arrived
  useEffect(() => {
    // Only what this very tab was typing comes back unasked.
    typedAt.current = Date.now()
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

  return { restored, offer, open, startAnew, forget, endCopies, noteInput, schedule }
}

const withoutKept = (offer: DraftOffer | undefined): DraftOffer | undefined =>
  offer?.waiting && { waiting: offer.waiting, keptAt: undefined }

/** @param isEmpty whether the form may take the kept answers */
function findOffer(isEmpty: boolean): DraftOffer | undefined {
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

export const isBornOn = (draft: StoredDraft, birthDate: string) =>
  composeBirthDate(answersOf(draft)) === birthDate

const isOwn = (draft: StoredDraft | undefined, key: string) => draft?.idempotencyKey === key

/**
 * Fills only controls as the page came: what was typed before scripts arrived is newer.
 * @param replaces leaves no other answer in the form, also where there is none for it
 */
export function fillForm(
  form: HTMLFormElement,
  answerOf: (name: keyof FormValues) => unknown,
  replaces = false,
) {
  for (const name of [...controlNames, ...consentNames]) {
    const answer = answerOf(name)
    const text = typeof answer === 'string' ? answer : ''
    const found = form.elements.namedItem(name)
    const controls = found instanceof RadioNodeList ? [...found] : [found]
    if (!replaces && (text === '' || controls.some((control) => control && isChanged(control)))) continue
    for (const control of controls) fill(control, text)
  }
  form.dispatchEvent(new Event('input', { bubbles: true }))
}

function fill(control: Node | null, answer: string) {
  if (control instanceof HTMLInputElement && ['checkbox', 'radio'].includes(control.type)) {
    control.checked = control.value === answer
  }
  // A choice that is no longer on offer stays empty.
  else if (control instanceof HTMLSelectElement) control.value = isOnOffer(control, answer) ? answer : ''
  else if (control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement)
    control.value = answer
}

const isOnOffer = ({ options }: HTMLSelectElement, answer: string) =>
  [...options].some(({ value }) => value === answer)

// Government numbers are never stored on a device, and consent is required each time.
const storedNames = controlNames.filter((name) => name !== 'socialSecurityNumber')

const consentNames = ['consent', 'guardianConsent', 'dayCode'] as const

// A submitted enlistment also stores its consents, which were given when it was submitted.
const namesIn = (place: 'tab' | 'waiting'): readonly (keyof FormValues)[] =>
  place === 'waiting' ? [...storedNames, ...consentNames] : storedNames

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

/**
 * Deletes the drafts of the form with this key: another student's enlistment may still wait. Kept answers are deleted by
 * the copy that stored them.
 */
export function dropDrafts(key: string): void {
  dropDraft('tab')
  endWaiting(key)
}
