import type { AnnouncementMailing } from '#shared/announcement-mail.ts'
import type { ManagedAnnouncement } from '#shared/announcements.ts'
import { Cell, DataTable, HeadCell } from '#web/components/data-table.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import { type InstantTexts, useInstantTexts } from '#web/lib/instant-texts.ts'
import { useNarrowScreen } from '#web/lib/narrow-screen.ts'
import { CategoryBadge } from './category-badge.tsx'
import { ManagedTitle } from './managed-title.tsx'
import { RowActions } from './row-actions.tsx'
import type { Deletion } from './use-deletion.ts'

interface ManagerRowsProps {
  announcements: readonly ManagedAnnouncement[]
  /** By announcement. */
  mailings: ReadonlyMap<string, AnnouncementMailing>
  busy: boolean
  deletion: Deletion
  onEdit: (id: string) => void
}

/** The coordinator's list: a table, and cards on a phone. */
export function ManagerRows(props: ManagerRowsProps) {
  const isNarrow = useNarrowScreen()
  const texts = useInstantTexts()
  return isNarrow ? <Cards {...props} texts={texts} /> : <Table {...props} texts={texts} />
}

type RowsProps = ManagerRowsProps & { texts: InstantTexts }

function Table({ announcements, mailings, busy, texts, ...actions }: RowsProps) {
  return (
    <DataTable caption="Announcements" busy={busy}>
      <thead>
        <tr>
          <HeadCell className="w-full">Title</HeadCell>
          <HeadCell>Category</HeadCell>
          <HeadCell>Created</HeadCell>
          <HeadCell>Last Updated</HeadCell>
          <HeadCell>Actions</HeadCell>
        </tr>
      </thead>
      <tbody>
        {announcements.map((announcement) => (
          <tr key={announcement.id}>
            <Cell className="min-w-60">
              <ManagedTitle
                announcement={announcement}
                texts={texts}
                mailing={mailings.get(announcement.id)}
              />
            </Cell>
            <Cell>
              <CategoryBadge category={announcement.category} />
            </Cell>
            <Cell className="whitespace-nowrap">{texts.momentOf(announcement.createdAt)}</Cell>
            <Cell className="whitespace-nowrap">{texts.momentOf(announcement.updatedAt)}</Cell>
            <Cell>
              <RowActions announcement={announcement} {...actions} />
            </Cell>
          </tr>
        ))}
      </tbody>
    </DataTable>
  )
}

function Cards({ announcements, mailings, busy, texts, ...actions }: RowsProps) {
  return (
    <ul aria-label="Announcements" aria-busy={busy} className="flex flex-col gap-2">
      {announcements.map((announcement) => (
        <li key={announcement.id} className="flex flex-col gap-3 rounded-box border bg-card p-3 shadow-card">
          <div>
            <ManagedTitle announcement={announcement} texts={texts} mailing={mailings.get(announcement.id)} />
          </div>
          <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 text-sm">
            <dt className="text-muted">Category</dt>
            <dd>
              <CategoryBadge category={announcement.category} />
            </dd>
            <dt className="text-muted">Created</dt>
            <dd>{texts.momentOf(announcement.createdAt)}</dd>
            <dt className="text-muted">Last Updated</dt>
            <dd>{texts.momentOf(announcement.updatedAt)}</dd>
          </dl>
          <RowActions isCard announcement={announcement} {...actions} />
        </li>
      ))}
    </ul>
  )
}

const places = ['a', 'b', 'c', 'd', 'e']

/** The shape of the list while it is being read. */
export function RowsSkeleton() {
  return (
    <div
      role="status"
      className="flex flex-col gap-px overflow-hidden rounded-box border bg-line shadow-card"
    >
      <span className="sr-only">Loading announcements...</span>
      {places.map((place) => (
        <div key={place} aria-hidden="true" className="flex items-center gap-6 bg-card p-4">
          <div className="flex flex-1 flex-col gap-2">
            <Skeleton className="h-4 w-2/3" />
            <Skeleton className="h-4 w-24" />
          </div>
          <Skeleton className="h-8 w-40 max-md:hidden" />
        </div>
      ))}
    </div>
  )
}
