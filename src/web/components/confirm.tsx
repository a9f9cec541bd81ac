import { AlertDialog } from '@base-ui/react/alert-dialog'
import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { backdropLook, popupLook } from './modal.tsx'

interface ConfirmProps {
  open: boolean
  onClose: () => void
  onConfirm: () => void
  title: string
  /** Names what will happen to what. */
  children: ReactNode
  confirmLabel: string
  cancelLabel?: string
  /** For what can't be undone. */
  danger?: boolean
  /** The answer was given and is being carried out. */
  busy?: boolean
}

/** Asks before something happens. A press outside doesn't close it: the question wants an answer. */
export function Confirm({
  open,
  onClose,
  onConfirm,
  title,
  children,
  confirmLabel,
  cancelLabel = 'Cancel',
  danger = false,
  busy = false,
}: ConfirmProps) {
  return (
    <AlertDialog.Root open={open} onOpenChange={(isOpen) => !isOpen && !busy && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={backdropLook} />
        <AlertDialog.Viewport className="fixed inset-0 z-40 flex items-center justify-center p-4">
          <AlertDialog.Popup className={clsx(popupLook, 'w-full max-w-md p-6')}>
            <AlertDialog.Title className="text-lg font-semibold">{title}</AlertDialog.Title>
            <AlertDialog.Description render={<div />} className="mt-2 text-muted">
              {children}
            </AlertDialog.Description>
            <div className="mt-6 flex flex-wrap justify-end gap-2">
              <Button variant="outline" size="sm" disabled={busy} onClick={onClose}>
                {cancelLabel}
              </Button>
              <Button variant={danger ? 'danger' : 'primary'} size="sm" disabled={busy} onClick={onConfirm}>
                {confirmLabel}
              </Button>
            </div>
          </AlertDialog.Popup>
        </AlertDialog.Viewport>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
