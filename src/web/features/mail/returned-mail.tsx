import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Check, Inbox, MailCheck, MailX, RefreshCw } from 'lucide-react'
import { parseAsString } from 'nuqs/server'
import { Link, useLocation } from 'react-router'
import { mailKindTexts } from '#shared/mail/mail.ts'
import type { MailboxStatus, ReturnedMessage, ReturnedPage } from '#shared/mail/mail-response.ts'
import { returnReason } from '#shared/mail/returned-mail.ts'
import { AddressText } from '#web/components/address-text.tsx'
import { SmallButton } from '#web/components/button.tsx'
import { StackedCell, StackedRow, StackedTable } from '#web/components/data-table.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { PageSteps } from '#web/components/pagination.tsx'
import { Loaded, TabFrame } from '#web/components/tab-frame.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { createAddress } from '#web/lib/address.ts'
import { tabPath } from '#web/lib/admin-tab.ts'
import { api, callApi, reading } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { type InstantTexts, useInstantTexts } from '#web/lib/date-texts.ts'
import { figureText } from '#web/lib/number-texts.ts'
import { useAction } from '#web/lib/query.ts'

const address = createAddress(tabPath('email', { pane: 'returned' }), {
  cursor: parseAsString.withDefault(''),
})

export function ReturnedMail() {
  const { cursor } = address.read(useLocation().search)
  const query = useQuery({
    queryKey: ['mail', 'returned', cursor],
    queryFn: reading(api.mail.bounces.$get, { query: { cursor } }),
    placeholderData: keepPreviousData,
  })
  return (
    <TabFrame query={query} failure="Failed to load the bounced addresses">
      <section aria-labelledby="returned-title" className="flex flex-col gap-4">
        <div>
          <h2 id="returned-title" className="text-lg font-semibold">
            Bounced addresses
          </h2>
          <p className="mt-1 text-sm text-muted">
            E-mails to these addresses bounced. An entry is removed when the student’s address changes or when
            you mark it as resolved. E-mails are still sent to these addresses.
          </p>
        </div>
        <Loaded query={query} what="the bounced addresses" lines={5} className="h-16">
          {(page) => <Entries page={page} cursor={cursor} />}
        </Loaded>
      </section>
    </TabFrame>
  )
}

function Entries({ page, cursor }: { page: ReturnedPage; cursor: string }) {
  const texts = useInstantTexts()
  const resolving = useAction({
    topics: ['mail'],
    mutationFn: ({ id }: ReturnedMessage) =>
      callApi(api.mail.bounces[':id'].resolve.$post({ param: { id } })),
    onSuccess: (_, { recipient }) =>
      showToast({ type: 'success', message: `${recipient} is marked as resolved.` }),
  })
  return (
    <>
      {page.mailbox.isConfigured && <MailboxLine mailbox={page.mailbox} texts={texts} />}
      {resolving.error && (
        <ErrorBanner
          message={`The entry could not be marked. ${sentenceOf(resolving.error)}`}
          onDismiss={resolving.reset}
        />
      )}
      {page.items.length > 0 ? (
        <>
          <p className="text-sm font-semibold tabular-nums">
            {page.openCount === 1 ? '1 address' : `${figureText(page.openCount)} addresses`}
          </p>
          <StackedTable
            caption="Bounced addresses, newest first"
            heads={['Student and address', 'Reason', 'Date and e-mail']}
            actions="w-44"
          >
            {page.items.map((item) => (
              <ReturnedRow
                key={item.id}
                item={item}
                when={texts.momentOf(item.receivedAt)}
                isBusy={resolving.isPending && resolving.variables.id === item.id}
                onResolve={() => resolving.run(item)}
              />
            ))}
          </StackedTable>
        </>
      ) : page.mailbox.isConfigured ? (
        <EmptyState icon={MailCheck} title="No bounced addresses">
          All bounces are resolved.
        </EmptyState>
      ) : (
        <EmptyState icon={MailX} title="Bounce tracking is off">
          Enter the IMAP server of the sender’s mailbox in the e-mail configuration above. The mailbox is then
          checked every ten minutes; nothing in it is changed.
        </EmptyState>
      )}
      <PageSteps
        cursor={cursor}
        nextCursor={page.nextCursor}
        words={{ first: 'Newest entries', next: 'Older entries' }}
        pathOf={(at) => address.to({ cursor: at })}
      />
    </>
  )
}

function MailboxLine({ mailbox, texts }: { mailbox: MailboxStatus; texts: InstantTexts }) {
  const check = useAction({ topics: ['mail'], mutationFn: () => callApi(api.mail.bounces.check.$post()) })
  const isChecking = check.isPending || mailbox.isChecking
  const problem = check.error
    ? `The mailbox could not be checked. ${sentenceOf(check.error)}`
    : mailbox.failure
  return (
    <div className="flex flex-col gap-3">
      {problem !== '' && !isChecking && <ErrorBanner message={problem} />}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-box border bg-card px-4 py-2 shadow-card">
        <Inbox className="size-5 shrink-0 text-muted" />
        <p role="status" className="min-w-0 flex-1 text-sm">
          {isChecking ? 'Checking the mailbox…' : stateOf(mailbox, texts)}
        </p>
        <SmallButton icon={RefreshCw} aria-disabled={isChecking} onClick={() => check.run()}>
          Check now
        </SmallButton>
      </div>
    </div>
  )
}

function stateOf({ checkedAt, failure }: MailboxStatus, texts: InstantTexts): string {
  if (checkedAt === null) return 'The mailbox has not been checked yet.'
  return `${failure === '' ? 'Last checked' : 'Last tried'} ${texts.momentOf(checkedAt)}`
}

interface ReturnedRowProps {
  item: ReturnedMessage
  when: string
  isBusy: boolean
  onResolve: () => void
}

function ReturnedRow({ item, when, isBusy, onResolve }: ReturnedRowProps) {
  const { studentId, studentName, recipient, status, diagnostic, receivedAt, kind, subject } = item
  return (
    <StackedRow>
      <StackedCell className="md:max-w-72 md:min-w-56">
        {studentId === null ? (
          <p className="text-muted">{kind === null ? 'Not matched' : 'No student has this address'}</p>
        ) : (
          <Link
            to={tabPath('students', { archive: 'all', edit: studentId })}
            className="inline-block py-1 font-semibold wrap-anywhere text-primary underline underline-offset-4 max-md:py-2.5"
          >
            {studentName}
          </Link>
        )}
        <p className="wrap-anywhere">
          <AddressText text={recipient} />
        </p>
      </StackedCell>
      <StackedCell>
        <p className="font-semibold">{returnReason(status)}</p>
        <p className="text-xs wrap-anywhere text-muted">
          {diagnostic === '' ? `Status ${status}` : `The server: ${diagnostic}`}
        </p>
      </StackedCell>
      <StackedCell className="lg:max-w-64">
        <p className="whitespace-nowrap tabular-nums">
          <time dateTime={receivedAt}>{when}</time>
        </p>
        <p className="text-xs wrap-anywhere text-muted">
          {kind === null
            ? 'The report names no e-mail of this portal, so it may be forged.'
            : `${mailKindTexts[kind]}: ${subject}`}
        </p>
      </StackedCell>
      <StackedCell className="md:w-44 md:text-right">
        <SmallButton
          className="whitespace-nowrap max-md:w-full"
          icon={Check}
          aria-label={`Mark as resolved: ${recipient}`}
          aria-disabled={isBusy}
          onClick={onResolve}
        >
          Mark as resolved
        </SmallButton>
      </StackedCell>
    </StackedRow>
  )
}
