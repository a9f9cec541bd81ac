import { Megaphone, Plus } from 'lucide-react'
import { useRef } from 'react'
import { useNavigate, useNavigation } from 'react-router'
import { Button, ButtonLink } from '#web/components/button.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { useFocusBack } from '#web/lib/focus-back.ts'
import { useFormAddress } from '#web/lib/form-address.ts'
import { useWantedLocation } from '#web/lib/wanted-location.ts'
import { AnnouncementEditor } from './announcement-editor.tsx'
import type { AnnouncementsData } from './announcements-data.ts'
import {
  type ManagerAddress,
  managedPiece,
  managerAddress,
  mostShown,
  newAnnouncement,
  readManagerAddress,
} from './manager-address.ts'
import { ManagerFilters } from './manager-filters.tsx'
import { ManagerRows, RowsSkeleton } from './manager-rows.tsx'
import { useDeletion } from './use-deletion.ts'

interface AnnouncementsTabProps {
  /** Null while it is being read, and when that has failed. */
  data: AnnouncementsData | null
  failed: boolean
}

/** The coordinator's tab (spec §2 "Other tabs", "Announcement manager"). All its state is in the address. */
export function AnnouncementsTab({ data, failed }: AnnouncementsTabProps) {
  const navigate = useNavigate()
  const address = readManagerAddress(new URLSearchParams(useWantedLocation().search))
  const isReading = useNavigation().state !== 'idle'
  const title = useRef<HTMLHeadingElement>(null)
  // A press before the scripts run would be lost.
  const deletion = useDeletion(() => title.current?.focus())
  const canShowMore = data?.hasMore === true && data.address.show < mostShown
  useFocusBack(canShowMore, title)

  const form = useFormAddress(address.opened !== null)
  const open = (opened: string) => form.open(managerAddress({ ...address, opened }))

  function show(changes: Partial<ManagerAddress>) {
    void navigate(managerAddress({ ...address, ...changes }), { preventScrollReset: true })
  }

  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 ref={title} tabIndex={-1} className="text-2xl font-bold tracking-tight outline-hidden">
          Announcements
        </h1>
        <Button
          size="sm"
          className="max-md:min-h-11"
          icon={<Plus aria-hidden="true" className="size-4" />}
          onClick={() => open(newAnnouncement)}
        >
          New announcement
        </Button>
      </div>
      <ManagerFilters address={address} onChange={(filters) => show({ ...filters, show: managedPiece })} />
      <div role="status" className="empty:sr-only">
        {deletion.message !== null && (
          <p className="rounded-box bg-success-soft px-4 py-3 font-semibold text-success">
            {deletion.message}
          </p>
        )}
      </div>
      {deletion.failure !== null && (
        <ErrorBanner message={deletion.failure} onDismiss={deletion.dismissFailure} />
      )}
      {!data ? (
        failed ? (
          <EmptyState
            icon={<Megaphone className="size-8" />}
            title="The announcements could not be loaded."
          />
        ) : (
          <RowsSkeleton />
        )
      ) : data.announcements.length === 0 ? (
        <NothingHere address={data.address} onNew={() => open(newAnnouncement)} />
      ) : (
        <>
          <ManagerRows
            announcements={data.announcements}
            mailings={data.mailings}
            busy={isReading}
            deletion={deletion}
            onEdit={open}
          />
          {canShowMore && (
            <Button
              variant="outline"
              size="sm"
              className="self-center max-md:min-h-11"
              onClick={() => show({ show: address.show + managedPiece })}
            >
              Show more
            </Button>
          )}
          {data.hasMore && !canShowMore && (
            <p className="text-center text-sm text-muted">
              These are the newest {mostShown}. To find older ones, choose a category or a state.
            </p>
          )}
        </>
      )}
      <AnnouncementEditor
        opened={address.opened}
        reading={data?.address.opened === address.opened ? data.opened : null}
        onClose={() => form.close(managerAddress({ ...address, opened: null }))}
      />
    </div>
  )
}

function NothingHere({
  address: { category, state },
  onNew,
}: {
  address: ManagerAddress
  onNew: () => void
}) {
  const icon = <Megaphone className="size-8" />
  if (category === null && state === null) {
    return (
      <EmptyState
        icon={icon}
        title="No announcements available at this time."
        action={<Button onClick={onNew}>Post the first one</Button>}
      />
    )
  }
  return (
    <EmptyState
      icon={icon}
      title={
        state === null
          ? `No announcements in the ${category} category at this time.`
          : 'No announcements match these filters.'
      }
      action={
        <ButtonLink variant="outline" size="sm" to={managerAddress({})}>
          All announcements
        </ButtonLink>
      }
    />
  )
}
