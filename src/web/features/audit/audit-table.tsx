import { Info } from 'lucide-react'
import { type AuditItem, actorText, auditActions } from '#shared/audit.ts'
import { browserOf } from '#shared/device-name.ts'
import { IconButton } from '#web/components/button.tsx'
import { Cell, DataTable, HeadCell } from '#web/components/data-table.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import type { InstantTexts } from '#web/lib/instant-texts.ts'
import { fieldLabel, subjectOf } from './audit-texts.ts'

const caption = 'Audit trail, newest first'

interface AuditTableProps {
  items: readonly AuditItem[]
  texts: InstantTexts
  busy: boolean
  onOpen: (entry: string) => void
}

/** The entries of one piece of the trail. */
export function AuditTable({ items, texts, busy, onOpen }: AuditTableProps) {
  return (
    <DataTable caption={caption} busy={busy}>
      <AuditHead />
      <tbody>
        {items.map((item) => (
          <AuditRow key={item.id} item={item} texts={texts} onOpen={onOpen} />
        ))}
      </tbody>
    </DataTable>
  )
}

/** On a phone, when and who stand below what. */
function AuditRow({ item, texts, onOpen }: Omit<AuditTableProps, 'items' | 'busy'> & { item: AuditItem }) {
  const when = texts.momentOf(item.at)
  const subject = subjectOf(item)
  return (
    <tr className="bg-card hover:bg-soft">
      <Cell className="align-top! whitespace-nowrap tabular-nums max-sm:hidden">
        <time dateTime={item.at}>{when}</time>
      </Cell>
      <Cell className="align-top! sm:max-w-72">
        <p className="font-semibold">{auditActions[item.action]}</p>
        {subject !== '' && <p className="wrap-anywhere">{subject}</p>}
        {item.fields.length > 0 && (
          <p className="text-xs text-muted">{item.fields.map(fieldLabel).join(', ')}</p>
        )}
        <p className="text-xs wrap-anywhere text-muted sm:hidden">
          {when} · {actorText(item)}
        </p>
      </Cell>
      <Cell className="align-top! max-sm:hidden">
        <p className="wrap-anywhere">{actorText(item)}</p>
        <p className="text-xs text-muted">
          {[item.clientAddress, browserOf(item.userAgent)].filter((part) => part !== '').join(' · ')}
        </p>
      </Cell>
      <Cell className="w-10 px-1! align-top!">
        <IconButton
          id={`entry-${item.id}`}
          label={`Details: ${auditActions[item.action]}, ${when}`}
          className="max-sm:size-11"
          onClick={() => onOpen(item.id)}
        >
          <Info aria-hidden="true" className="size-5" />
        </IconButton>
      </Cell>
    </tr>
  )
}

function AuditHead() {
  return (
    <thead>
      <tr>
        <HeadCell className="max-sm:hidden">When</HeadCell>
        <HeadCell>What</HeadCell>
        <HeadCell className="max-sm:hidden">Who, from where</HeadCell>
        <HeadCell className="w-10">
          <span className="sr-only">Details</span>
        </HeadCell>
      </tr>
    </thead>
  )
}

/** The table while its first entries are being read. */
export function AuditTableSkeleton() {
  return (
    <div role="status">
      <span className="sr-only">Loading the audit trail</span>
      <DataTable caption={caption} busy>
        <AuditHead />
        <tbody aria-hidden="true">
          {Array.from({ length: 10 }, (_, row) => row).map((row) => (
            <tr key={row} className="bg-card">
              <Cell className="max-sm:hidden">
                <Skeleton />
              </Cell>
              <Cell className="h-16">
                <Skeleton />
              </Cell>
              <Cell className="max-sm:hidden">
                <Skeleton />
              </Cell>
              <Cell />
            </tr>
          ))}
        </tbody>
      </DataTable>
    </div>
  )
}
