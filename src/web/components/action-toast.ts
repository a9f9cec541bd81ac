import { ApiProblem, failureText } from '#web/lib/api-problem.ts'
import { useAction } from '#web/lib/query.ts'
import { showToast } from './toaster.tsx'

type ActionOptions<Input, Output> = Parameters<typeof useAction<Input, Output>>[0]

interface ToastOptions<Input, Output> extends Pick<ActionOptions<Input, Output>, 'topics' | 'mutationFn'> {
  /** The sentence for what was done. */
  done?: string | ((output: Output, input: Input) => string)
  /** The words for a failure that a notification says, with the reason. */
  whatFailed?: string
  /** A notification says the reason alone. Without this and `whatFailed` the screen shows the failure. */
  saysFailure?: boolean
  onDone?: (output: Output, input: Input) => void
}

/** An action whose end is said by a notification. */
export function useActionWithToast<Input = void, Output = unknown>(options: ToastOptions<Input, Output>) {
  const { done, whatFailed, saysFailure = false, onDone, ...action } = options
  return useAction<Input, Output>({
    ...action,
    onSuccess(output, input) {
      const message = typeof done === 'function' ? done(output, input) : done
      if (message !== undefined) showToast('success', message)
      onDone?.(output, input)
    },
    onError(error) {
      if (whatFailed === undefined && !saysFailure) return
      // There are no fields here that could say what is wrong with them.
      const ofField = error instanceof ApiProblem && error.problem.errors?.[0]?.message
      const said = ofField ? [whatFailed, ofField].filter(Boolean).join(': ') : failureText(whatFailed, error)
      showToast('error', said)
    },
  })
}
