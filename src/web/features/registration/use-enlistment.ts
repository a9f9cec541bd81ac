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
import { ApiProblem, sentenceOf } from '#web/lib/api-problem.ts'
import { submitForm, timeLimit } from '#web/lib/older-browsers.ts'
import { abortable, runAfter, runEvery } from '#web/lib/timers.ts'
import { revealStep } from './form-progress.tsx'
import { bodyOf, type FormValues, textOf, valuesOf } from './form-values.ts'
import { registrationSentences } from './registration-texts.tsx'
import { endWaiting, keepWaiting } from './use-draft.ts'

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
  /** The enlistment is sent again after this time (ms): there is no connection, or the server asks to wait. */
  resendMs?: number
  /** The enlistment already waited when the page was opened. */
  isRestored?: boolean
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
  /** It is submitted, and stored until it is sent. */
  onKept: () => void
  onEnlisted: (enlisted: Enlisted) => void
}

const offeredFields: readonly string[] = ['course', 'academicYear', 'nstpComponent', 'dayCode']

// The pause before a retry, in ms. Browsers can take a dead connection for a live one, and then report no return.
export const retryMs = 10_000

const numberProblem = {
  path: 'socialSecurityNumber',
  message:
    'Type your social security number again: it is never saved. Then submit your enlistment, which is not sent yet.',
}

const loadRules = () => import('./registration-rules.ts')

/**
 * The form with scripts: checking, sending, retrying without loss. The sending code is bundled with
 * the form: a browser doesn't request a module again after a failed load.
 */
export function useEnlistment({ form, start, refused, onKept, onEnlisted }: EnlistmentOptions) {
  // A changed list removes no answer until the server refuses that answer.
  const [offer, setOffer] = useState(start)
  const [errors, setErrors] = useState<readonly FieldError[]>(() => refused?.errors.filter(isOfField) ?? [])
  const [failed, setFailed] = useState<FailedSend | undefined>(() => refused && failureOf(refused))
  const [isSending, setIsSending] = useState(false)
  // The first problem of the latest check: focused and announced.
  const [first, setFirst] = useState<FieldError>()
  // State changes with the next render, and a second press can come before it.
  const isBusy = useRef(false)
  // True until the social security number is typed again.
  const asksNumber = useRef(false)
  // The challenge that the server asked for, with its solution.
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
    const resend = () => form.current && submitForm(form.current)
    const stopRetries = runEvery(resendMs, () => navigator.onLine && resend())
    return abortable(({ signal }) => {
      window.addEventListener('online', resend, { signal })
      signal.addEventListener('abort', stopRetries)
    })
  }, [resendMs, form])

  const isRestored = failed?.isRestored
  useEffect(() => {
    if (isRestored && navigator.onLine && form.current) submitForm(form.current)
  }, [isRestored, form])

  /** Goes on with an enlistment that waited on the device. */
  function resume(isWithoutNumber: boolean) {
    if (isWithoutNumber) {
      asksNumber.current = true
      setErrors([numberProblem])
      return setFirst(numberProblem)
    }
    const sentence = navigator.onLine ? registrationSentences.sending : registrationSentences.waiting
    setFailed({ sentence, canRetry: true, resendMs: retryMs, isRestored: true })
  }

  async function send(data: FormData) {
    const values = valuesOf(data)
    const body = bodyOf(values)
    // The same key for all tries: it is a field of the form, as for a post without scripts.
    const key = textOf(data, 'idempotencyKey')
    const problems = await findProblems(body, offer)
    setErrors(problems)
    setFirst(problems[0])
    if (problems.length > 0) {
      endWaiting(key)
      return setFailed(undefined)
    }
    const isKept = keepWaiting(values, key)
    if (isKept) onKept()
    try {
      const receipt = await sendRegistration(body, key, challenge)
      endWaiting(key)
      onEnlisted(enlistedOf(receipt, values))
    } catch (error) {
      const { problems, ...reason } = explain(error, isKept)
      // The enlistment waits until the server has decided.
      if (error instanceof ApiProblem && reason.resendMs === undefined) endWaiting(key)
      fail(reason, problems)
    }
  }

  function fail(reason: FailedSend, problems: readonly FieldError[]) {
    if (reason.resendMs !== undefined) return setFailed(reason)
    showToast('error', registrationSentences.failed(reason.sentence))
    setErrors(problems)
    setFirst(problems[0])
    setFailed(problems.length === 0 ? reason : undefined)
    if (problems.some(({ path }) => offeredFields.includes(path))) void refreshOffer()
  }

  async function refreshOffer() {
    // If no offer can be read, the form stays as it is: the next try asks again.
    const newest = await callApi(api.registrations.offer.$get()).catch(() => undefined)
    if (newest) setOffer(newest)
  }

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isBusy.current) return
    isBusy.current = true
    // The form shows that it is sending before the rules have loaded, which can take long on a slow line.
    setIsSending(true)
    // A waiting form says so until its answer is there.
    setFailed((current) => (current?.resendMs === undefined ? undefined : current))
    setFirst(undefined)
    try {
      await send(new FormData(event.currentTarget))
    } finally {
      isBusy.current = false
      setIsSending(false)
    }
  }

  async function problemsOf(form: HTMLFormElement) {
    const body = bodyOf(valuesOf(new FormData(form)))
    const problems = await findProblems(body, offer)
    return asksNumber.current && !body.socialSecurityNumber ? [...problems, numberProblem] : problems
  }

  // Removes an error that no longer applies; never adds one while the user types.
  async function clearFixedErrors(form: HTMLFormElement) {
    if (errors.length === 0) return
    const problems = await problemsOf(form)
    const broken = new Map(problems.map(({ path, message }) => [path, message]))
    setErrors((current) => current.filter(({ path, message }) => broken.get(path) === message))
  }

  async function check(form: HTMLFormElement, fields: readonly string[]) {
    // Read after the rules have loaded: the answers may change until then.
    await loadRules().catch(() => undefined)
    const problems = await problemsOf(form)
    setErrors((current) => {
      const paths = new Set([...fields, ...current.map(({ path }) => path)])
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
    resume,
    clearFixedErrors,
    check,
  }
}

export function enlistedOf(receipt: RegistrationReceipt, values: FormValues): Enlisted {
  const { nstpComponent, firstName, lastName } = values
  const initials = [firstName, lastName].map((name) => `${[...name.trim()][0]}.`).join(' ')
  return { receipt, nstpComponent, initials }
}

// If the rules' module can't be loaded (connection lost), only the server checks.
async function findProblems(...input: Parameters<Awaited<ReturnType<typeof loadRules>>['findProblems']>) {
  const rules = await loadRules().catch(() => undefined)
  return rules?.findProblems(...input) ?? []
}

const waiting = { canRetry: true, problems: [] }

export function explain(error: unknown, isKept: boolean): FailedSend & { problems: readonly FieldError[] } {
  if (!(error instanceof ApiProblem)) {
    // Older browsers name every abort so.
    const isLate = error instanceof DOMException && ['TimeoutError', 'AbortError'].includes(error.name)
    return { sentence: isLate ? late : sentenceOf(error), canRetry: true, problems: [] }
  }
  const { code, errors = [], detail, status } = error.problem
  if (status === 0) {
    const sentence = isKept ? registrationSentences.waiting : registrationSentences.offline
    return { ...waiting, sentence, resendMs: retryMs }
  }
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

// The time limit in ms is longer than for other calls: the request is 3 kB over a poor mobile connection.
const timeoutMs = 30_000

const late = 'The server took too long to answer. Please try again: you will not be registered twice.'

/** Idempotent by its key. */
export async function sendRegistration(
  body: RegistrationBody,
  key: string,
  challenge: RefObject<string>,
): Promise<RegistrationReceipt> {
  const post = () => {
    const header = { 'idempotency-key': key, 'registration-challenge': challenge.current }
    const init = { signal: timeLimit(timeoutMs) }
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
