import { useState } from 'react'
import type { MailAccount } from '#shared/mail.ts'
import { AddressText } from '#web/components/address-text.tsx'
import { Button } from '#web/components/button.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { Modal } from '#web/components/modal.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { removeConfig } from './save-config.ts'

interface ConfigRemovalProps {
  account: MailAccount
  onRemoved: () => void
}

/** Removes the configuration, after a question that says what that means. */
export function ConfigRemoval({ account, onRemoved }: ConfigRemovalProps) {
  const [isAsking, setAsking] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)

  async function remove() {
    setBusy(true)
    setFailure(null)
    try {
      await removeConfig()
      setAsking(false)
      showToast({ type: 'success', message: 'Email configuration removed' })
      onRemoved()
    } catch (error) {
      setFailure(sentenceOf(error))
    } finally {
      setBusy(false)
    }
  }

  return (
    <>
      <Button variant="outline" size="sm" className="max-md:min-h-11" onClick={() => setAsking(true)}>
        Remove configuration
      </Button>
      <Modal
        open={isAsking}
        onClose={() => !isBusy && setAsking(false)}
        title="Remove Email Configuration"
        size="sm"
        footer={
          <>
            <Button variant="outline" size="sm" disabled={isBusy} onClick={() => setAsking(false)}>
              Cancel
            </Button>
            <Button variant="danger" size="sm" disabled={isBusy} onClick={() => void remove()}>
              {isBusy ? 'Removing…' : 'Remove'}
            </Button>
          </>
        }
      >
        <div className="flex flex-col gap-3">
          {failure !== null && <ErrorBanner message={failure} />}
          <p className="wrap-anywhere">
            The server and the password of <AddressText text={account.senderAddress} /> are forgotten, and
            nothing is sent any more: no welcome e-mails, no bulk e-mails, no announcements. E-mails that wait
            go on waiting until e-mail is configured again.
          </p>
        </div>
      </Modal>
    </>
  )
}
