import { Info } from 'lucide-react'
import { type AuditItem, auditActions } from '#shared/audit.ts'
import { browserOf } from '#shared/browser-name.ts'
import { IconButton } from '#web/components/button.tsx'
import { Cell, DataTable, HeadCell } from '#web/components/data-table.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import type { InstantTexts } from '#web/lib/instant-texts.ts'
import { actorOf, fieldLabel, subjectOf } from './audit-texts.ts'

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
          <tr key={item.id} className="bg-card hover:bg-soft">
            <Cell className="align-top! whitespace-nowrap tabular-nums max-sm:whitespace-normal">
              <time dateTime={item.at}>{texts.momentOf(item.at)}</time>
            </Cell>
            <Cell className="max-w-72 align-top!">
              <p className="font-semibold">{auditActions[item.action]}</p>
              <p className="wrap-anywhere">{subjectOf(item)}</p>
              {item.fields.length > 0 && (
                <p className="text-xs text-muted">{item.fields.map(fieldLabel).join(', ')}</p>
              )}
            </Cell>
            <Cell className="align-top!">
              <p className="wrap-anywhere max-sm:max-w-32">{actorOf(item)}</p>
              <p className="text-xs text-muted">
                {[item.clientAddress, browserOf(item.userAgent)].filter((part) => part !== '').join(' · ')}
              </p>
            </Cell>
            <Cell className="w-10 px-1! align-top!">
              <IconButton
                id={`entry-${item.id}`}
                label={`Details: ${auditActions[item.action]}, ${texts.momentOf(item.at)}`}
                onClick={() => onOpen(item.id)}
              >
                <Info aria-hidden="true" className="size-5" />
              </IconButton>
            </Cell>
          </tr>
        ))}
      </tbody>
    </DataTable>
  )
}

function AuditHead() {
  return (
    <thead>
      <tr>
        <HeadCell>When</HeadCell>
        <HeadCell>What</HeadCell>
        <HeadCell>Who, from where</HeadCell>
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
              <Cell className="h-16">
                <Skeleton />
              </Cell>
              <Cell>
                <Skeleton />
              </Cell>
              <Cell>
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
