import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import type { FieldError } from '#shared/problem.ts'
import { problemsOfSingleEmail, type SentEmail, type SingleEmailValues } from '#shared/single-email.ts'
import { useHeldSession } from '#web/components/held-session.ts'
import { showToast } from '#web/components/toaster.tsx'
import { tabPath } from '#web/lib/admin-tab.ts'
import { ApiProblem } from '#web/lib/api-problem.ts'
import { singleMailFailure } from '#web/lib/single-mail-failure.ts'
import { isAnswer, keyFor, type SendingKey, sendSingle, type Target } from './send-single.ts'

const empty: SingleEmailValues = { to: '', subject: '', message: '' }

/** The ids of the controls. */
export const fieldIds: Record<keyof SingleEmailValues, string> = {
  to: 'single-to',
  subject: 'single-subject',
  message: 'single-message',
}

export type SingleEmailForm = ReturnType<typeof useSingleEmail>

/**
 * The form of a single mail: what is typed, its rules, and sending it once. Nothing typed is lost before the mail is
 * with the server.
 */
export function useSingleEmail() {
  const [values, setValues] = useState(empty)
  const [errors, setErrors] = useState<readonly FieldError[]>([])
  const [failure, setFailure] = useState<string | null>(null)
  const [sending, setSending] = useState<Target | null>(null)
  /** Counts the refused tries: after each the focus goes to the first problem. */
  const [refusals, setRefusals] = useState(0)
  // A second press comes before the next render.
  const isSending = useRef(false)
  const kept = useRef<SendingKey>(null)
  const navigate = useNavigate()
  const isDirty = Object.values(values).some((value) => value !== '')
  useHeldSession(isDirty)

  // biome-ignore lint/correctness/useExhaustiveDependencies: after a refusal, not while somebody mends
  useEffect(() => {
    const path = errors[0]?.path
    if (refusals > 0 && isField(path)) document.getElementById(fieldIds[path])?.focus()
  }, [refusals])

  function change(edits: Partial<SingleEmailValues>) {
    // What is on its way is what stands here.
    if (isSending.current) return
    setValues((typed) => ({ ...typed, ...edits }))
    setErrors((shown) => shown.filter(({ path }) => !(path in edits)))
  }

  function refuse(problems: readonly FieldError[]) {
    setErrors(problems)
    setRefusals((count) => count + 1)
  }

  async function send(target: Target) {
    if (isSending.current) return
    setFailure(null)
    const problems = problemsOfSingleEmail(values, target)
    if (problems.length > 0) return refuse(problems)
    setErrors([])
    isSending.current = true
    setSending(target)
    try {
      kept.current = keyFor(values, target, kept.current)
      const answer = await sendSingle(values, target, kept.current.key)
      kept.current = null
      tell(answer)
      if (target === 'recipient') startAnew()
    } catch (error) {
      if (isAnswer(error)) kept.current = null
      explain(error)
    } finally {
      isSending.current = false
      setSending(null)
    }
  }

  /** It was accepted, or it waits in the outbox. */
  function tell({ success, message }: SentEmail) {
    if (success) return showToast({ type: 'success', message })
    const onSelect = () => void navigate(tabPath('email', { pane: 'outbox' }))
    return showToast({
      type: 'info',
      message,
      action: { label: 'Open the outbox', onSelect },
      shownMs: 12_000,
    })
  }

  function startAnew() {
    setValues(empty)
    document.getElementById(fieldIds.to)?.focus()
  }

  function explain(error: unknown) {
    const problem = error instanceof ApiProblem ? error.problem : undefined
    const refused = (problem?.errors ?? []).filter(({ path }) => isField(path))
    if (refused.length > 0) return refuse(refused)
    const sentence = singleMailFailure(error)
    showToast({ type: 'error', message: sentence })
    setFailure(sentence)
  }

  return {
    values,
    change,
    send,
    isDirty,
    /** Whom it is on its way to; null when nothing is. */
    sending,
    /** Why it was not sent. */
    failure,
    errors,
    errorOf: (path: keyof SingleEmailValues) => errors.find((error) => error.path === path)?.message,
  }
}

function isField(path: string | undefined): path is keyof SingleEmailValues {
  return path !== undefined && path in fieldIds
}
