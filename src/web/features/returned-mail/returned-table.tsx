import { Check } from 'lucide-react'
import { Link } from 'react-router'
import { mailKindTexts } from '#shared/mail.ts'
import { type ReturnedMessage, returnReason } from '#shared/returned-mail.ts'
import { AddressText } from '#web/components/address-text.tsx'
import { Button } from '#web/components/button.tsx'
import { Cell, DataTable, HeadCell } from '#web/components/data-table.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import { tabPath } from '#web/lib/admin-tab.ts'
import { figureText } from '#web/lib/count-text.ts'
import type { InstantTexts } from '#web/lib/instant-texts.ts'

const caption = 'Addresses to fix, newest first'

interface ReturnedTableProps {
  items: readonly ReturnedMessage[]
  openCount: number
  texts: InstantTexts
  /** The entry that is being marked. */
  busy: string | null
  onResolve: (item: ReturnedMessage) => void
}

/** The entries of one piece of the list. */
export function ReturnedTable({ items, openCount, texts, busy, onResolve }: ReturnedTableProps) {
  return (
    <>
      <p className="text-sm font-semibold tabular-nums">
        {openCount === 1 ? '1 address' : `${figureText(openCount)} addresses`}
      </p>
      <DataTable caption={caption}>
        <ReturnedHead />
        <tbody>
          {items.map((item) => (
            <ReturnedRow
              key={item.id}
              item={item}
              when={texts.momentOf(item.receivedAt)}
              isBusy={busy === item.id}
              onResolve={() => onResolve(item)}
            />
          ))}
        </tbody>
      </DataTable>
    </>
  )
}

interface ReturnedRowProps {
  item: ReturnedMessage
  when: string
  isBusy: boolean
  onResolve: () => void
}

/** On a phone an entry is a card: everything stands below the student. */
function ReturnedRow({ item, when, isBusy, onResolve }: ReturnedRowProps) {
  const button = (
    <Button
      variant="outline"
      size="sm"
      className="whitespace-nowrap max-md:min-h-11 max-md:w-full"
      icon={<Check aria-hidden="true" className="size-4" />}
      aria-label={`Seen to: ${item.recipient}`}
      aria-disabled={isBusy}
      onClick={onResolve}
    >
      Seen to
    </Button>
  )
  return (
    <tr className="bg-card hover:bg-soft">
      <Cell className="align-top! md:max-w-72 md:min-w-56">
        <Student item={item} />
        <div className="mt-2 flex flex-col gap-2 md:hidden">
          <Reason item={item} />
          <Which item={item} when={when} />
          {button}
        </div>
      </Cell>
      <Cell className="align-top! max-md:hidden">
        <Reason item={item} />
      </Cell>
      <Cell className="align-top! max-md:hidden lg:max-w-64">
        <Which item={item} when={when} />
      </Cell>
      <Cell className="w-32 text-right align-top! max-md:hidden">{button}</Cell>
    </tr>
  )
}

function Student({ item: { studentId, studentName, recipient } }: { item: ReturnedMessage }) {
  return (
    <>
      {studentId === null ? (
        <p className="text-muted">No student has this address</p>
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
  )
}

function Reason({ item: { status, diagnostic } }: { item: ReturnedMessage }) {
  return (
    <div>
      <p className="font-semibold">{returnReason(status)}</p>
      <p className="text-xs wrap-anywhere text-muted">
        {diagnostic === '' ? `Status ${status}` : `The server: ${diagnostic}`}
      </p>
    </div>
  )
}

function Which({ item: { receivedAt, kind, subject }, when }: { item: ReturnedMessage; when: string }) {
  return (
    <div>
      <p className="whitespace-nowrap tabular-nums">
        <time dateTime={receivedAt}>{when}</time>
      </p>
      <p className="text-xs wrap-anywhere text-muted">
        {kind === null ? 'The mail is no longer kept' : `${mailKindTexts[kind]}: ${subject}`}
      </p>
    </div>
  )
}

function ReturnedHead() {
  return (
    <thead>
      <tr>
        <HeadCell>Student and address</HeadCell>
        <HeadCell className="max-md:hidden">Why it came back</HeadCell>
        <HeadCell className="max-md:hidden">When, which mail</HeadCell>
        <HeadCell className="w-32 max-md:hidden">
          <span className="sr-only">Seen to</span>
        </HeadCell>
      </tr>
    </thead>
  )
}

/** The table while its first entries are being read. */
export function ReturnedTableSkeleton() {
  return (
    <div role="status">
      <span className="sr-only">Loading the addresses to fix</span>
      <DataTable caption={caption} busy>
        <ReturnedHead />
        <tbody aria-hidden="true">
          {Array.from({ length: 5 }, (_, row) => row).map((row) => (
            <tr key={row} className="bg-card">
              <Cell className="h-16">
                <Skeleton />
              </Cell>
              <Cell className="max-md:hidden">
                <Skeleton />
              </Cell>
              <Cell className="max-md:hidden">
                <Skeleton />
              </Cell>
              <Cell className="max-md:hidden" />
            </tr>
          ))}
        </tbody>
      </DataTable>
    </div>
  )
}
