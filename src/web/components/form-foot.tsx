import type { ReactNode } from 'react'
import { Button, SmallButton } from './button.tsx'
import { ModalFoot } from './modal.tsx'

interface FormFootProps {
  /** The form's id: the foot is outside of it. */
  form: string
  isBusy: boolean
  /** On the button that sends. */
  label: string
  busyLabel?: string
  isDangerous?: boolean
  onCancel: () => void
  /** Before the buttons. */
  children?: ReactNode
}

/** Of a form in a modal: the way back, and the button that sends. */
export function FormFoot(props: FormFootProps) {
  const { form, isBusy, label, busyLabel = 'Saving…', isDangerous = false, onCancel, children } = props
  return (
    <ModalFoot>
      {children}
      <SmallButton onClick={onCancel}>Cancel</SmallButton>
      {/* Not disabled: a disabled button would lose the focus after a failed save. */}
      <Button
        type="submit"
        form={form}
        size="sm"
        variant={isDangerous ? 'danger' : 'primary'}
        aria-disabled={isBusy}
      >
        {isBusy ? busyLabel : label}
      </Button>
    </ModalFoot>
  )
}
