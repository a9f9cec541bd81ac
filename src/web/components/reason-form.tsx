import { type ReactNode, useId, useState } from 'react'
import { sentenceOf } from '#web/lib/api-problem.ts'
import type { useAction } from '#web/lib/query.ts'
import { ErrorBanner } from './error-banner.tsx'
import { TextField } from './field.tsx'
import { FormFoot } from './form-foot.tsx'

interface ReasonFormProps {
  action: Pick<ReturnType<typeof useAction<string, unknown>>, 'run' | 'isPending' | 'error'>
  /** The sentence for a reason that isn't taken. */
  problemOf: (reason: string) => string | undefined
  maxLength: number
  /** False: it only asks. */
  hasReason?: boolean
  label: string
  isDangerous?: boolean
  onCancel: () => void
  /** What it means. */
  children: ReactNode
}

/** In a modal: what is done with a reason. */
export function ReasonForm(props: ReasonFormProps) {
  const { action, problemOf, maxLength, hasReason = true, children, ...foot } = props
  const id = useId()
  const [reason, setReason] = useState('')
  const [isSubmitted, setSubmitted] = useState(false)
  const problem = hasReason ? problemOf(reason) : undefined
  return (
    <form
      id={id}
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        setSubmitted(true)
        if (problem === undefined) action.run(reason)
      }}
    >
      {action.error && <ErrorBanner message={sentenceOf(action.error)} />}
      <p className="wrap-anywhere">{children}</p>
      {hasReason && (
        <TextField
          name="reason"
          label="Reason"
          required
          maxLength={maxLength}
          error={isSubmitted ? problem : undefined}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
      )}
      <FormFoot {...foot} form={id} isBusy={action.isPending} />
    </form>
  )
}
