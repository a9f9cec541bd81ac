import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Megaphone, Plus } from 'lucide-react'
import { useRef } from 'react'
import {
  type AnnouncementCategory,
  announcementCategories,
  announcementStates,
} from '#shared/announcements/announcements.ts'
import { Button, SmallButton, SmallLink } from '#web/components/button.tsx'
import { ChoiceButtons } from '#web/components/choice-buttons.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { SelectFilter } from '#web/components/list-filters.tsx'
import { ModalOf } from '#web/components/modal.tsx'
import { Loaded, LoadedPart, TabFrame } from '#web/components/tab-frame.tsx'
import { useFocusBack } from '#web/lib/focus.ts'
import { useFormAddress } from '#web/lib/form-address.ts'
import { type ListAddress, useListAddress } from '#web/lib/list.ts'
import { optionsOf } from '#web/lib/options.ts'
import { AnnouncementForm } from './announcement-form.tsx'
import {
  type ManagerAddress,
  managedPageSize,
  managerAddress,
  maxShown,
  newAnnouncement,
  readList,
  readManaged,
} from './data.ts'
import { ManagerRows, stateLabels, useDeletion } from './manager-rows.tsx'

/** Product 18. All state is in the address. */
export function AnnouncementsTab() {
  const list = useListAddress(managerAddress, { show: managedPageSize })
  const { open: opened, ...filters } = list.values
  const query = useQuery({
    queryKey: ['announcements', 'manager', filters],
    meta: { topics: ['mail', 'settings'] },
    queryFn: ({ signal }) => readList(filters, signal),
    placeholderData: keepPreviousData,
  })
  const title = useRef<HTMLHeadingElement>(null)
  const deletion = useDeletion(() => title.current?.focus())
  const canShowMore = query.data?.hasMore === true && filters.show < maxShown
  useFocusBack(canShowMore, title)

  const form = useFormAddress(opened !== null)
  const open = (id: string) => form.open(list.to({ show: filters.show, open: id }))
  const close = () => form.close(list.to({ show: filters.show, open: null }))

  return (
    <TabFrame query={query} failure="Failed to load announcements">
      <div className="flex flex-col gap-4">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h1 ref={title} tabIndex={-1} className="text-2xl font-bold tracking-tight outline-hidden">
            Announcements
          </h1>
          <Button size="sm" icon={Plus} onClick={() => open(newAnnouncement)}>
            New announcement
          </Button>
        </div>
        <ManagerFilters list={list} />
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
        <Loaded query={query} what="announcements..." lines={5} className="h-16">
          {({ announcements, mailings, hasMore, filters: read }) =>
            announcements.length === 0 ? (
              <NothingHere filters={read} onNew={() => open(newAnnouncement)} />
            ) : (
              <>
                <ManagerRows
                  announcements={announcements}
                  mailings={mailings}
                  busy={query.isPlaceholderData}
                  deletion={deletion}
                  onEdit={open}
                />
                {canShowMore && (
                  <SmallButton
                    className="self-center"
                    onClick={() => list.show({ show: filters.show + managedPageSize })}
                  >
                    Show more
                  </SmallButton>
                )}
                {hasMore && !canShowMore && (
                  <p className="text-center text-sm text-muted">
                    Showing the newest {maxShown}. To find older ones, choose a category or a status.
                  </p>
                )}
              </>
            )
          }
        </Loaded>
        <ModalOf
          thing={opened}
          onClose={close}
          size="lg"
          title={(id) => (id === newAnnouncement ? 'New announcement' : 'Edit announcement')}
        >
          {(id) =>
            id === newAnnouncement ? (
              <AnnouncementForm stored={null} onClose={close} />
            ) : (
              <StoredAnnouncement id={id} onClose={close} />
            )
          }
        </ModalOf>
      </div>
    </TabFrame>
  )
}

interface NothingHereProps {
  filters: Pick<ManagerAddress, 'category' | 'state'>
  onNew: () => void
}

function NothingHere({ filters: { category, state }, onNew }: NothingHereProps) {
  if (category === null && state === null) {
    return (
      <EmptyState
        icon={Megaphone}
        title="No announcements available at this time."
        action={<Button onClick={onNew}>Post the first one</Button>}
      />
    )
  }
  return (
    <EmptyState
      icon={Megaphone}
      title={
        state === null
          ? `No announcements in the ${category} category at this time.`
          : 'No announcements match these filters.'
      }
      action={<SmallLink to={managerAddress.to({})}>All announcements</SmallLink>}
    />
  )
}

// "Notices" are the important announcements.
const quickChoices = [
  { value: '', label: 'All Announcements' },
  { value: 'General', label: 'General' },
  { value: 'Event', label: 'Events' },
  { value: 'Important', label: 'Notices' },
] as const satisfies readonly { value: AnnouncementCategory | ''; label: string }[]

function ManagerFilters({ list }: { list: ListAddress<ManagerAddress> }) {
  const select = { list, className: 'min-w-[min(9rem,100%)] flex-1 md:max-w-48' }
  return (
    <div className="flex flex-wrap items-end gap-3 max-md:[&_select]:min-h-11">
      <ChoiceButtons<AnnouncementCategory | ''>
        legend="Show"
        choices={quickChoices}
        selected={list.values.category ?? ''}
        onSelect={(category) => list.choose('category', category)}
      />
      <SelectFilter
        {...select}
        name="category"
        label="Category"
        options={[{ value: '', label: 'All categories' }, ...announcementCategories]}
      />
      <SelectFilter
        {...select}
        name="state"
        label="Status"
        options={[{ value: '', label: 'All statuses' }, ...optionsOf(announcementStates, stateLabels)]}
      />
    </div>
  )
}

function StoredAnnouncement({ id, ...form }: { id: string; onClose: () => void }) {
  const query = useQuery({
    queryKey: ['announcements', 'opened', id],
    meta: { topics: ['mail'] },
    queryFn: ({ signal }) => readManaged(id, signal),
    // A form begins with what is stored now.
    gcTime: 0,
  })
  return (
    <LoadedPart query={query} what="the announcement" lines={3} className="h-24">
      {(stored) => <AnnouncementForm stored={stored} {...form} />}
    </LoadedPart>
  )
}
