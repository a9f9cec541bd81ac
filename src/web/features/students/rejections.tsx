import { useQuery } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import { useId } from 'react'
import { Button, SmallButton } from '#web/components/button.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { ModalFoot } from '#web/components/modal.tsx'
import { api, callApi, reading, slowApi } from '#web/lib/api.ts'
import { useInstantTexts } from '#web/lib/date-texts.ts'
import { countOf, figureText } from '#web/lib/number-texts.ts'
import { failureOf } from '#web/lib/query.ts'
import { listName } from './student-texts.ts'

/** The registrations of 30 days by network. */
export function useNetworks(enabled: boolean) {
  return useQuery({
    queryKey: ['students', 'networks'],
    enabled,
    // Once a minute, not with each new registration of a flood.
    staleTime: 'static',
    refetchInterval: 60_000,
    async queryFn({ signal }) {
      const { items } = await callApi(api.students.networks.$get(undefined, { init: { signal } }))
      return Object.fromEntries(items.map(({ network, count }) => [network, count]))
    },
  })
}

interface RejectedNoticesProps {
  isBusy: boolean
  onUndo: (id: string) => void
}

/** For the day in which rejected registrations can be restored. */
export function RejectedNotices({ isBusy, onUndo }: RejectedNoticesProps) {
  const { momentOf } = useInstantTexts()
  const { data } = useQuery({
    queryKey: ['students', 'rejections'],
    queryFn: reading(api.students.rejections.$get, undefined),
  })
  return data?.items.map(({ id, at, until, actor, count }) => (
    <div
      key={id}
      className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-box bg-warning-soft px-3 py-1.5 text-sm text-warning print:hidden"
    >
      <p className="min-w-[min(15rem,100%)] flex-1 wrap-anywhere">
        {countOf(count, 'registration')} marked as fake on {momentOf(at)} by {actor}. To be deleted on{' '}
        {momentOf(until)}.
      </p>
      <SmallButton icon={Undo2} disabled={isBusy} onClick={() => onUndo(id)}>
        Restore
      </SmallButton>
    </div>
  ))
}

interface RejectSelectedProps {
  ids: readonly string[]
  isBusy: boolean
  onReject: (ids: readonly string[]) => void
  onClose: () => void
}

export function RejectSelected({ ids, isBusy, onReject, onClose }: RejectSelectedProps) {
  // Stands in the query's key for the ids, of which there may be thousands.
  const opening = useId()
  const { momentOf } = useInstantTexts()
  const preview = useQuery({
    queryKey: ['students', 'rejection', opening],
    queryFn: reading(slowApi.students.rejections.preview.$post, { json: { ids: [...ids] } }),
    enabled: !isBusy,
    gcTime: 0,
    // Each new registration of a flood would post all ids again.
    staleTime: 'static',
  })
  const failure = failureOf(preview)
  const { total = 0, kept = 0, mail = 0, sample = [] } = preview.data ?? {}
  const count = total - kept
  const more = count - sample.length
  return (
    <div className="grid gap-3">
      <p>
        Removed from all lists and counts immediately. You can restore them for one day; then they are deleted
        with their e-mails.
      </p>
      {failure && <ErrorBanner message={failure} onRetry={() => void preview.refetch()} />}
      {/* Always rendered: a status is read out only when it changes. */}
      <p role="status" className="font-semibold empty:hidden">
        {isBusy ? 'Removing…' : preview.data && previewText({ count, kept, mail })}
      </p>
      <ul className="divide-y rounded-box border text-sm empty:hidden">
        {sample.map((student) => (
          <li key={student.id} className="px-3 py-2 wrap-anywhere">
            <span className="font-semibold">{listName(student)}</span> · {student.email}
            <span className="block text-muted">
              {momentOf(student.registrationDate)}
              {student.network && ` · ${student.network}`}
            </span>
          </li>
        ))}
        {more > 0 && <li className="px-3 py-2 text-muted">and {figureText(more)} more</li>}
      </ul>
      <ModalFoot>
        <SmallButton disabled={isBusy} onClick={onClose}>
          Cancel
        </SmallButton>
        <Button size="sm" variant="danger" disabled={isBusy || count === 0} onClick={() => onReject(ids)}>
          {count === 0 ? 'Mark as fake' : `Mark ${countOf(count, 'registration')} as fake`}
        </Button>
      </ModalFoot>
    </div>
  )
}

/** '120 registrations and 80 waiting e-mails. 3 other records are in use or blocked, and stay.' */
function previewText({ count, kept, mail }: Record<'count' | 'kept' | 'mail', number>): string {
  const waiting = mail > 0 ? ` and ${countOf(mail, 'waiting e-mail')}` : ''
  const [are, stay] = kept === 1 ? ['is', 'stays'] : ['are', 'stay']
  const rest = kept > 0 ? ` ${countOf(kept, 'other record')} ${are} in use or blocked, and ${stay}.` : ''
  return `${countOf(count, 'registration')}${waiting}.${rest}`
}
