import { useCallback, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { mailSentences } from '#shared/mail/mail.ts'
import { type EditForm, useEditForm } from '#web/components/form.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { ApiProblem, sentenceOf } from '#web/lib/api-problem.ts'
import { useReadAgain } from '#web/lib/query.ts'
import {
  type BulkValues,
  bodyOf,
  bulkAddress,
  bulkPath,
  controlIdOf,
  emptyBulkValues,
  fieldOf,
  problemsOf,
} from './bulk-data.ts'

export function useBulkForm(): BulkFormState {
  const navigate = useNavigate()
  const readAgain = useReadAgain()
  const key = useRef<BatchKey>(null)
  const recipients = useRef<Recipients>({ missing: null, isCounting: false })
  const [answer, setAnswer] = useState<{ give: (isSure: boolean) => void } | null>(null)
  const form = useEditForm<BulkValues, { id: string }>({
    values: emptyBulkValues,
    problemsOf(values) {
      const problems = problemsOf(values)
      const { missing, isCounting } = recipients.current
      if (problems.length > 0 || missing === null || isCounting) return problems
      return [{ path: 'way', message: missing }]
    },
    controlId: (path, { way }) => controlIdOf(path, way),
    confirm: async () =>
      !recipients.current.isCounting &&
      (await new Promise<boolean>((give) => setAnswer({ give })).finally(() => setAnswer(null))),
    async send(values) {
      const body = bodyOf(values)
      key.current = batchKeyFor(JSON.stringify(body), key.current)
      try {
        return await callApi(
          api.mail.batches.$post({ json: body, header: { 'idempotency-key': key.current.key } }),
        )
      } catch (error) {
        // A response may have been lost: then the batch is in the history.
        readAgain()
        throw inWords(error)
      }
    },
    onSaved: ({ id }) => void navigate(bulkPath({ batch: id })),
    staysOpen: isSameForm,
  })

  return {
    ...form,
    isAsking: answer !== null,
    answer: (isSure: boolean) => answer?.give(isSure),
    noteRecipients: useCallback((now: Recipients) => {
      recipients.current = now
    }, []),
  }
}

interface Recipients {
  /** Why there are none yet; null when there are. */
  missing: string | null
  isCounting: boolean
}

/** With the sentence of spec §8, and with the paths of the form. */
function inWords(error: unknown): unknown {
  const message = mailSentences.failedEmails(sentenceOf(error))
  showToast({ type: 'error', message })
  if (!(error instanceof ApiProblem)) return error
  const errors = error.problem.errors?.map(({ path, message }) => ({ path: fieldOf(path), message })) ?? []
  return new ApiProblem({ ...error.problem, detail: message, errors })
}

export type BulkFormState = EditForm<BulkValues> & {
  isAsking: boolean
  answer: (isSure: boolean) => void
  /** Whom the form shows is counted outside of its values. */
  noteRecipients: (now: Recipients) => void
}

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
