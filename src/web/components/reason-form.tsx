import { type ReactNode, useState } from 'react'
import type { useAction } from '#web/lib/query.ts'
import { TextField } from './field.tsx'
import { ActionForm } from './form-foot.tsx'

interface ReasonFormProps {
  action: Pick<ReturnType<typeof useAction<string, unknown>>, 'run' | 'isPending' | 'error'>
  /** The sentence for a reason that isn't taken. */
  problemOf: (reason: string) => string | undefined
  maxLength: number
  /** False for a form that only asks for a confirmation, without a reason. */
  hasReason?: boolean
  label: string
  isDangerous?: boolean
  onCancel: () => void
  /** The explanation of what the action means. */
  children: ReactNode
}

/** The form in a modal for an action with a reason. */
export function ReasonForm(props: ReasonFormProps) {
  const { action, problemOf, maxLength, hasReason = true, children, ...foot } = props
  const [reason, setReason] = useState('')
  const [isSubmitted, setSubmitted] = useState(false)
  const problem = hasReason ? problemOf(reason) : undefined

  function submit() {
    setSubmitted(true)
    if (problem === undefined) action.run(reason)
  }

  return (
    <ActionForm {...foot} action={action} onSubmit={submit}>
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
    </ActionForm>
  )
}
