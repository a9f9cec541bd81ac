import { useState } from 'react'
import type { ExpiredRecords } from '#shared/settings/settings.ts'
import { Button } from '#web/components/button.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { TextField } from '#web/components/field.tsx'
import { Modal } from '#web/components/modal.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { useInstantTexts } from '#web/lib/date-texts.ts'
import { countOf } from '#web/lib/number-texts.ts'

export function ExpiredRecordsPanel({ expired }: { expired: ExpiredRecords | null }) {
  const [isAsking, setAsking] = useState(false)
  const { dayOf } = useInstantTexts()
  if (!expired) return <Skeleton className="h-11 w-full" />
  const { count, years, before } = expired
  return (
    <div className="rounded-box bg-soft px-4 py-3 text-sm">
      <p>
        {count === 0 ? 'No records were' : count === 1 ? '1 record was' : `${countOf(count, 'record')} were`}{' '}
        archived before {dayOf(before)} ({countOf(years, 'year')} ago). Student records are never deleted
        automatically.
      </p>
      {count > 0 && (
        <Button variant="danger" size="sm" className="mt-3" onClick={() => setAsking(true)}>
          Delete {countOf(count, 'record')} permanently
        </Button>
      )}
      <DeleteExpiredModal expired={expired} open={isAsking} onClose={() => setAsking(false)} />
    </div>
  )
}

interface DeleteExpiredModalProps {
  expired: ExpiredRecords
  open: boolean
  onClose: () => void
}

/** The user types the number: only a backup restores these records. */
function DeleteExpiredModal({ expired: { count, years }, open, onClose }: DeleteExpiredModalProps) {
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
          This deletes the records of {countOf(count, 'student')} archived more than {countOf(years, 'year')}{' '}
          ago, including their old values in the audit trail. This action cannot be undone.
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
