import { Inbox } from 'lucide-react'
import { useNavigate, useNavigation } from 'react-router'
import { mailKinds, mailKindTexts, mailStates, mailStateTexts } from '#shared/mail/mail.ts'
import { maxMailSearch } from '#shared/mail/mail-history.ts'
import { ButtonLink } from '#web/components/button.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { SelectField } from '#web/components/field.tsx'
import { PageSteps } from '#web/components/pagination.tsx'
import { SearchBox } from '#web/components/search-box.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import { countOf } from '#web/lib/number-texts.ts'
import { usePendingLocation } from '#web/lib/pending-location.ts'
import { MailMessages } from './mail-messages.tsx'
import {
  nothingFoundTitle,
  type OutboxAddress,
  type OutboxData,
  outboxPath,
  readOutboxAddress,
  unknownExplanation,
} from './outbox-data.ts'

interface OutboxProps {
  data: OutboxData | null
  failed: boolean
  unknown: number
}

export function Outbox({ data, failed, unknown }: OutboxProps) {
  const navigate = useNavigate()
  const address = readOutboxAddress(new URLSearchParams(usePendingLocation().search))
  const isReading = useNavigation().state !== 'idle'

  function show(changes: Partial<OutboxAddress>, options: { replace?: boolean } = {}) {
    const next = outboxPath({ ...address, cursor: '', message: null, ...changes })
    void navigate(next, { ...options, preventScrollReset: true })
  }

  const open = (message: string | null) =>
    void navigate(outboxPath({ ...address, message }), { replace: true, preventScrollReset: true })

  return (
    <div className="flex flex-col gap-4">
      <h2 className="text-lg font-semibold">Outbox</h2>
      {unknown > 0 && <UnknownNotice count={unknown} isFiltered={address.state === 'unknown'} />}
      <OutboxFilters address={address} onChange={show} />
      {data === null ? (
        <Waiting failed={failed} />
      ) : data.page.items.length === 0 ? (
        <NothingHere address={data.address} />
      ) : (
        <MailMessages
          caption="Messages, newest first"
          items={data.page.items}
          busy={isReading}
          opened={address.message}
          onOpen={open}
          onClose={() => open(null)}
        />
      )}
      {data && (
        <PageSteps
          label="Pagination"
          cursor={data.address.cursor}
          nextCursor={data.page.nextCursor}
          words={{ first: 'Newest messages', next: 'Older messages' }}
          pathOf={(cursor) => outboxPath({ ...data.address, message: null, cursor })}
        />
      )}
    </div>
  )
}

function Waiting({ failed }: { failed: boolean }) {
  if (failed)
    return <EmptyState icon={<Inbox className="size-8" />} title="The outbox could not be loaded." />
  return (
    <div role="status" className="flex flex-col gap-2">
      <span className="sr-only">Loading the outbox</span>
      {['a', 'b', 'c', 'd', 'e'].map((row) => (
        <Skeleton key={row} className="h-16 w-full" />
      ))}
    </div>
  )
}

function NothingHere({ address }: { address: OutboxAddress }) {
  const { state, kind, search, cursor } = address
  const icon = <Inbox className="size-8" />
  if (state === null && kind === null && search === '' && cursor === '') {
    return (
      <EmptyState icon={icon} title="No e-mails sent yet.">
        Every e-mail that the portal sends appears here with its status.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={icon}
      title={nothingFoundTitle(address)}
      action={
        <ButtonLink variant="outline" size="sm" to={outboxPath()}>
          Show all messages
        </ButtonLink>
      }
    />
  )
}

interface UnknownNoticeProps {
  count: number
  isFiltered: boolean
}

function UnknownNotice({ count, isFiltered }: UnknownNoticeProps) {
  return (
    <section
      aria-label="Needs review"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-box bg-warning-soft px-4 py-3 text-sm text-warning"
    >
      <div className="min-w-64 flex-1">
        <p className="font-semibold">
          {count === 1 ? 'Delivery unknown: 1 message' : `Delivery unknown: ${countOf(count, 'message')}`}
        </p>
        <p className="mt-1 text-fg">{unknownExplanation}</p>
      </div>
      <ButtonLink
        variant="outline"
        size="sm"
        className="max-md:min-h-11"
        to={isFiltered ? outboxPath() : outboxPath({ state: 'unknown' })}
      >
        {isFiltered ? 'Show all messages' : 'Show them'}
      </ButtonLink>
    </section>
  )
}

const stateOptions = mailStates.map((value) => ({ value, label: mailStateTexts[value] }))
const kindOptions = mailKinds.map((value) => ({ value, label: mailKindTexts[value] }))

interface OutboxFiltersProps {
  address: OutboxAddress
  onChange: (changes: Partial<OutboxAddress>, options?: { replace?: boolean }) => void
}

function OutboxFilters({ address, onChange }: OutboxFiltersProps) {
  return (
    <div className="flex flex-wrap items-start gap-3 max-md:[&_select]:min-h-11">
      <SearchBox
        id="outbox-search"
        className="min-w-64 flex-[2_1_16rem] max-md:basis-full"
        placeholder="Search address or subject"
        mostLetters={maxMailSearch}
        value={address.search}
        onSearch={(search) => onChange({ search }, { replace: true })}
      />
      <SelectField
        name="state"
        className="min-w-36 flex-1"
        label="State"
        density="compact"
        placeholder="All states"
        options={stateOptions}
        value={address.state ?? ''}
        onChange={({ target }) =>
          onChange({ state: mailStates.find((state) => state === target.value) ?? null })
        }
      />
      <SelectField
        name="kind"
        className="min-w-36 flex-1"
        label="Kind"
        density="compact"
        placeholder="All kinds"
        options={kindOptions}
        value={address.kind ?? ''}
        onChange={({ target }) => onChange({ kind: mailKinds.find((kind) => kind === target.value) ?? null })}
      />
    </div>
  )
}
