import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Inbox } from 'lucide-react'
import { useLocation, useNavigate } from 'react-router'
import { mailKinds, mailKindTexts, mailStates, mailStateTexts } from '#shared/mail/mail.ts'
import { maxMailSearch } from '#shared/mail/mail-history.ts'
import { SmallLink } from '#web/components/button.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { SelectField } from '#web/components/field.tsx'
import { PageSteps } from '#web/components/pagination.tsx'
import { SearchBox } from '#web/components/search-box.tsx'
import { Loaded, TabFrame } from '#web/components/tab-frame.tsx'
import { api, reading } from '#web/lib/api.ts'
import { countOf } from '#web/lib/number-texts.ts'
import { useEmailFrame } from './email-data.ts'
import { MailMessages } from './mail-messages.tsx'
import { nothingFoundTitle, type OutboxAddress, outboxAddress, unknownExplanation } from './outbox-data.ts'

export function Outbox() {
  const navigate = useNavigate()
  const unknown = useEmailFrame().data?.queue.counts.unknown ?? 0
  const address = outboxAddress.read(useLocation().search)
  const { message, ...filters } = address
  const query = useQuery({
    queryKey: ['mail', 'outbox', filters],
    queryFn: reading(api.mail.messages.$get, { query: filters }),
    placeholderData: keepPreviousData,
  })

  function show(changes: Partial<OutboxAddress>, options: { replace?: boolean } = {}) {
    const next = outboxAddress.to({ ...filters, cursor: '', ...changes })
    void navigate(next, { ...options, preventScrollReset: true })
  }

  return (
    <TabFrame query={query} failure="Failed to load the outbox">
      <div className="flex flex-col gap-4">
        <h2 className="text-lg font-semibold">Outbox</h2>
        {unknown > 0 && <UnknownNotice count={unknown} isFiltered={filters.state === 'unknown'} />}
        <OutboxFilters address={address} onChange={show} />
        <Loaded query={query} what="the outbox" lines={5} className="h-16">
          {(data) => (
            <>
              {data.items.length === 0 ? (
                <NothingHere address={address} />
              ) : (
                <MailMessages
                  caption="Messages, newest first"
                  items={data.items}
                  busy={query.isPlaceholderData}
                  opened={message}
                  onOpen={(id) => show({ message: id, cursor: filters.cursor }, { replace: true })}
                />
              )}
              <PageSteps
                cursor={filters.cursor}
                nextCursor={data.nextCursor}
                words={{ first: 'Newest messages', next: 'Older messages' }}
                pathOf={(cursor) => outboxAddress.to({ ...filters, cursor })}
              />
            </>
          )}
        </Loaded>
      </div>
    </TabFrame>
  )
}

function NothingHere({ address }: { address: OutboxAddress }) {
  const { state, kind, search, cursor } = address
  if (state === 'all' && kind === 'all' && search === '' && cursor === '') {
    return (
      <EmptyState icon={Inbox} title="No e-mails sent yet.">
        Every e-mail that the portal sends appears here with its status.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={Inbox}
      title={nothingFoundTitle(address)}
      action={<SmallLink to={outboxAddress.to({})}>Show all messages</SmallLink>}
    />
  )
}

function UnknownNotice({ count, isFiltered }: { count: number; isFiltered: boolean }) {
  return (
    <section
      aria-label="Needs review"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-box bg-warning-soft px-4 py-3 text-sm text-warning"
    >
      <div className="min-w-[min(16rem,100%)] flex-1">
        <p className="font-semibold">Delivery unknown: {countOf(count, 'message')}</p>
        <p className="mt-1 text-fg">{unknownExplanation}</p>
      </div>
      <SmallLink to={isFiltered ? outboxAddress.to({}) : outboxAddress.to({ state: 'unknown' })}>
        {isFiltered ? 'Show all messages' : 'Show them'}
      </SmallLink>
    </section>
  )
}

const stateOptions = [
  { value: 'all', label: 'All states' },
  ...mailStates.map((value) => ({ value, label: mailStateTexts[value] })),
]
const kindOptions = [
  { value: 'all', label: 'All kinds' },
  ...mailKinds.map((value) => ({ value, label: mailKindTexts[value] })),
]

interface OutboxFiltersProps {
  address: OutboxAddress
  onChange: (changes: Partial<OutboxAddress>, options?: { replace?: boolean }) => void
}

function OutboxFilters({ address, onChange }: OutboxFiltersProps) {
  return (
    <div className="flex flex-wrap items-start gap-3">
      <SearchBox
        id="outbox-search"
        className="min-w-[min(16rem,100%)] flex-[2_1_16rem] max-md:basis-full"
        placeholder="Search address or subject"
        mostLetters={maxMailSearch}
        value={address.search}
        onSearch={(search) => onChange({ search }, { replace: true })}
      />
      <SelectField
        name="state"
        className="min-w-[min(9rem,100%)] flex-1"
        label="State"
        density="compact"
        options={stateOptions}
        value={address.state}
        onChange={({ target }) =>
          onChange({ state: mailStates.find((state) => state === target.value) ?? 'all' })
        }
      />
      <SelectField
        name="kind"
        className="min-w-[min(9rem,100%)] flex-1"
        label="Kind"
        density="compact"
        options={kindOptions}
        value={address.kind}
        onChange={({ target }) =>
          onChange({ kind: mailKinds.find((kind) => kind === target.value) ?? 'all' })
        }
      />
    </div>
  )
}
