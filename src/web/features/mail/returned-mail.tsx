import { Check, Inbox, MailCheck, MailX, RefreshCw } from 'lucide-react'
import { parseAsString } from 'nuqs/server'
import { Link } from 'react-router'
import { mailKindTexts } from '#shared/mail/mail.ts'
import type { MailboxStatus, ReturnedMessage, ReturnedPage } from '#shared/mail/mail-response.ts'
import { returnReason } from '#shared/mail/returned-mail.ts'
import { useActionWithToast } from '#web/components/action-toast.ts'
import { AddressText } from '#web/components/address-text.tsx'
import { SmallButton } from '#web/components/button.tsx'
import { type Column, ListTable } from '#web/components/data-table.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { Hint } from '#web/components/hint.tsx'
import { PageSteps } from '#web/components/pagination.tsx'
import { Loaded, TabFrame } from '#web/components/tab-frame.tsx'
import { createAddress } from '#web/lib/address.ts'
import { tabPath } from '#web/lib/admin-tab.ts'
import { api, callApi } from '#web/lib/api.ts'
import { failureText } from '#web/lib/api-problem.ts'
import { type InstantTexts, useInstantTexts } from '#web/lib/date-texts.ts'
import { useListAddress, usePage } from '#web/lib/list.ts'
import { figureText } from '#web/lib/number-texts.ts'
import { useAction } from '#web/lib/query.ts'

const address = createAddress(tabPath('email', { pane: 'returned' }), {
  cursor: parseAsString.withDefault(''),
})

export function ReturnedMail() {
  const list = useListAddress(address, {})
  const query = usePage(['mail', 'returned'], api.mail.bounces.$get, { query: list.values })
  return (
    <TabFrame query={query} failure="Failed to load the bounced addresses">
      <section aria-labelledby="returned-title" className="flex flex-col gap-4">
        <div>
          <h2 id="returned-title" className="text-lg font-semibold">
            Bounced addresses
          </h2>
          <Hint className="mt-1">
            E-mails to these addresses bounced. An entry is removed when the student’s address changes or when
            you mark it as resolved. E-mails are still sent to these addresses.
          </Hint>
        </div>
        <Loaded query={query} what="the bounced addresses" lines={5} className="h-16">
          {(page) => (
            <>
              <Entries page={page} />
              <PageSteps
                list={list}
                nextCursor={page.nextCursor}
                first="Newest entries"
                next="Older entries"
              />
            </>
          )}
        </Loaded>
      </section>
    </TabFrame>
  )
}

function Entries({ page }: { page: ReturnedPage }) {
  const texts = useInstantTexts()
  const resolving = useActionWithToast({
    topics: ['mail'],
    mutationFn: ({ id }: ReturnedMessage) =>
      callApi(api.mail.bounces[':id'].resolve.$post({ param: { id } })),
    done: (_, { recipient }) => `${recipient} is marked as resolved.`,
  })
  const columns: readonly Column<ReturnedMessage>[] = [
    {
      head: 'Student and address',
      className: 'md:max-w-72 md:min-w-56',
      cell: ({ studentId, studentName, kind, recipient }) => (
        <>
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
        </>
      ),
    },
    {
      head: 'Reason',
      cell: ({ status, diagnostic }) => (
        <>
          <p className="font-semibold">{returnReason(status)}</p>
          <p className="text-xs wrap-anywhere text-muted">
            {diagnostic === '' ? `Status ${status}` : `The server: ${diagnostic}`}
          </p>
        </>
      ),
    },
    {
      head: 'Date and e-mail',
      className: 'lg:max-w-64',
      cell: ({ receivedAt, kind, subject }) => (
        <>
          <p className="whitespace-nowrap tabular-nums">
            <time dateTime={receivedAt}>{texts.momentOf(receivedAt)}</time>
          </p>
          <p className="text-xs wrap-anywhere text-muted">
            {kind === null
              ? 'The report names no e-mail of this portal, so it may be forged.'
              : `${mailKindTexts[kind]}: ${subject}`}
          </p>
        </>
      ),
    },
    {
      head: 'Actions',
      isHeadHidden: true,
      headClassName: 'w-44',
      className: 'md:w-44 md:text-right',
      cell: (item) => (
        <SmallButton
          className="whitespace-nowrap max-md:w-full"
          icon={Check}
          aria-label={`Mark as resolved: ${item.recipient}`}
          aria-disabled={resolving.isPending && resolving.variables.id === item.id}
          onClick={() => resolving.run(item)}
        >
          Mark as resolved
        </SmallButton>
      ),
    },
  ]
  return (
    <>
      {page.mailbox.isConfigured && <MailboxLine mailbox={page.mailbox} texts={texts} />}
      {resolving.error && (
        <ErrorBanner
          message={failureText('The entry could not be marked', resolving.error)}
          onDismiss={resolving.reset}
        />
      )}
      {page.items.length > 0 ? (
        <>
          <p className="text-sm font-semibold tabular-nums">
            {page.openCount === 1 ? '1 address' : `${figureText(page.openCount)} addresses`}
          </p>
          <ListTable caption="Bounced addresses, newest first" items={page.items} columns={columns} />
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
    </>
  )
}

function MailboxLine({ mailbox, texts }: { mailbox: MailboxStatus; texts: InstantTexts }) {
  const check = useAction({ topics: ['mail'], mutationFn: () => callApi(api.mail.bounces.check.$post()) })
  const isChecking = check.isPending || mailbox.isChecking
  const problem = check.error ? failureText('The mailbox could not be checked', check.error) : mailbox.failure
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
