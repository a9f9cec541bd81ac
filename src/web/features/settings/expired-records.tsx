import { useQuery } from '@tanstack/react-query'
import type { InferResponseType } from 'hono/client'
import { useState } from 'react'
import { useActionWithToast } from '#web/components/action-toast.ts'
import { Button, SmallButton } from '#web/components/button.tsx'
import { TextField } from '#web/components/field.tsx'
import { QuestionModal } from '#web/components/question-modal.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import { TabFrame } from '#web/components/tab-frame.tsx'
import { api, callApi, reading } from '#web/lib/api.ts'
import { useInstantTexts } from '#web/lib/date-texts.ts'
import { countOf } from '#web/lib/number-texts.ts'

type Expired = InferResponseType<typeof api.retention.$get, 200>

export const useExpiredRecords = () =>
  useQuery({
    queryKey: ['students', 'retention'],
    meta: { topics: ['settings'] },
    queryFn: reading(api.retention.$get, undefined),
  })

/** A separate screen for accounts that can't open the settings. */
export function ExpiredRecords() {
  const query = useExpiredRecords()
  return (
    <TabFrame query={query} failure="Failed to count the records">
      <ExpiredRecordsPanel expired={query.data ?? null} />
    </TabFrame>
  )
}

export function ExpiredRecordsPanel({ expired }: { expired: Expired | null }) {
  const [isAsking, setAsking] = useState(false)
  const { dayOf } = useInstantTexts()
  if (!expired) return <Skeleton className="h-11 w-full" />
  const { count, years, before, stopped } = expired
  return (
    <div className="rounded-box bg-soft px-4 py-3 text-sm">
      {stopped && <StoppedCleanUp {...stopped} />}
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

function StoppedCleanUp({ cleanedUpAt, today }: NonNullable<Expired['stopped']>) {
  const { dayOf } = useInstantTexts()
  const confirming = useActionWithToast({
    topics: ['settings'],
    mutationFn: () => callApi(api.retention.date.$post()),
    done: 'The date was confirmed.',
    whatFailed: 'Failed to confirm',
  })
  return (
    <div role="status" className="mb-3 rounded-box bg-warning-soft px-4 py-3 text-warning">
      <p>
        The server’s date is {dayOf(today)}, but it last deleted old entries, mail and sessions on{' '}
        {dayOf(cleanedUpAt)}. Nothing is deleted automatically until you confirm the date.
      </p>
      <SmallButton className="mt-3" onClick={() => confirming.run()}>
        Confirm date
      </SmallButton>
    </div>
  )
}

interface DeleteExpiredModalProps {
  expired: Expired
  open: boolean
  onClose: () => void
}

/** The user types the number: only a backup restores these records. */
function DeleteExpiredModal({ expired: { count, years }, open, onClose }: DeleteExpiredModalProps) {
  const [typed, setTyped] = useState('')
  const isSure = typed.replaceAll(/[\s,]/g, '') === String(count)
  const records = countOf(count, 'record')
  const deletion = useActionWithToast({
    topics: ['students'],
    mutationFn: () => callApi(api.retention.deletions.$post({ json: { count } })),
    done: `${records} deleted permanently`,
    onDone: close,
  })

  function close() {
    setTyped('')
    onClose()
  }

  return (
    <QuestionModal
      title={`Delete ${records} permanently?`}
      thing={open || null}
      action={deletion}
      isPossible={isSure}
      words={() => ({ confirm: 'Delete permanently', busy: 'Deleting…' })}
      onConfirm={() => deletion.run()}
      onClose={close}
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (isSure) deletion.run()
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
      </form>
    </QuestionModal>
  )
}
