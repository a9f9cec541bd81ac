import { useState } from 'react'
import type { ExpiredRecords } from '#shared/retention.ts'
import { Button } from '#web/components/button.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { Modal } from '#web/components/modal.tsx'
import { TextField } from '#web/components/text-field.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { countOf } from '#web/lib/count-text.ts'

interface DeleteExpiredModalProps {
  expired: ExpiredRecords
  open: boolean
  onClose: () => void
}

/** Names what is destroyed, and asks for its number: nothing brings these records back but a backup. */
export function DeleteExpiredModal({ expired: { count, years }, open, onClose }: DeleteExpiredModalProps) {
  const [typed, setTyped] = useState('')
  const [failure, setFailure] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const isSure = typed.replaceAll(/[\s,]/g, '') === String(count)
  const records = countOf(count, 'record')

  function close() {
    setTyped('')
    setFailure(undefined)
    onClose()
  }

  async function deleteThem() {
    if (!isSure || isBusy) return
    setBusy(true)
    try {
      await callApi(api.retention.deletions.$post({ json: { count } }))
      showToast({ type: 'success', message: `${records} deleted permanently` })
      close()
    } catch (error) {
      setFailure(sentenceOf(error))
    } finally {
      setBusy(false)
    }
  }

  return (
    <Modal
      open={open}
      onClose={close}
      title={`Delete ${records} permanently?`}
      size="sm"
      footer={
        <>
          <Button variant="outline" size="sm" onClick={close}>
            Cancel
          </Button>
          <Button
            variant="danger"
            size="sm"
            aria-disabled={!isSure || isBusy}
            onClick={() => void deleteThem()}
          >
            {isBusy ? 'Deleting…' : 'Delete permanently'}
          </Button>
        </>
      }
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          void deleteThem()
        }}
      >
        <p>
          The enlistment records of {countOf(count, 'student')}, archived more than {countOf(years, 'year')}{' '}
          ago, are erased with every answer on them and their old values in the audit trail. This action
          cannot be undone.
        </p>
        <TextField
          name="expiredCount"
          label={`Type ${count} to confirm`}
          inputMode="numeric"
          autoComplete="off"
          density="compact"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        {failure && <ErrorBanner message={failure} />}
      </form>
    </Modal>
  )
}
