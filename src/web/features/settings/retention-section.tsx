import { useState } from 'react'
import type { ExpiredRecords } from '#shared/retention.ts'
import { Button } from '#web/components/button.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import { countOf } from '#web/lib/count-text.ts'
import { useInstantTexts } from '#web/lib/instant-texts.ts'
import { DeleteExpiredModal } from './delete-expired-modal.tsx'
import { NumberFields } from './number-fields.tsx'
import { SectionCard } from './section-card.tsx'
import type { Section } from './use-section.ts'

interface RetentionSectionProps {
  section: Section
  /** Null while it is being read. */
  expired: ExpiredRecords | null
}

/** How long records and the audit trail are kept, and the end of records whose time is over. */
export function RetentionSection({ section, expired }: RetentionSectionProps) {
  const fields = [
    {
      name: 'recordRetentionYears',
      hint: 'After a record was archived. The privacy notice tells this number.',
    },
    {
      name: 'auditRetentionMonths',
      hint: 'Older entries are removed by themselves.',
    },
  ] as const
  return (
    <SectionCard title="Retention" section={section}>
      <NumberFields section={section} fields={fields} className="max-w-xs" />
      <ExpiredRecordsPanel expired={expired} />
    </SectionCard>
  )
}

function ExpiredRecordsPanel({ expired }: { expired: ExpiredRecords | null }) {
  const [isAsking, setAsking] = useState(false)
  const { dayOf } = useInstantTexts()
  if (!expired) return <Skeleton className="h-11 w-full" />
  const { count, years, before } = expired
  const age = `archived more than ${countOf(years, 'year')} ago, before ${dayOf(before)}.`
  return (
    <div className="rounded-box bg-soft px-4 py-3 text-sm">
      <p>
        {count === 0 ? 'No record was' : count === 1 ? '1 record was' : `${countOf(count, 'record')} were`}{' '}
        {age} Nothing is deleted by itself.
      </p>
      {count > 0 && (
        <Button variant="danger" size="sm" className="mt-3" onClick={() => setAsking(true)}>
          Delete {countOf(count, 'record')} permanently
        </Button>
      )}
      <DeleteExpiredModal expired={expired} open={isAsking} onClose={() => setAsking(false)} />
    </div>
  )
}
