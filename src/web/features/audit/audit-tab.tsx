import { ScrollText } from 'lucide-react'
import { useNavigate, useNavigation } from 'react-router'
import { Button } from '#web/components/button.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { PieceSteps } from '#web/components/piece-steps.tsx'
import { useInstantTexts } from '#web/lib/instant-texts.ts'
import { useWantedLocation } from '#web/lib/wanted-location.ts'
import type { AuditData } from './audit-data.ts'
import { AuditDetails } from './audit-details.tsx'
import { AuditFilters } from './audit-filters.tsx'
import { type AuditAddress, readAuditAddress, writeAuditAddress } from './audit-query.ts'
import { AuditTable, AuditTableSkeleton } from './audit-table.tsx'

interface AuditTabProps {
  /** What was read last; null while the first of it is being read. */
  data: AuditData | null
  /** Whether the last reading failed, which stands above the tab. */
  failed: boolean
}

/** Who did what, when and from where. All its state is in the address. */
export function AuditTab({ data, failed }: AuditTabProps) {
  const navigate = useNavigate()
  const address = readAuditAddress(new URLSearchParams(useWantedLocation().search))
  const isReading = useNavigation().state !== 'idle'
  const texts = useInstantTexts()

  /** Other filters begin at the newest entries. */
  function show(changes: Partial<AuditAddress>, options: { replace?: boolean } = {}) {
    const next = writeAuditAddress({ ...address, cursor: '', entry: null, ...changes })
    void navigate(next, { ...options, preventScrollReset: true })
  }

  function showEntry(entry: string | null) {
    void navigate(writeAuditAddress({ ...address, entry }), { replace: true, preventScrollReset: true })
  }

  return (
    <div className="flex flex-col gap-3">
      <div>
        <h1 className="text-2xl font-bold tracking-tight">Audit Trail</h1>
        <p className="mt-1 text-sm text-muted">
          Who did what, when and from where. Entries can't be changed; they end by the retention setting.
        </p>
      </div>
      <AuditFilters address={address} onChange={show} />
      {data ? (
        <>
          {data.page.items.length === 0 ? (
            <NothingFound onClear={() => void navigate('?tab=audit')} />
          ) : (
            <AuditTable items={data.page.items} texts={texts} busy={isReading} onOpen={showEntry} />
          )}
          <PieceSteps
            label="Pieces of the trail"
            cursor={address.cursor}
            nextCursor={data.page.nextCursor}
            words={{ first: 'Newest entries', next: 'Older entries' }}
            pathOf={(cursor) => writeAuditAddress({ ...address, entry: null, cursor })}
          />
          <AuditDetails
            item={data.page.items.find(({ id }) => id === address.entry) ?? null}
            texts={texts}
            onClose={() => showEntry(null)}
          />
        </>
      ) : failed ? (
        <EmptyState icon={<ScrollText className="size-8" />} title="The audit trail could not be loaded." />
      ) : (
        <AuditTableSkeleton />
      )}
    </div>
  )
}

function NothingFound({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState
      icon={<ScrollText className="size-8" />}
      title="No entries match these filters."
      action={
        <Button variant="outline" size="sm" onClick={onClear}>
          Clear filters
        </Button>
      }
    />
  )
}
