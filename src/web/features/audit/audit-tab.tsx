import { Info, ScrollText, X } from 'lucide-react'
import { useState } from 'react'
import { useNavigate, useNavigation } from 'react-router'
import {
  type AuditItem,
  actorText,
  auditActionNames,
  auditActions,
  maxAuditSearch,
} from '#shared/audit/audit.ts'
import { browserOf } from '#shared/auth/device-name.ts'
import { Button, IconButton } from '#web/components/button.tsx'
import { Cell, DataTable, HeadCell } from '#web/components/data-table.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { SelectField, TextField } from '#web/components/field.tsx'
import { PieceSteps } from '#web/components/pagination.tsx'
import { SearchBox } from '#web/components/search-box.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import { type InstantTexts, useInstantTexts } from '#web/lib/date-texts.ts'
import { useWantedLocation } from '#web/lib/wanted-location.ts'
import type { AuditData } from './audit-data.ts'
import { AuditDetails } from './audit-details.tsx'
import { type AuditAddress, readAuditAddress, writeAuditAddress } from './audit-query.ts'
import { fieldLabel, subjectOf } from './audit-texts.ts'

interface AuditTabProps {
  data: AuditData | null
  failed: boolean
}

export function AuditTab({ data, failed }: AuditTabProps) {
  const navigate = useNavigate()
  const address = readAuditAddress(new URLSearchParams(useWantedLocation().search))
  const isReading = useNavigation().state !== 'idle'
  const texts = useInstantTexts()

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

const actionOptions = [
  { value: 'all', label: 'Everything' },
  ...auditActionNames.map((value) => ({ value, label: auditActions[value] })),
]

interface AuditFiltersProps {
  address: AuditAddress
  onChange: (changes: Partial<AuditAddress>, options?: { replace?: boolean }) => void
}

function AuditFilters({ address, onChange }: AuditFiltersProps) {
  return (
    <div className="flex flex-wrap items-start gap-3 max-md:[&_input]:min-h-11 max-md:[&_select]:min-h-11">
      <SearchBox
        id="audit-search"
        className="min-w-64 flex-[2_1_16rem] max-md:basis-full"
        placeholder="Who, network address or reference"
        mostLetters={maxAuditSearch}
        value={address.search}
        onSearch={(search) => onChange({ search }, { replace: true })}
      />
      <SelectField
        name="action"
        className="min-w-44 flex-1 max-md:basis-full"
        label="Action"
        density="compact"
        options={actionOptions}
        value={address.action}
        onChange={({ target }) =>
          onChange({ action: auditActionNames.find((name) => name === target.value) ?? 'all' })
        }
      />
      <DateFilter
        name="from"
        label="From"
        max={address.to || undefined}
        value={address.from}
        onChange={(from) => onChange({ from }, { replace: true })}
      />
      <DateFilter
        name="to"
        label="To"
        min={address.from || undefined}
        value={address.to}
        onChange={(to) => onChange({ to }, { replace: true })}
      />
      {address.student !== '' && (
        <Button
          variant="outline"
          size="sm"
          className="self-end"
          icon={<X aria-hidden="true" className="size-4" />}
          onClick={() => onChange({ student: '' })}
        >
          Only one student: show all
        </Button>
      )}
    </div>
  )
}

// A half-typed year reads as '0020'.
const firstYear = '1900'

interface DateFilterProps {
  name: string
  label: string
  value: string
  min?: string | undefined
  max?: string | undefined
  onChange: (date: string) => void
}

/**
 * Uncontrolled: the address follows a moment later, and must not reset a date that is being typed.
 */
function DateFilter({ value, onChange, ...field }: DateFilterProps) {
  const [shown, setShown] = useState({ text: value, sent: value, known: value })

  // The address changed. If not because of what was typed here (Clear filters, Back), the control follows it.
  if (value !== shown.known) {
    const isOwn = value === shown.sent
    setShown({ text: isOwn ? shown.text : value, sent: value, known: value })
  }

  function type(text: string) {
    const isUnfinished = text !== '' && text < firstYear
    const sent = isUnfinished ? shown.sent : text
    setShown({ ...shown, text, sent })
    if (sent !== shown.sent) onChange(sent)
  }

  return (
    <TextField
      {...field}
      type="date"
      className="min-w-36 flex-1"
      density="compact"
      value={shown.text}
      onChange={({ target }) => type(target.value)}
    />
  )
}

const caption = 'Audit trail, newest first'

interface AuditTableProps {
  items: readonly AuditItem[]
  texts: InstantTexts
  busy: boolean
  onOpen: (entry: string) => void
}

function AuditTable({ items, texts, busy, onOpen }: AuditTableProps) {
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

function AuditTableSkeleton() {
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
