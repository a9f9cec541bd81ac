import type { ReactNode } from 'react'
import { Button, SmallButton } from './button.tsx'
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
  const { title, thing, isBusy = false, isDangerous = true, isPossible = true, focusBack, onConfirm } = props
  const { onClose, words = () => deletion, children } = props
  const { shown: last } = useLastShown(thing)
  if (last === null) return null
  const { confirm, busy = confirm, dismiss = 'Cancel' } = words(last)
  const isStuck = isBusy || !isPossible
  return (
    <Modal
      open={thing !== null}
      onClose={() => !isBusy && onClose()}
      title={title}
      size="sm"
      focusBack={focusBack}
      footer={
        <>
          {/* Not disabled: a disabled button would lose the focus after a refusal. */}
          <SmallButton aria-disabled={isBusy} onClick={() => !isBusy && onClose()}>
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
    </Modal>
  )
}
