import type { ReactNode } from 'react'
import { Button, SmallButton } from './button.tsx'
import { Modal, useLastShown } from './modal.tsx'

interface DeleteModalProps<Thing> {
  title: string
  thing: Thing | null
  isBusy: boolean
  focusBack?: () => HTMLElement | true
  onDelete: (thing: Thing) => void
  onClose: () => void
  words?: (thing: Thing) => { confirm: string; busy: string; dismiss: string }
  children: (thing: Thing) => ReactNode
}

export function DeleteModal<Thing>({
  title,
  thing,
  isBusy,
  focusBack,
  onDelete,
  onClose,
  words = () => ({ confirm: 'Delete', busy: 'Deleting…', dismiss: 'Cancel' }),
  children,
}: DeleteModalProps<Thing>) {
  const { shown: last } = useLastShown(thing)
  if (!last) return null
  const { confirm, busy, dismiss } = words(last)
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
          <Button variant="danger" size="sm" aria-disabled={isBusy} onClick={() => !isBusy && onDelete(last)}>
            {isBusy ? busy : confirm}
          </Button>
        </>
      }
    >
      {children(last)}
    </Modal>
  )
}
