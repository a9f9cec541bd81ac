import { Inbox } from 'lucide-react'
import { useNavigate, useNavigation } from 'react-router'
import { ButtonLink } from '#web/components/button.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { PieceSteps } from '#web/components/piece-steps.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import { useWantedLocation } from '#web/lib/wanted-location.ts'
import { MailMessages } from './mail-messages.tsx'
import { nothingFoundTitle } from './message-texts.ts'
import { type OutboxAddress, outboxPath, readOutboxAddress } from './outbox-address.ts'
import type { OutboxData } from './outbox-data.ts'
import { OutboxFilters } from './outbox-filters.tsx'
import { UnknownNotice } from './unknown-notice.tsx'

interface OutboxProps {
  /** Null while it is being read, and when that has failed. */
  data: OutboxData | null
  failed: boolean
  /** Of how many messages nobody knows the end. */
  unknown: number
}

/** Every message with its end, newest first. All its state is in the address. */
export function Outbox({ data, failed, unknown }: OutboxProps) {
  const navigate = useNavigate()
  const address = readOutboxAddress(new URLSearchParams(useWantedLocation().search))
  const isReading = useNavigation().state !== 'idle'

  /** Other filters begin at the newest messages. */
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
        <PieceSteps
          label="Pieces of the outbox"
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
        Every e-mail that the portal sends stands here with what became of it.
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
