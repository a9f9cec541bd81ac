import { clsx } from 'clsx'
import type { MailItem } from '#shared/mail.ts'
import { Button } from '#web/components/button.tsx'
import { canSendAgain } from './message-texts.ts'
import type { MessageActions as Actions } from './use-message-actions.ts'

interface MessageActionsProps {
  item: MailItem
  actions: Actions
  className?: string
}

/** The buttons for a message that failed, or whose end nobody knows; nothing for the others. */
export function MessageActions({ item, actions, className }: MessageActionsProps) {
  if (!canSendAgain(item)) return null
  const isBusy = actions.busyId !== null
  const about = <span className="sr-only"> (e-mail to {item.recipient})</span>
  return (
    <div className={clsx('flex flex-wrap gap-1.5 max-md:[&_button]:min-h-11', className)}>
      <Button variant="outline" size="sm" disabled={isBusy} onClick={() => void actions.sendAgain(item)}>
        <span>Send again{about}</span>
      </Button>
      {item.state === 'unknown' && (
        <>
          <Button variant="outline" size="sm" disabled={isBusy} onClick={() => void actions.arrived(item)}>
            <span>It arrived{about}</span>
          </Button>
          <Button
            variant="outline"
            size="sm"
            disabled={isBusy}
            onClick={() => void actions.didNotArrive(item)}
          >
            <span>It did not arrive{about}</span>
          </Button>
        </>
      )}
    </div>
  )
}
