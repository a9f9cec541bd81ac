import { useNavigate } from 'react-router'
import { mailLimits } from '#shared/mail/mail.ts'
import { recipientMessages } from '#shared/mail/mail-recipients.ts'
import { useAccount } from '#web/lib/account.ts'
import { tabPath } from '#web/lib/admin-tab.ts'
import { showToast } from './toaster.tsx'

/** What the message begins with. */
export interface StartedText {
  subject: string
  body: string
}

/** Opens a bulk e-mail to selected students, by their ids. */
export function useMailStudents(): (ids: readonly string[], text?: StartedText) => void {
  const navigate = useNavigate()
  const { id: by } = useAccount()
  return (studentIds, text) => {
    if (studentIds.length > mailLimits.recipients) {
      showToast('warning', recipientMessages.tooManyStudents)
    } else void navigate(tabPath('email', { pane: 'bulk' }), { state: { studentIds, by, text } })
  }
}
