import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { mailSentences } from '#shared/mail/mail.ts'
import type { FieldError } from '#shared/problem.ts'
import { useDeferredSessionEnd } from '#web/components/deferred-session-end.ts'
import { showToast } from '#web/components/toaster.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { ApiProblem, sentenceOf } from '#web/lib/api-problem.ts'
import { useReadAgain } from '#web/lib/query.ts'
import { useUnsavedGuard } from '#web/lib/unsaved-guard.ts'
import {
  type BulkValues,
  bodyOf,
  bulkAddress,
  bulkPath,
  emptyBulkValues,
  fieldOf,
  focusField,
  problemsOf,
} from './bulk-data.ts'

// asking: the confirmation is open. After sending, the batch's page opens, or editing continues
// with the failure.
type Phase = 'editing' | 'asking' | 'sending'

export function useBulkForm() {
  const navigate = useNavigate()
  const readAgain = useReadAgain()
  const [values, setValues] = useState(emptyBulkValues)
  const [errors, setErrors] = useState<readonly FieldError[]>([])
  const [failure, setFailure] = useState<string | null>(null)
  const [phase, setPhase] = useState<Phase>('editing')
  const [refusals, setRefusals] = useState(0)
  const key = useRef<BatchKey>(null)
  // State changes with the next render; a second click can come before it.
  const isSending = useRef(false)

  const isDirty = values.subject !== '' || values.body !== '' || values.list !== '' || values.file !== null
  useDeferredSessionEnd(isDirty)
  const guard = useUnsavedGuard(isDirty, isSameForm)

  // biome-ignore lint/correctness/useExhaustiveDependencies: after a refusal, not while somebody mends
  useEffect(() => {
    if (refusals > 0 && errors[0]) focusField(errors[0].path, values.way)
  }, [refusals])

  function change(edits: Partial<BulkValues>) {
    // The form must stay as it is being sent.
    if (isSending.current) return
    const next = { ...values, ...edits }
    setValues(next)
    // An error disappears when its field is changed or fixed; none appears while the user types.
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
   * @param missing why there are no recipients yet; null when there are @param isCounting the
   * recipients are being counted: the confirmation waits
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
      // A response may have been lost: then the batch is in the history.
      readAgain()
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
    cancelConfirmation: () => setPhase('editing'),
    send,
  }
}

export type BulkFormState = ReturnType<typeof useBulkForm>

const pathsOfWhom = ['component', 'academicYear', 'course', 'archive', 'list', 'file'] as const

// Pages of the history have other addresses over the same form.
function isSameForm({ pathname, search }: { pathname: string; search: string }): boolean {
  const params = new URLSearchParams(search)
  return (
    pathname === '/admin' &&
    params.get('tab') === 'email' &&
    params.get('pane') === 'bulk' &&
    bulkAddress.read(search).batch === null
  )
}

interface BatchKey {
  content: string
  key: string
}

/**
 * The idempotency key of a batch: the same for unchanged content after a second click or a lost
 * connection, so that the server creates no second batch.
 */
export function batchKeyFor(content: string, last: BatchKey | null): BatchKey {
  return last?.content === content ? last : { content, key: crypto.randomUUID() }
}
