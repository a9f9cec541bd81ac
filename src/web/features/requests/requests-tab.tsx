import { MessageSquareText } from 'lucide-react'
import { type inferParserType, parseAsStringLiteral } from 'nuqs/server'
import { studentRequestKinds, studentRequestNames } from '#shared/requests/request-kinds.ts'
import type { ListedRequest } from '#shared/requests/requests-response.ts'
import { Badge } from '#web/components/badge.tsx'
import { SmallButton, SmallLink } from '#web/components/button.tsx'
import { type Column, ListTable } from '#web/components/data-table.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { Hint } from '#web/components/hint.tsx'
import { SearchFilter, SelectFilter } from '#web/components/list-filters.tsx'
import { PageSteps } from '#web/components/pagination.tsx'
import { RequestState } from '#web/components/request-state.tsx'
import { Loaded, TabFrame } from '#web/components/tab-frame.tsx'
import { TrainingDay } from '#web/components/training-day.tsx'
import { createAddress, parseAsId, parseAsSearch, parseAsText } from '#web/lib/address.ts'
import { tabPath } from '#web/lib/admin-tab.ts'
import { api } from '#web/lib/api.ts'
import { useInstantTexts } from '#web/lib/date-texts.ts'
import { factsText } from '#web/lib/facts-text.ts'
import { useFormAddress } from '#web/lib/form-address.ts'
import { useListAddress, usePage } from '#web/lib/list.ts'
import { optionsOf } from '#web/lib/options.ts'
import { dateOf } from '#web/lib/relative-time.ts'
import { RequestPanel } from './request-panel.tsx'

const states = ['open', 'decided'] as const

const parsers = {
  state: parseAsStringLiteral(states).withDefault('open'),
  kind: parseAsStringLiteral(['all', ...studentRequestKinds]).withDefault('all'),
  search: parseAsSearch(100),
  cursor: parseAsText((text) => (/^\d+\.[\da-f-]{36}$/.test(text) ? text : null)),
  request: parseAsId,
}

type RequestsAddress = inferParserType<typeof parsers>

const requestsAddress = createAddress(tabPath('requests'), parsers)

/** What students ask for at /my. */
export function RequestsTab() {
  const list = useListAddress(requestsAddress, { cursor: '', request: null })
  const { request, ...filters } = list.values
  const panel = useFormAddress(request !== null)
  const query = usePage(['requests', 'list'], api.requests.$get, { query: filters }, ['students'])
  const pageOf = (changes: Partial<RequestsAddress>) => requestsAddress.to({ ...filters, ...changes })

  return (
    <TabFrame query={query} failure="Failed to load the requests">
      <div className="flex flex-col gap-4">
        <div>
          <h1 className="text-2xl font-bold tracking-tight">Requests</h1>
          <Hint className="mt-1">
            What students ask for on their own page. The {filters.state === 'open' ? 'oldest' : 'newest'}{' '}
            comes first.
          </Hint>
        </div>
        <div className="flex flex-wrap items-start gap-3">
          <SearchFilter
            list={list}
            id="requests-search"
            placeholder="Search name or reference code"
            mostLetters={100}
          />
          <SelectFilter list={list} name="state" label="State" options={stateOptions} />
          <SelectFilter list={list} name="kind" label="Kind" options={kindOptions} />
        </div>
        <Loaded query={query} what="the requests" lines={5} className="h-16">
          {({ items, nextCursor }) => (
            <>
              {items.length === 0 ? (
                <NothingHere address={list.values} />
              ) : (
                <RequestsTable
                  items={items}
                  isDecided={filters.state === 'decided'}
                  busy={query.isPlaceholderData}
                  onOpen={(id) => panel.open(pageOf({ request: id }))}
                />
              )}
              <PageSteps list={list} nextCursor={nextCursor} first="First requests" next="Next requests" />
            </>
          )}
        </Loaded>
        <RequestPanel id={request} onClose={() => panel.close(pageOf({}))} />
      </div>
    </TabFrame>
  )
}

const kindOptions = [
  { value: 'all', label: 'All kinds' },
  ...optionsOf(studentRequestKinds, studentRequestNames),
]
const stateOptions = [
  { value: 'open', label: 'Open' },
  { value: 'decided', label: 'Decided or withdrawn' },
]

function NothingHere({ address: { state, kind, search } }: { address: RequestsAddress }) {
  if (state === 'open' && kind === 'all' && search === '') {
    return (
      <EmptyState icon={MessageSquareText} title="No open requests.">
        Students make them on their own page, at /my.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={MessageSquareText}
      title="No requests match these filters."
      action={<SmallLink to={requestsAddress.to({})}>Show all open requests</SmallLink>}
    />
  )
}

interface RequestsTableProps {
  items: readonly ListedRequest[]
  isDecided: boolean
  busy: boolean
  onOpen: (id: string) => void
}

function RequestsTable({ items, isDecided, busy, onOpen }: RequestsTableProps) {
  const { momentOf } = useInstantTexts()
  const columns: readonly Column<ListedRequest>[] = [
    {
      head: 'Student',
      isRowHead: true,
      className: 'font-normal md:min-w-48',
      cell: ({ name, reference, component }) => (
        <>
          <span className="block font-semibold wrap-anywhere">{name}</span>
          <span className="text-muted">{factsText(reference, component)}</span>
        </>
      ),
    },
    {
      head: 'Asks for',
      value: ({ kind, labels, absence }) => (
        <>
          {studentRequestNames[kind]}
          {absence && (
            <span className="text-muted">
              : <TrainingDay day={absence} />
            </span>
          )}
          {kind === 'correction' && <span className="text-muted">: {labels.join(', ')}</span>}
        </>
      ),
    },
    {
      head: isDecided ? 'Decided' : 'Made',
      value: ({ askedAt, decidedAt }) => momentOf((isDecided && decidedAt) || askedAt),
    },
    { head: 'State', value: (item) => <State request={item} /> },
    {
      head: 'Actions',
      isHeadHidden: true,
      headClassName: 'w-20',
      cell: ({ id, name, kind }) => (
        <SmallButton
          aria-label={`Open the request of ${name}: ${studentRequestNames[kind]}`}
          onClick={() => onOpen(id)}
        >
          Open
        </SmallButton>
      ),
    },
  ]
  return <ListTable caption="Requests of students" columns={columns} items={items} busy={busy} />
}

function State({ request }: { request: ListedRequest }) {
  const { kind, state, dueOn, waitsForGuardian } = request
  return (
    <span className="inline-flex flex-wrap gap-2">
      <RequestState request={request} />
      {waitsForGuardian && <Badge tone="warning">Guardian first</Badge>}
      {kind === 'erasure' && state === 'granted' && <Badge tone="warning">Record to delete</Badge>}
      {state === 'open' && dueOn !== null && `due ${dateOf(dueOn)}`}
    </span>
  )
}
