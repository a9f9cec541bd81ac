import { useState } from 'react'
import type { ApiToken } from '#shared/api-tokens.ts'
import { Button } from '#web/components/button.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { Modal } from '#web/components/modal.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'

interface RevokeModalProps {
  /** The one that is asked about; null for none. */
  token: ApiToken | null
  focusBack: () => HTMLElement | true
  onClose: () => void
  onRevoked: (id: string) => void
}

/** Asks before a program loses its way in. */
export function RevokeModal({ token, focusBack, onClose, onRevoked }: RevokeModalProps) {
  // While the modal fades out it still names what it named.
  const [last, setLast] = useState(token)
  const [failure, setFailure] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  if (token && token !== last) setLast(token)
  if (!last) return null
  const { id, name } = last

  function close() {
    if (isBusy) return
    setFailure(undefined)
    onClose()
  }

  async function revoke() {
    setBusy(true)
    setFailure(undefined)
    try {
      await callApi(api.tokens[':id'].$delete({ param: { id } }))
      showToast({ type: 'success', message: `The token of ${name} was revoked` })
      onRevoked(id)
      onClose()
    } catch (error) {
      setFailure(sentenceOf(error))
    } finally {
      setBusy(false)
    }
  }

  return (
    <Modal
      open={token !== null}
      onClose={close}
      title="Revoke this token?"
      size="sm"
      focusBack={focusBack}
      footer={
        <>
          <Button variant="outline" size="sm" disabled={isBusy} onClick={close}>
            Cancel
          </Button>
          <Button variant="danger" size="sm" disabled={isBusy} onClick={() => void revoke()}>
            {isBusy ? 'Revoking…' : 'Revoke token'}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <p>
          <strong className="wrap-anywhere">{name}</strong> can send no e-mail through this system from that
          moment on. This cannot be undone; a new token can be made.
        </p>
        {failure && <ErrorBanner message={failure} />}
      </div>
    </Modal>
  )
}
