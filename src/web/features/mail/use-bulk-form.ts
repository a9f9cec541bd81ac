import { useEffect, useRef, useState } from 'react'
import { useNavigate, useRevalidator } from 'react-router'
import { mailSentences } from '#shared/mail/mail.ts'
import type { FieldError } from '#shared/problem.ts'
import { useHeldSession } from '#web/components/held-session.ts'
import { showToast } from '#web/components/toaster.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { ApiProblem, sentenceOf } from '#web/lib/api-problem.ts'
import { useUnsavedGuard } from '#web/lib/unsaved-guard.ts'
import { bulkPath, readBulkAddress } from './bulk-data.ts'
import { type BulkValues, bodyOf, emptyBulkValues, fieldOf, focusField, problemsOf } from './bulk-values.ts'

/** editing → asking (how many?) → sending → the batch's own view, or editing again with what went wrong. */
type Phase = 'editing' | 'asking' | 'sending'

/** The life of the form: checking, asking, sending once, failing without loss. */
export function useBulkForm() {
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  const [values, setValues] = useState(emptyBulkValues)
  const [errors, setErrors] = useState<readonly FieldError[]>([])
  const [failure, setFailure] = useState<string | null>(null)
  const [phase, setPhase] = useState<Phase>('editing')
  /** Counts the refused tries: after each the focus goes to the first problem. */
  const [refusals, setRefusals] = useState(0)
  const key = useRef<BatchKey>(null)
  // State changes with the next render, and a second press can come before it.
  const isSending = useRef(false)

  const isDirty = values.subject !== '' || values.body !== '' || values.list !== '' || values.file !== null
  useHeldSession(isDirty)
  const guard = useUnsavedGuard(isDirty, isSameForm)

  // biome-ignore lint/correctness/useExhaustiveDependencies: after a refusal, not while somebody mends
  useEffect(() => {
    if (refusals > 0 && errors[0]) focusField(errors[0].path, values.way)
  }, [refusals])

  function change(edits: Partial<BulkValues>) {
    // What is on its way is what stands here.
    if (isSending.current) return
    const next = { ...values, ...edits }
    setValues(next)
    // A sentence goes when its field is changed, or its rule kept; none comes while somebody types.
    if (errors.length === 0) return
    const broken = new Set(problemsOf(next).map(({ path }) => path))
    const former = new Set(problemsOf(values).map(({ path }) => path))
    const isAboutWhom = 'way' in edits || pathsOfWhom.some((name) => name in edits)
    setErrors((shown) =>
      shown.filter(
        ({ path }) =>
          !(path in edits || (path === 'recipients' && isAboutWhom)) &&
          (broken.has(path) || !former.has(path)),
      ),
    )
  }

  function refuse(problems: readonly FieldError[]) {
    setErrors(problems)
    setRefusals((count) => count + 1)
  }

  /**
   * Checks the form, and asks when it can be sent.
   *
   * @param missing why it can't be sent to anybody yet; null when it can
   * @param isCounting whether the recipients are being counted: then nothing is asked yet
   */
  function ask(missing: string | null, isCounting: boolean) {
    if (phase !== 'editing') return
    setFailure(null)
    const problems = problemsOf(values)
    if (problems.length > 0) return refuse(problems)
    if (isCounting) return
    if (missing !== null) return refuse([{ path: 'recipients', message: missing }])
    setErrors([])
    setPhase('asking')
  }

  async function send() {
    if (isSending.current) return
    isSending.current = true
    setPhase('sending')
    try {
      const body = bodyOf(values)
      key.current = batchKeyFor(JSON.stringify(body), key.current)
      const { id } = await callApi(
        api.mail.batches.$post({ json: body, header: { 'idempotency-key': key.current.key } }),
      )
      guard.release()
      void navigate(bulkPath({ batch: id }))
    } catch (error) {
      setPhase('editing')
      explain(error)
      // An answer may have been lost on its way: then the batch stands in the history.
      void revalidate()
    } finally {
      isSending.current = false
    }
  }

  function explain(error: unknown) {
    const sentence = mailSentences.failedEmails(sentenceOf(error))
    showToast({ type: 'error', message: sentence })
    const problems = error instanceof ApiProblem ? (error.problem.errors ?? []) : []
    if (problems.length === 0) return setFailure(sentence)
    refuse(problems.map(({ path, message }) => ({ path: fieldOf(path), message })))
  }

  return {
    values,
    change,
    errors,
    errorOf: (path: string) => errors.find((error) => error.path === path)?.message,
    failure,
    phase,
    guard,
    ask,
    stopAsking: () => setPhase('editing'),
    send,
  }
}

export type BulkFormState = ReturnType<typeof useBulkForm>

/** The values that say who gets the mail. */
const pathsOfWhom = ['component', 'academicYear', 'course', 'archive', 'list', 'file'] as const

/** Pieces of the history are read at other addresses, over the same form. */
function isSameForm({ pathname, search }: { pathname: string; search: string }): boolean {
  const params = new URLSearchParams(search)
  return (
    pathname === '/admin' &&
    params.get('tab') === 'email' &&
    params.get('pane') === 'bulk' &&
    readBulkAddress(params).batch === null
  )
}

/** The key of one sending of the form. */
interface BatchKey {
  /** What is sent, as text. */
  content: string
  key: string
}

/**
 * The key to send a bulk e-mail with. What is sent again unchanged, after a second press or a lost connection, keeps its
 * key, and the server makes no second batch of it; something else is a new one.
 */
export function batchKeyFor(content: string, last: BatchKey | null): BatchKey {
  return last?.content === content ? last : { content, key: crypto.randomUUID() }
}
