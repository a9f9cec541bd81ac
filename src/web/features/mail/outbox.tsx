import { Inbox } from 'lucide-react'
import { mailKinds, mailKindTexts, mailStates, mailStateTexts } from '#shared/mail/mail.ts'
import { maxMailSearch } from '#shared/mail/mail-history.ts'
import { SmallLink } from '#web/components/button.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { SearchFilter, SelectFilter } from '#web/components/list-filters.tsx'
import { PageSteps } from '#web/components/pagination.tsx'
import { Loaded, TabFrame } from '#web/components/tab-frame.tsx'
import { api } from '#web/lib/api.ts'
import { useListAddress, usePage } from '#web/lib/list.ts'
import { countOf } from '#web/lib/number-texts.ts'
import { optionsOf } from '#web/lib/options.ts'
import { useEmailFrame } from './email-data.ts'
import { MailMessages } from './mail-messages.tsx'
import { nothingFoundTitle, type OutboxAddress, outboxAddress, unknownExplanation } from './outbox-data.ts'

export function Outbox() {
  const unknown = useEmailFrame().data?.queue.counts.unknown ?? 0
  const list = useListAddress(outboxAddress, { cursor: '', message: '' })
  const { message, ...filters } = list.values
  const query = usePage(['mail', 'outbox'], api.mail.messages.$get, { query: filters })
  return (
    <TabFrame query={query} failure="Failed to load the outbox">
      <div className="flex flex-col gap-4">
        <h2 className="text-lg font-semibold">Outbox</h2>
        {unknown > 0 && <UnknownNotice count={unknown} isFiltered={filters.state === 'unknown'} />}
        <div className="flex flex-wrap items-start gap-3">
          <SearchFilter
            list={list}
            id="outbox-search"
            placeholder="Search address or subject"
            mostLetters={maxMailSearch}
          />
          <SelectFilter list={list} name="state" label="State" options={stateOptions} />
          <SelectFilter list={list} name="kind" label="Kind" options={kindOptions} />
        </div>
        <Loaded query={query} what="the outbox" lines={5} className="h-16">
          {({ items, nextCursor }) => (
            <>
              {items.length === 0 ? (
                <NothingHere address={list.values} />
              ) : (
                <MailMessages
                  caption="Messages, newest first"
                  items={items}
                  busy={query.isPlaceholderData}
                  opened={message}
                  onOpen={(id) => list.show({ message: id, cursor: filters.cursor }, { replace: true })}
                />
              )}
              <PageSteps list={list} nextCursor={nextCursor} first="Newest messages" next="Older messages" />
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

const stateOptions = [{ value: 'all', label: 'All states' }, ...optionsOf(mailStates, mailStateTexts)]
const kindOptions = [{ value: 'all', label: 'All kinds' }, ...optionsOf(mailKinds, mailKindTexts)]
