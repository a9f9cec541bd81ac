import { useEffect, useState } from 'react'
import type { FieldError } from '#shared/problem.ts'
import { ApiProblem, sentenceOf } from '#web/lib/api-problem.ts'

interface Failure {
  sentence: string
  errors: readonly FieldError[]
}

export function useSubmission() {
  const [isBusy, setIsBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)

  useEffect(() => {
    const path = failure?.errors[0]?.path
    if (path) document.getElementById(path)?.focus()
  }, [failure])

  async function submit(send: () => Promise<unknown>): Promise<boolean> {
    setIsBusy(true)
    try {
      await send()
      setFailure(null)
      return true
    } catch (error) {
      const errors = error instanceof ApiProblem ? (error.problem.errors ?? []) : []
      setFailure({ sentence: sentenceOf(error), errors })
      return false
    } finally {
      setIsBusy(false)
    }
  }

  return {
    isBusy,
    submit,
    refuse: (path: string, message: string) => setFailure({ sentence: message, errors: [{ path, message }] }),
    clear: () => setFailure(null),
    errorOf: (path: string) => failure?.errors.find((error) => error.path === path)?.message,
    sentence: failure && failure.errors.length === 0 ? failure.sentence : null,
  }
}
