import type { ReactNode } from 'react'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { Button, SmallButton } from './button.tsx'
import { ErrorBanner } from './error-banner.tsx'
import { Modal, useLastShown } from './modal.tsx'

interface Words {
  confirm: string
  busy?: string
  dismiss?: string
}

const deletion: Words = { confirm: 'Delete', busy: 'Deleting…' }

interface QuestionModalProps<Thing> {
  title: string
  /** What it asks about; null closes it. */
  thing: Thing | null
  isBusy?: boolean
  /** What is done then: its failure is said below the question, and forgotten when that closes. */
  action?: { isPending: boolean; error: Error | null; reset: () => void }
  /** The words for the failure; by default its sentence. */
  failureOf?: (error: Error) => string
  isDangerous?: boolean
  /** False: only the way back. */
  isPossible?: boolean
  focusBack?: (() => HTMLElement | true) | undefined
  onConfirm: (thing: Thing) => void
  onClose: () => void
  words?: (thing: Thing) => Words
  children: ReactNode | ((thing: Thing) => ReactNode)
}

/** A question with two answers. By default, whether to delete. */
export function QuestionModal<Thing>(props: QuestionModalProps<Thing>) {
  const { title, thing, action, isBusy = action?.isPending ?? false, isDangerous = true } = props
  const { isPossible = true, focusBack, onConfirm, words = () => deletion, children } = props
  const { failureOf = sentenceOf } = props
  const { last } = useLastShown(thing)
  if (last === null) return null
  const { confirm, busy = confirm, dismiss = 'Cancel' } = words(last)
  const isStuck = isBusy || !isPossible

  function close() {
    if (isBusy) return
    action?.reset()
    props.onClose()
  }

  return (
    <Modal
      open={thing !== null}
      onClose={close}
      title={title}
      size="sm"
      focusBack={focusBack}
      footer={
        <>
          {/* Not disabled: a disabled button would lose the focus after a refusal. */}
          <SmallButton aria-disabled={isBusy} onClick={close}>
            {dismiss}
          </SmallButton>
          <Button
            variant={isDangerous ? 'danger' : 'primary'}
            size="sm"
            aria-disabled={isStuck}
            onClick={() => !isStuck && onConfirm(last)}
          >
            {isBusy ? busy : confirm}
          </Button>
        </>
      }
    >
      {typeof children === 'function' ? children(last) : children}
      {action?.error && (
        <div className="mt-4">
          <ErrorBanner message={failureOf(action.error)} />
        </div>
      )}
    </Modal>
  )
}
