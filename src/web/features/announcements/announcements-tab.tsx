import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Megaphone, Plus } from 'lucide-react'
import { useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import {
  type AnnouncementCategory,
  announcementCategories,
  announcementStates,
} from '#shared/announcements/announcements.ts'
import { Button, SmallButton, SmallLink } from '#web/components/button.tsx'
import { ChoiceButtons } from '#web/components/choice-buttons.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { SelectField } from '#web/components/field.tsx'
import { Modal, useLastShown } from '#web/components/modal.tsx'
import { Loading, TabFrame } from '#web/components/tab-frame.tsx'
import { useFocusBack } from '#web/lib/focus.ts'
import { useFormAddress } from '#web/lib/form-address.ts'
import { failureOf } from '#web/lib/query.ts'
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
  const navigate = useNavigate()
  const address = managerAddress.read(useLocation().search)
  const { open: opened, ...filters } = address
  const query = useQuery({
    queryKey: ['announcements', 'manager', filters],
    meta: { topics: ['mail', 'settings'] },
    queryFn: ({ signal }) => readList(filters, signal),
    placeholderData: keepPreviousData,
  })
  const { data } = query
  const title = useRef<HTMLHeadingElement>(null)
  const deletion = useDeletion(() => title.current?.focus())
  const canShowMore = data?.hasMore === true && filters.show < maxShown
  useFocusBack(canShowMore, title)

  const form = useFormAddress(opened !== null)
  const open = (id: string) => form.open(managerAddress.to({ ...address, open: id }))

  function show(changes: Partial<ManagerAddress>) {
    void navigate(managerAddress.to({ ...address, ...changes }), { preventScrollReset: true })
  }

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
        <ManagerFilters
          address={address}
          onChange={(filters) => show({ ...filters, show: managedPageSize })}
        />
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
          query.isError ? (
            <EmptyState icon={Megaphone} title="The announcements could not be loaded." />
          ) : (
            <Loading what="announcements..." lines={5} className="h-16" />
          )
        ) : data.announcements.length === 0 ? (
          <NothingHere filters={data.filters} onNew={() => open(newAnnouncement)} />
        ) : (
          <>
            <ManagerRows
              announcements={data.announcements}
              mailings={data.mailings}
              busy={query.isPlaceholderData}
              deletion={deletion}
              onEdit={open}
            />
            {canShowMore && (
              <SmallButton
                className="self-center"
                onClick={() => show({ show: address.show + managedPageSize })}
              >
                Show more
              </SmallButton>
            )}
            {data.hasMore && !canShowMore && (
              <p className="text-center text-sm text-muted">
                Showing the newest {maxShown}. To find older ones, choose a category or a status.
              </p>
            )}
          </>
        )}
        <AnnouncementEditor
          opened={opened}
          onClose={() => form.close(managerAddress.to({ ...address, open: null }))}
        />
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

const all = 'all'

// "Notices" are the important announcements.
const quickChoices = [
  { value: all, label: 'All Announcements' },
  { value: 'General', label: 'General' },
  { value: 'Event', label: 'Events' },
  { value: 'Important', label: 'Notices' },
] as const satisfies readonly { value: AnnouncementCategory | typeof all; label: string }[]

interface ManagerFiltersProps {
  address: ManagerAddress
  onChange: (changes: Partial<Pick<ManagerAddress, 'category' | 'state'>>) => void
}

function ManagerFilters({ address: { category, state }, onChange }: ManagerFiltersProps) {
  const choose = (text: string) =>
    onChange({ category: announcementCategories.find((one) => one === text) ?? null })
  return (
    <div className="flex flex-wrap items-end gap-3 max-md:[&_select]:min-h-11">
      <ChoiceButtons<AnnouncementCategory | typeof all>
        legend="Show"
        choices={quickChoices}
        selected={category ?? all}
        onSelect={choose}
      />
      <SelectField
        name="category-filter"
        label="Category"
        density="compact"
        className="min-w-[min(9rem,100%)] flex-1 md:max-w-48"
        options={[{ value: all, label: 'All categories' }, ...announcementCategories]}
        value={category ?? all}
        onChange={({ target }) => choose(target.value)}
      />
      <SelectField
        name="state-filter"
        label="Status"
        density="compact"
        className="min-w-[min(9rem,100%)] flex-1 md:max-w-48"
        options={[
          { value: all, label: 'All statuses' },
          ...announcementStates.map((value) => ({ value, label: stateLabels[value] })),
        ]}
        value={state ?? all}
        onChange={({ target }) =>
          onChange({ state: announcementStates.find((one) => one === target.value) ?? null })
        }
      />
    </div>
  )
}

function AnnouncementEditor({ opened, onClose }: { opened: string | null; onClose: () => void }) {
  const { shown: id, key } = useLastShown(opened)
  const isNew = id === newAnnouncement
  return (
    <Modal
      open={opened !== null}
      onClose={onClose}
      size="lg"
      title={isNew ? 'New announcement' : 'Edit announcement'}
    >
      {isNew ? (
        <AnnouncementForm key={key} stored={null} onClose={onClose} />
      ) : (
        id !== null && <StoredAnnouncement key={key} id={id} onClose={onClose} />
      )}
    </Modal>
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
  const failure = failureOf(query)
  if (query.data) return <AnnouncementForm stored={query.data} {...form} />
  return failure === null ? (
    <Loading what="the announcement" lines={3} className="h-24" />
  ) : (
    <ErrorBanner message={failure} />
  )
}
