import { type ComponentProps, type ReactNode, useId } from 'react'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { Button, SmallButton } from './button.tsx'
import { ErrorBanner } from './error-banner.tsx'
import type { EditForm } from './form.tsx'
import { ModalFoot } from './modal.tsx'

interface FootProps {
  /** The form's id: the foot is outside of it. */
  formId: string
  isBusy: boolean
  /** The text of the button that sends. */
  label: string
  /** The button's text while it is sent. */
  busyLabel?: string
  isDangerous?: boolean
  onCancel: () => void
  /** Content before the buttons. */
  children?: ReactNode
}

/** The foot of a form in a modal: a button to cancel and the button that sends. */
function Foot(props: FootProps) {
  const { formId, isBusy, label, busyLabel = 'Saving…', isDangerous = false, onCancel, children } = props
  return (
    <ModalFoot>
      {children}
      <SmallButton onClick={onCancel}>Cancel</SmallButton>
      {/* Not disabled: a disabled button would lose the focus after a failed save. */}
      <Button
        type="submit"
        form={formId}
        size="sm"
        variant={isDangerous ? 'danger' : 'primary'}
        aria-disabled={isBusy}
      >
        {isBusy ? busyLabel : label}
      </Button>
    </ModalFoot>
  )
}

interface FormFootProps extends Omit<FootProps, 'formId' | 'isBusy'> {
  form: Pick<EditForm<never>, 'id' | 'phase'>
}

/** The foot can be anywhere in the modal, also as a child of the form. */
export function FormFoot({ form, ...foot }: FormFootProps) {
  return <Foot {...foot} formId={form.id} isBusy={form.phase === 'sending'} />
}

interface SubmitButtonProps extends Pick<ComponentProps<typeof Button>, 'id' | 'size' | 'icon' | 'variant'> {
  form: Pick<EditForm<never>, 'id' | 'phase'>
  label: string
  /** The button's text while it is sent. */
  busyLabel?: string
  /** While there is nothing to save. */
  isIdle?: boolean
}

/** The button below the fields of a form that is part of a page. */
export function SubmitButton(props: SubmitButtonProps) {
  const { form, label, busyLabel = 'Saving…', isIdle = false, ...button } = props
  const isBusy = form.phase === 'sending'
  return (
    <Button
      {...button}
      type="submit"
      form={form.id}
      aria-disabled={isIdle || isBusy}
      // The second press of a double click would find the emptied form.
      onClick={(event) => event.detail > 1 && event.preventDefault()}
      className="w-fit"
    >
      {isBusy ? busyLabel : label}
    </Button>
  )
}

interface ActionFormProps extends Omit<FootProps, 'formId' | 'isBusy'> {
  action: { isPending: boolean; error: Error | null }
  onSubmit: () => void
}

/** The form in a modal with the few fields of one action. Closing the modal leaves the action undone. */
export function ActionForm({ action, onSubmit, children, ...foot }: ActionFormProps) {
  const id = useId()
  return (
    <form
      id={id}
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {action.error && <ErrorBanner message={sentenceOf(action.error)} />}
      {children}
      <Foot {...foot} formId={id} isBusy={action.isPending} />
    </form>
  )
}
