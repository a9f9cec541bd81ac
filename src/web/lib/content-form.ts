import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { FieldError } from '#shared/problem.ts'
import { ApiProblem, connectionProblem, isProblem, sentenceOf } from './api-problem.ts'
import { endSession, resumeSession } from './session-end.ts'

interface ContentFormOptions<Values, Saved> {
  initial: Values
  /** In form order; paths are names of values. */
  problemsOf: (values: Values) => readonly FieldError[]
  controlId?: (path: string) => string
  /** @param onProgress the part sent, 0 to 1 */
  send: (values: Values, onProgress: (part: number) => void) => Sending<Saved>
  onSaved: (saved: Saved) => void
}

type Phase = 'editing' | 'sending' | 'saved'

/**
 * A form with files: checks, sends with progress, focuses the first problem. Input is preserved on
 * failure.
 */
export function useContentForm<Values extends object, Saved>(options: ContentFormOptions<Values, Saved>) {
  const { initial, problemsOf, controlId = (path) => path, send, onSaved } = options
  const [values, setValues] = useState(initial)
  const [isDirty, setDirty] = useState(false)
  const [errors, setErrors] = useState<readonly FieldError[]>([])
  const [failure, setFailure] = useState<{ sentence: string; isConflict: boolean } | null>(null)
  const [phase, setPhase] = useState<Phase>('editing')
  const [progress, setProgress] = useState(0)
  const [refusals, setRefusals] = useState(0)
  const sending = useRef<Sending<Saved>>(null)
  const blocker = useRef<FieldError>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: after a refusal, not on each edit
  useEffect(() => {
    const path = errors[0]?.path
    if (refusals > 0 && path !== undefined) document.getElementById(controlId(path))?.focus()
  }, [refusals])
  useEffect(() => () => sending.current?.cancel(), [])

  function change(edits: Partial<Values>) {
    // The form equals what is being sent: later input would be lost with the form.
    if (phase !== 'editing') return
    const next = { ...values, ...edits }
    setValues(next)
    setDirty(true)
    // A sentence goes when its field is changed, or when another field's change keeps its rule; none comes while
    // somebody types. What only the server could tell stays until its own field is changed.
    const before = pathsOf(problemsOf(values))
    const after = pathsOf(problemsOf(next))
    setErrors((shown) =>
      shown.filter(({ path }) => !(path in edits) && (after.has(path) || !before.has(path))),
    )
  }

  function refuse(problems: readonly FieldError[]) {
    setErrors(problems)
    setRefusals((count) => count + 1)
  }

  async function submit(event?: FormEvent) {
    event?.preventDefault()
    if (phase !== 'editing') return
    setFailure(null)
    const { current: wait } = blocker
    const problems = problemsOf(values).filter(({ path }) => path !== wait?.path)
    if (wait) problems.push(wait)
    if (problems.length > 0) return refuse(problems)
    setErrors([])
    setProgress(0)
    setPhase('sending')
    try {
      sending.current = send(values, setProgress)
      const saved = await sending.current.done
      setDirty(false)
      setPhase('saved')
      onSaved(saved)
    } catch (error) {
      setPhase('editing')
      explain(error)
    }
  }

  function explain(error: unknown) {
    const problem = error instanceof ApiProblem ? error.problem : undefined
    const refused = problem?.errors ?? []
    if (refused.length === 0) {
      setFailure({ sentence: sentenceOf(error), isConflict: problem?.code === 'conflict' })
    }
    refuse(refused)
  }

  return {
    values,
    change,
    submit,
    isDirty,
    phase,
    progress,
    failure,
    errors,
    errorOf: (path: string) => errors.find((error) => error.path === path)?.message,
    refuseField: (path: string, message: string) =>
      setErrors((shown) => [...shown.filter((error) => error.path !== path), { path, message }]),
    // Blocks sending while a value is prepared, or the former value would be sent. `null` releases.
    hold: (path: string, message: string | null) => {
      blocker.current = message === null ? null : { path, message }
    },
  }
}

function pathsOf(problems: readonly FieldError[]): Set<string> {
  return new Set(problems.map(({ path }) => path))
}

interface FormRequest<T> {
  method: 'POST' | 'PUT' | 'PATCH'
  path: string
  body: FormData | Blob
  headers?: Record<string, string>
  /** Undefined when the answer lacks it. */
  read: (answer: unknown) => T | undefined
  onProgress: (part: number) => void
}

export interface Sending<T> {
  /** @throws ApiProblem */
  done: Promise<T>
  cancel: () => void
}

/** XMLHttpRequest: `fetch` doesn't report upload progress. */
export function sendForm<T>({
  method,
  path,
  body,
  headers = {},
  read,
  onProgress,
}: FormRequest<T>): Sending<T> {
  const request = new XMLHttpRequest()
  const done = new Promise<T>((resolve, reject) => {
    request.upload.addEventListener('progress', ({ loaded, total, lengthComputable }) => {
      if (lengthComputable) onProgress(loaded / total)
    })
    request.addEventListener('load', () => {
      const answer: unknown = request.response
      const wanted = request.status >= 200 && request.status < 300 ? read(answer) : undefined
      if (wanted !== undefined) {
        resumeSession()
        return resolve(wanted)
      }
      const problem = isProblem(answer) ? new ApiProblem(answer) : connectionProblem(request.status)
      if (request.status === 401 && endSession(problem)) return
      reject(problem)
    })
    for (const event of ['error', 'timeout', 'abort']) {
      request.addEventListener(event, () => reject(connectionProblem(event)))
    }
  })
  request.open(method, path)
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
  request.responseType = 'json'
  request.send(body)
  return { done, cancel: () => request.abort() }
}

export type RecordTarget = { id: string; version: number } | null

interface RecordForm<T> {
  collection: string
  target: RecordTarget
  body: FormData
  read: (answer: unknown) => T | undefined
  onProgress: (part: number) => void
}

/** Refused when the record was changed since `version`. */
export function sendRecord<T>({ collection, target, ...form }: RecordForm<T>): Sending<T> {
  if (target === null) return sendForm({ ...form, method: 'POST', path: collection })
  return sendForm({
    ...form,
    method: 'PATCH',
    path: `${collection}/${target.id}`,
    headers: { 'If-Match': `"${target.version}"` },
  })
}

export function sentId(answer: unknown): string | undefined {
  const isRecord = typeof answer === 'object' && answer !== null && 'id' in answer
  return isRecord && typeof answer.id === 'string' ? answer.id : undefined
}
