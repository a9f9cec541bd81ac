import type { Challenge } from 'altcha-lib/types'
import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { challengeAgeMs, type FieldError, type ProblemCode } from '#shared/problem.ts'
import type {
  RegistrationBody,
  RegistrationOffer,
  RegistrationReceipt,
} from '#shared/registration/registration.ts'
import { showToast } from '#web/components/toaster.tsx'
import { api, callApi, slowApi } from '#web/lib/api.ts'
import { ApiProblem } from '#web/lib/api-problem.ts'
import { abortable, runAfter, runEvery } from '#web/lib/timers.ts'
import { type DraftPlace, draftKey, dropDraft, hasAnswers, isChanged, readDraft } from './draft-key.ts'
import { revealStep } from './form-progress.tsx'
import { bodyOf, controlNames, type FormValues, textOf, valuesOf } from './form-values.ts'
import { registrationSentences } from './registration-texts.tsx'

/** A refused plain form post, with everything that was typed. */
export interface RefusedPost {
  code: ProblemCode
  sentence: string
  errors: readonly FieldError[]
  values: FormValues
  idempotencyKey: string
  challenge?: string | undefined
}

export interface FailedSend {
  sentence: string
  canRetry: boolean
  /** In ms: sent again by itself, without a connection or when the server asks to wait. */
  resendMs?: number
}

export interface Enlisted {
  receipt: RegistrationReceipt
  nstpComponent: string
  initials: string
}

interface EnlistmentOptions {
  form: RefObject<HTMLFormElement | null>
  start: RegistrationOffer
  refused: RefusedPost | undefined
  onEnlisted: (enlisted: Enlisted) => void
}

const offeredFields: readonly string[] = ['course', 'academicYear', 'nstpComponent', 'dayCode']

// In ms. Browsers can take a dead connection for a live one, and then report no return.
const retryMs = 10_000

const loadRules = () => import('./registration-rules.ts')

/**
 * The form with scripts: checking, sending, retrying without loss. The sending code is bundled with
 * the form: a browser doesn't request a module again after a failed load.
 */
export function useEnlistment({ form, start, refused, onEnlisted }: EnlistmentOptions) {
  // A changed list removes no answer until the server refuses that answer.
  const [offer, setOffer] = useState(start)
  const [errors, setErrors] = useState<readonly FieldError[]>(() => refused?.errors.filter(isOfField) ?? [])
  const [failed, setFailed] = useState<FailedSend | undefined>(() => refused && failureOf(refused))
  const [isSending, setIsSending] = useState(false)
  // The first problem of the latest check: focused and announced.
  const [first, setFirst] = useState<FieldError>()
  // State changes with the next render, and a second press can come before it.
  const isBusy = useRef(false)
  // Asked for by the server, with its solution.
  const challenge = useRef('')

  useEffect(() => {
    // Fetched while the form is being filled in, so that a connection lost later doesn't matter.
    void Promise.allSettled([loadRules()])
  }, [])

  useEffect(() => {
    if (!first) return
    const field = document.getElementById(first.path)
    revealStep(field, first.path)
    field?.focus({ preventScroll: true })
    field?.scrollIntoView({ block: 'center' })
  }, [first])

  const resendMs = failed?.resendMs
  useEffect(() => {
    if (resendMs === undefined) return
    const resend = () => form.current?.requestSubmit()
    const stopRetries = runEvery(resendMs, () => navigator.onLine && resend())
    return abortable(({ signal }) => {
      window.addEventListener('online', resend, { signal })
      signal.addEventListener('abort', stopRetries)
    })
  }, [resendMs, form])

  async function send(data: FormData) {
    const values = valuesOf(data)
    const body = bodyOf(values)
    const problems = await findProblems(body, offer)
    setErrors(problems)
    setFirst(problems[0])
    if (problems.length > 0) return setFailed(undefined)
    try {
      // The same key for all tries: it is a field of the form, as for a post without scripts.
      const receipt = await sendRegistration(body, textOf(data, 'idempotencyKey'), challenge)
      const { nstpComponent, firstName, lastName } = values
      const initials = [firstName, lastName].map((name) => `${[...name.trim()][0]}.`).join(' ')
      onEnlisted({ receipt, nstpComponent, initials })
    } catch (error) {
      fail(error)
    }
  }

  function fail(error: unknown) {
    const { problems, ...reason } = explain(error)
    if (reason.resendMs !== undefined) return setFailed(reason)
    showToast({ type: 'error', message: registrationSentences.failed(reason.sentence) })
    setErrors(problems)
    setFirst(problems[0])
    setFailed(problems.length === 0 ? reason : undefined)
    if (problems.some(({ path }) => offeredFields.includes(path))) void refreshOffer()
  }

  async function refreshOffer() {
    // Without it the form stays as it is: the next try asks again.
    const newest = await callApi(api.registrations.offer.$get()).catch(() => undefined)
    if (newest) setOffer(newest)
  }

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isBusy.current) return
    isBusy.current = true
    // Before the rules have loaded, which can take long on a slow line.
    setIsSending(true)
    // A waiting form says so until its answer is there.
    setFailed((shown) => (shown?.resendMs === undefined ? undefined : shown))
    setFirst(undefined)
    try {
      await send(new FormData(event.currentTarget))
    } finally {
      isBusy.current = false
      setIsSending(false)
    }
  }

  // Removes an error that no longer applies; never adds one while the user types.
  async function clearFixedErrors(form: HTMLFormElement) {
    if (errors.length === 0) return
    const problems = await findProblems(bodyOf(valuesOf(new FormData(form))), offer)
    const broken = new Map(problems.map(({ path, message }) => [path, message]))
    setErrors((shown) => shown.filter(({ path, message }) => broken.get(path) === message))
  }

  async function check(form: HTMLFormElement, fields: readonly string[]) {
    // Read after the rules have loaded: the answers may change until then.
    await loadRules().catch(() => undefined)
    const problems = await findProblems(bodyOf(valuesOf(new FormData(form))), offer)
    setErrors((shown) => {
      const paths = new Set([...fields, ...shown.map(({ path }) => path)])
      return problems.filter(({ path }) => paths.has(path))
    })
    return problems.filter(({ path }) => fields.includes(path))
  }

  return {
    offer,
    errors,
    failed,
    isSending,
    isRefused: first !== undefined || refused !== undefined,
    announcement: first?.message ?? '',
    submit,
    clearFixedErrors,
    check,
  }
}

// Without the rules' module (connection lost) the server alone checks.
async function findProblems(...input: Parameters<Awaited<ReturnType<typeof loadRules>>['findProblems']>) {
  const rules = await loadRules().catch(() => undefined)
  return rules?.findProblems(...input) ?? []
}

const waiting = { canRetry: true, problems: [] }

function explain(error: unknown): FailedSend & { problems: readonly FieldError[] } {
  if (!(error instanceof ApiProblem)) {
    const isLate = error instanceof DOMException && error.name === 'TimeoutError'
    return { sentence: isLate ? late : 'Unknown error', canRetry: true, problems: [] }
  }
  const { code, errors = [], detail, status } = error.problem
  if (status === 0) return { ...waiting, sentence: registrationSentences.offline, resendMs: retryMs }
  if ((code === 'too_many_requests' || code === 'challenge_needed') && error.retryAfter !== undefined) {
    // Spread out, so that a campus doesn't return in the same second.
    const resendMs = error.retryAfter * 1000 * (1 + Math.random())
    return { ...waiting, sentence: registrationSentences.busy, resendMs }
  }
  return {
    sentence: detail || 'Unknown error',
    canRetry: code !== 'conflict',
    problems: errors.filter(isOfField),
  }
}

// A failure of the whole post is shown above the form, not at a field.
function failureOf({ code, sentence, errors }: RefusedPost): FailedSend | undefined {
  return errors.some(isOfField) ? undefined : { sentence, canRetry: code !== 'conflict' }
}

function isOfField({ path }: FieldError): boolean {
  return path !== ''
}

// In ms. 3 kB over a poor mobile connection: longer than other calls.
const timeoutMs = 30_000

const late = 'The server took too long to answer. Please try again: you will not be registered twice.'

/** Idempotent by its key. */
async function sendRegistration(
  body: RegistrationBody,
  key: string,
  challenge: RefObject<string>,
): Promise<RegistrationReceipt> {
  const post = () => {
    const header = { 'idempotency-key': key, 'registration-challenge': challenge.current }
    const init = { signal: AbortSignal.timeout(timeoutMs) }
    return callApi(slowApi.registrations.$post({ json: body, header }, { init }))
  }
  try {
    return await post()
  } catch (error) {
    const needed = error instanceof ApiProblem && error.problem.challenge
    if (!needed) throw error
    challenge.current = needed
    // What can't be solved is waited for: without the module, over plain HTTP, or after a minute and a half.
    challenge.current = await solved(needed).catch(() => Promise.reject(error))
    return await post()
  }
}

// The browser computes each try outside of the page's thread, so a slow phone stays usable.
async function solved(text: string): Promise<string> {
  const { solveChallenge } = await import('altcha-lib')
  const { deriveKey } = await import('altcha-lib/algorithms/web/pbkdf2')
  const challenge: Challenge = JSON.parse(text)
  const isOfAge = new Promise<void>((resolve) => void runAfter(challengeAgeMs, () => resolve()))
  const solution = await solveChallenge({ challenge, deriveKey })
  await isOfAge
  if (!solution) throw new Error('not solved in time')
  return JSON.stringify({ ...challenge, solution })
}

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
  /** The page is left, and no answer is lost. */
  onLeave: () => void
}

type DraftState = 'off' | 'kept' | 'restored' | 'refused'

/** Stores the answers on the device while the box is ticked: opt-in, for at most one day. */
export function useDraft({ form, box, canRestore, onRestored, onLeave }: DraftOptions) {
  const [state, setState] = useState<DraftState>('off')
  const startedAt = useRef<number>(undefined)
  const stopTimer = useRef<() => void>(undefined)
  // Set once the draft was stored: if it is missing later, the user deleted it.
  const isSaved = useRef(false)

  function save() {
    stopTimer.current?.()
    // An emptied form's box is unticked.
    if (startedAt.current === undefined || !form.current || !box.current?.checked) return
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
    stopTimer.current?.()
    startedAt.current = undefined
    isSaved.current = false
    if (box.current) box.current.checked = false
    setState('off')
    dropDraft()
  }

  function schedule() {
    if (startedAt.current === undefined) return
    stopTimer.current?.()
    stopTimer.current = runAfter(pauseMs, save)
  }

  function carryOver({ target }: MouseEvent) {
    const isSwitch = target instanceof Element && target.closest('a[href*="/language/"]') !== null
    if (!isSwitch || !form.current || !hasAnswers(form.current)) return
    const data = new FormData(form.current)
    try {
      saveDraft(valuesOf(data), textOf(data, 'idempotencyKey'), Date.now(), 'sessionStorage')
      onLeave()
    } catch {
      // The browser asks before it leaves the page.
    }
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page's scripts have arrived
  useEffect(() => {
    const carried = readDraft('sessionStorage')
    dropDraft('sessionStorage')
    if (carried && canRestore && form.current) {
      fillForm(form.current, storedNames, (name) => carried.values[name])
      onRestored(carried.idempotencyKey)
    }
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
    // Not when it is shown again: on a page kept by the browser the answers may be older than the draft.
    const saveHidden = () => document.hidden && save()
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
export function saveDraft(
  given: Partial<FormValues>,
  idempotencyKey: string,
  startedAt: number,
  place: DraftPlace = 'localStorage',
): void {
  const values = Object.fromEntries(storedNames.map((name) => [name, given[name] || undefined]))
  globalThis[place].setItem(draftKey, JSON.stringify({ startedAt, idempotencyKey, values }))
}
