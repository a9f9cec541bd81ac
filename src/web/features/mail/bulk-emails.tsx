import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Mails } from 'lucide-react'
import { useEffect, useEffectEvent, useRef } from 'react'
import { Link, useLocation } from 'react-router'
import {
  type MailCounts,
  type MailState,
  mailSentences,
  mailStates,
  mailStateTexts,
} from '#shared/mail/mail.ts'
import { mailDecisionSentences, maxMailSearch } from '#shared/mail/mail-history.ts'
import type { BatchPage, BatchSummary, MailPage } from '#shared/mail/mail-response.ts'
import { AddressText } from '#web/components/address-text.tsx'
import { Badge } from '#web/components/badge.tsx'
import { SmallButton, SmallLink } from '#web/components/button.tsx'
import { Part } from '#web/components/card.tsx'
import { CountTiles } from '#web/components/count-tiles.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { Hint } from '#web/components/hint.tsx'
import { SearchFilter } from '#web/components/list-filters.tsx'
import { PageSteps } from '#web/components/pagination.tsx'
import { Loaded, TabFrame } from '#web/components/tab-frame.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { api, callApi, orNull } from '#web/lib/api.ts'
import { useInstantTexts, useProgramTimeZone } from '#web/lib/date-texts.ts'
import { factsText } from '#web/lib/facts-text.ts'
import { useListAddress } from '#web/lib/list.ts'
import { figureText } from '#web/lib/number-texts.ts'
import { pollWhile } from '#web/lib/query.ts'
import { useNow } from '#web/lib/relative-time.ts'
import { BatchActions } from './batch-actions.tsx'
import { batchBadgeOf, endText, hasEnded, leftOutText, sentText, sourceText } from './batch-texts.ts'
import { type BulkAddress, bulkAddress, componentOf } from './bulk-data.ts'
import { BulkForm } from './bulk-form.tsx'
import { MailMessages } from './mail-messages.tsx'

const failure = 'Failed to load the bulk e-mails'
const loading = { what: 'bulk e-mails', lines: 2, className: 'h-72' }

/** The address selects the form or one batch. */
export function BulkEmails() {
  const address = bulkAddress.read(useLocation().search)
  return address.batch === '' ? (
    <NewBatch cursor={address.cursor} />
  ) : (
    <OpenBatch key={address.batch} address={address} />
  )
}

function NewBatch({ cursor }: { cursor: string }) {
  const component = componentOf(useLocation().search)
  const query = useQuery({
    queryKey: ['mail', 'bulk', cursor],
    meta: { topics: ['settings'] },
    placeholderData: keepPreviousData,
    async queryFn({ signal }) {
      const init = { init: { signal } }
      const [history, templates, offer, courses, academicYears] = await Promise.all([
        callApi(api.mail.batches.$get({ query: { cursor } }, init)),
        callApi(api.mail.templates.$get(undefined, init)),
        callApi(api.registrations.offer.$get(undefined, init)),
        callApi(api.students.courses.$get(undefined, init)),
        callApi(api.students['academic-years'].$get(undefined, init)),
      ])
      return {
        history,
        templates: templates.items,
        courses: [...new Set([...offer.courses, ...courses.items])],
        academicYears: [...new Set([...offer.academicYears, ...academicYears.items])],
      }
    },
    refetchInterval: (query) => pollWhile(query, ({ history }) => history.items.some(isUnderWay)),
  })
  return (
    <TabFrame query={query} failure={failure}>
      <Loaded query={query} {...loading}>
        {(start) => (
          <div className="flex flex-col gap-8">
            <BulkForm key={component} start={start} />
            <BatchHistory history={start.history} cursor={cursor} />
          </div>
        )}
      </Loaded>
    </TabFrame>
  )
}

function OpenBatch({ address }: { address: BulkAddress }) {
  const { batch: id, message: _opened, ...filters } = address
  const query = useQuery({
    queryKey: ['mail', 'bulk', id, filters],
    placeholderData: keepPreviousData,
    queryFn({ signal }) {
      const init = { init: { signal } }
      const batch = api.mail.batches[':id']
      const reading = Promise.all([
        callApi(batch.$get({ param: { id } }, init)),
        callApi(batch.results.$get({ param: { id }, query: filters }, init)),
      ])
      return orNull<BatchData>(reading.then(([summary, results]) => ({ summary, results })))
    },
    refetchInterval: (query) => pollWhile(query, (data) => data !== null && isUnderWay(data.summary)),
  })
  return (
    <TabFrame query={query} failure={failure}>
      <Loaded query={query} {...loading}>
        {(data) =>
          data ? (
            <BatchView data={data} address={address} busy={query.isPlaceholderData} />
          ) : (
            <EmptyState
              icon={Mails}
              title={mailDecisionSentences.batchNotFound}
              action={<SmallLink to={bulkAddress.to({})}>All bulk e-mails</SmallLink>}
            />
          )
        }
      </Loaded>
    </TabFrame>
  )
}

function isUnderWay(batch: BatchSummary): boolean {
  return batch.state !== 'paused' && !hasEnded(batch)
}

function BatchHistory({ history: { items, nextCursor }, cursor }: { history: BatchPage; cursor: string }) {
  return (
    <Part title="Earlier bulk e-mails">
      {items.length === 0 ? (
        <EmptyState icon={Mails} title="No e-mails sent yet.">
          Bulk e-mails appear here with their progress and results.
        </EmptyState>
      ) : (
        <ul className="divide-y divide-line rounded-box border bg-card shadow-card">
          {items.map((batch) => (
            <HistoryLine key={batch.id} batch={batch} />
          ))}
        </ul>
      )}
      <PageSteps
        list={{ values: { cursor }, to: bulkAddress.to }}
        nextCursor={nextCursor}
        first="Newest bulk e-mails"
        next="Older bulk e-mails"
        preventScrollReset
      />
    </Part>
  )
}

function HistoryLine({ batch }: { batch: BatchSummary }) {
  const texts = useInstantTexts()
  const { label, tone } = batchBadgeOf(batch)
  return (
    <li className="flex flex-col gap-1 px-4 py-3">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Link
          to={bulkAddress.to({ batch: batch.id })}
          className="inline-flex min-h-6 items-center font-semibold wrap-anywhere text-primary underline underline-offset-4 max-md:min-h-11"
        >
          {batch.subject}
        </Link>
        {batch.kind === 'announcement' && <Badge>Announcement</Badge>}
        <Badge tone={tone}>{label}</Badge>
      </p>
      <Hint className="wrap-anywhere">
        {factsText(sentText(batch), sourceText(batch.source), leftOutText(batch))}
      </Hint>
      <Hint className="wrap-anywhere">
        {texts.momentOf(batch.createdAt)} · {batch.createdBy}
      </Hint>
      {!hasEnded(batch) && <StateBar counts={batch.counts} />}
    </li>
  )
}

interface BatchData {
  summary: BatchSummary
  results: MailPage
}

function BatchView({ data, address, busy }: { data: BatchData; address: BulkAddress; busy: boolean }) {
  const { summary } = data
  const texts = useInstantTexts()
  const title = useRef<HTMLHeadingElement>(null)
  useEndNotice(summary)
  useEffect(() => {
    // The button that opened it is gone: focuses this title.
    if (document.activeElement === document.body) title.current?.focus()
  }, [])

  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-[min(16rem,100%)] flex-1">
          <h2 ref={title} tabIndex={-1} className="text-lg font-semibold wrap-anywhere outline-hidden">
            {summary.subject}
          </h2>
          <Hint className="mt-1 wrap-anywhere">
            <AddressText
              text={factsText(
                sourceText(summary.source),
                leftOutText(summary),
                texts.momentOf(summary.createdAt),
                summary.createdBy,
              )}
            />
          </Hint>
        </div>
        <SmallLink to={bulkAddress.to({})}>All bulk e-mails</SmallLink>
      </div>
      <section
        aria-label="Progress"
        className="flex flex-col gap-4 rounded-box border bg-card p-4 shadow-card sm:p-5"
      >
        <BatchProgress batch={summary} />
        <BatchActions batch={summary} filters={address} titleRef={title} />
      </section>
      <BatchResults data={data} busy={busy} />
    </div>
  )
}

function useEndNotice(batch: BatchSummary): void {
  const isEnded = hasEnded(batch)
  const wasUnderWay = useRef(false)
  const notify = useEffectEvent(() => {
    const { counts, recipientCount, state } = batch
    if (state === 'cancelled') return
    if (counts.sent === 0 && counts.failed > 0) {
      showToast('error', mailSentences.failedEmails('see the results for the reasons.'))
      return
    }
    showToast(
      counts.sent === recipientCount ? 'success' : 'warning',
      mailSentences.sentSome(counts.sent, recipientCount),
    )
  })
  useEffect(() => {
    if (isEnded && wasUnderWay.current) notify()
    wasUnderWay.current = !isEnded
  }, [isEnded])
}

function BatchProgress({ batch }: { batch: BatchSummary }) {
  const { counts, recipientCount } = batch
  const timeZone = useProgramTimeZone()
  const now = useNow(batch)
  const { label, tone } = batchBadgeOf(batch)
  const done = recipientCount - counts.queued - counts.sending
  const text = `${figureText(done)} of ${figureText(recipientCount)} done`
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <Badge tone={tone}>{label}</Badge>
        <span className="text-sm font-semibold tabular-nums">{text}</span>
      </div>
      <div
        role="progressbar"
        aria-label="Sending"
        aria-valuemin={0}
        aria-valuemax={recipientCount}
        aria-valuenow={done}
        aria-valuetext={text}
      >
        <StateBar counts={counts} />
      </div>
      <Hint role="status">{endText(batch, now, timeZone)}</Hint>
    </div>
  )
}

function BatchResults({ data: { summary, results }, busy }: { data: BatchData; busy: boolean }) {
  const list = useListAddress(bulkAddress, { cursor: '', message: '' })
  const { cursor, message, state } = list.values
  return (
    <section aria-labelledby="results-title" className="flex flex-col gap-3">
      <h3 id="results-title" className="text-base font-semibold">
        Results
      </h3>
      <CountTiles
        legend="Results to show"
        tiles={tilesOf(summary.counts, state)}
        selected={state}
        className="sm:grid-cols-[repeat(auto-fit,minmax(7rem,1fr))]"
        onSelect={(chosen) => list.show({ state: chosen })}
      />
      <SearchFilter
        list={list}
        id="result-search"
        className="max-w-md"
        placeholder="Search address or name"
        mostLetters={maxMailSearch}
      />
      {state === 'unknown' && summary.counts.unknown > 0 && (
        <p className="rounded-box bg-warning-soft px-4 py-3 text-sm">
          Delivery unknown: the connection was lost before the mail server confirmed these e-mails. They are
          not sent again automatically. Ask the recipients or check the mailbox’s Sent folder, then decide.
        </p>
      )}
      {results.items.length === 0 ? (
        <EmptyState
          title="No matching recipients."
          action={
            <SmallButton onClick={() => list.show({ state: 'all', search: '' })}>
              Show all recipients
            </SmallButton>
          }
        />
      ) : (
        <MailMessages
          caption="Recipients"
          items={results.items}
          busy={busy}
          opened={message}
          onOpen={(id) => list.show({ message: id, cursor }, { replace: true })}
          isOneBatch
        />
      )}
      <PageSteps
        list={list}
        nextCursor={results.nextCursor}
        first="First recipients"
        next="More recipients"
        preventScrollReset
      />
    </section>
  )
}

/** States with messages. The selected one stays when it becomes empty. */
function tilesOf(counts: MailCounts, selected: BulkAddress['state']) {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  return [
    { value: 'all' as const, label: 'All', count: total },
    ...mailStates
      .filter((state) => counts[state] > 0 || state === selected)
      .map((state) => ({ value: state, label: mailStateTexts[state], count: counts[state] })),
  ]
}

// From left to right. Queued messages are the bar's background.
const paints: readonly (readonly [state: MailState, paint: string])[] = [
  ['sent', 'bg-primary'],
  ['unknown', 'bg-warning'],
  ['failed', 'bg-danger'],
  ['cancelled', 'bg-edge'],
]

function StateBar({ counts }: { counts: MailCounts }) {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  return (
    <div aria-hidden="true" className="flex h-2.5 w-full overflow-hidden rounded-box bg-line">
      {paints.map(
        ([state, paint]) =>
          counts[state] > 0 && (
            <div
              key={state}
              className={`${paint} h-full min-w-0.5 transition-[width] duration-150`}
              style={{ width: `${(counts[state] / total) * 100}%` }}
            />
          ),
      )}
    </div>
  )
}
