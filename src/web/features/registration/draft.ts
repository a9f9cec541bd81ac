import { type RefObject, useEffect, useRef, useState } from 'react'
import { draftKey, dropDraft, isChanged, readDraft } from './draft-key.ts'
import { controlNames, type FormValues, textOf, valuesOf } from './form-values.ts'

// Debounce in ms; leaving the page saves at once.
const pauseMs = 400

interface DraftOptions {
  form: RefObject<HTMLFormElement | null>
  /** The checkbox: it may have been ticked before scripts arrived. */
  box: RefObject<HTMLInputElement | null>
  /** False after a refused plain post: an older draft must not replace what was just typed. */
  canRestore: boolean
  /** Restores the draft's idempotency key. */
  onRestored: (idempotencyKey: string) => void
}

type DraftState = 'off' | 'kept' | 'restored' | 'refused'

/** Stores the answers on the device while the box is ticked: opt-in, for at most one day. */
export function useDraft({ form, box, canRestore, onRestored }: DraftOptions) {
  const [state, setState] = useState<DraftState>('off')
  const startedAt = useRef<number>(undefined)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  // Set once the draft was stored: if it is missing later, the user deleted it.
  const isSaved = useRef(false)

  function save() {
    clearTimeout(timer.current)
    if (startedAt.current === undefined || !form.current) return
    // Submitted or unticked in another tab: what was deleted there must not come back from here.
    if (isSaved.current && !readDraft()) return stop()
    const data = new FormData(form.current)
    try {
      saveDraft(valuesOf(data), textOf(data, 'idempotencyKey'), startedAt.current)
      isSaved.current = true
    } catch {
      // A private window or no space left: report it, since nothing is stored.
      stop()
      setState('refused')
    }
  }

  function start() {
    startedAt.current = Date.now()
    setState('kept')
    save()
  }

  function stop() {
    clearTimeout(timer.current)
    startedAt.current = undefined
    isSaved.current = false
    if (box.current) box.current.checked = false
    setState('off')
    dropDraft()
  }

  function schedule() {
    if (startedAt.current === undefined) return
    clearTimeout(timer.current)
    timer.current = setTimeout(save, pauseMs)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page's scripts have arrived
  useEffect(() => {
    const draft = readDraft()
    if (draft && canRestore && form.current && box.current) {
      fillForm(form.current, storedNames, (name) => draft.values[name])
      onRestored(draft.idempotencyKey)
      box.current.checked = true
      startedAt.current = draft.startedAt
      isSaved.current = true
      setState('restored')
    } else if (box.current?.checked) start()

    const saveNow = () => save()
    const followOtherTab = ({ key, newValue }: StorageEvent) => {
      const isDeleted = newValue === null && (key === draftKey || key === null)
      if (isDeleted && startedAt.current !== undefined) stop()
    }
    window.addEventListener('storage', followOtherTab)
    window.addEventListener('pagehide', saveNow)
    document.addEventListener('visibilitychange', saveNow)
    return () => {
      window.removeEventListener('storage', followOtherTab)
      window.removeEventListener('pagehide', saveNow)
      document.removeEventListener('visibilitychange', saveNow)
      save()
    }
  }, [])

  return { state, start, stop, schedule }
}

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

/**
 * @param startedAt saving again doesn't extend the draft's day @throws when storage is refused
 * (private window, no space)
 */
export function saveDraft(given: Partial<FormValues>, idempotencyKey: string, startedAt: number): void {
  const values = Object.fromEntries(storedNames.map((name) => [name, given[name] || undefined]))
  localStorage.setItem(draftKey, JSON.stringify({ startedAt, idempotencyKey, values }))
}
