import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { Eye, Info, ScrollText, X } from 'lucide-react'
import { type inferParserType, parseAsString, parseAsStringLiteral } from 'nuqs/server'
import { useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import {
  actorText,
  affectedNoun,
  auditActionNames,
  auditActions,
  maxAuditSearch,
} from '#shared/audit/audit.ts'
import type { AuditItem } from '#shared/audit/audit-response.ts'
import { browserOf } from '#shared/auth/device-name.ts'
import { isCalendarDate } from '#shared/program-calendar.ts'
import { yearLevelLabel } from '#shared/students/student-choices.ts'
import { fieldWords, studentFields } from '#shared/students/student-fields.ts'
import { IconButton, SmallButton } from '#web/components/button.tsx'
import { Cell, DataTable, HeadCell } from '#web/components/data-table.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { SelectField, TextField } from '#web/components/field.tsx'
import { ModalOf } from '#web/components/modal.tsx'
import { PageSteps } from '#web/components/pagination.tsx'
import { SearchBox } from '#web/components/search-box.tsx'
import { Loading, TabFrame } from '#web/components/tab-frame.tsx'
import { useAccount } from '#web/lib/account.ts'
import { createAddress, parseAsSearch, parseAsText } from '#web/lib/address.ts'
import { tabPath } from '#web/lib/admin-tab.ts'
import { api, callApi, reading } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { type InstantTexts, useInstantTexts } from '#web/lib/date-texts.ts'
import { countOf } from '#web/lib/number-texts.ts'
import { dateOf } from '#web/lib/relative-time.ts'

const parseAsDate = parseAsText((text) => (isCalendarDate(text) ? text : null))

const parsers = {
  action: parseAsStringLiteral(['all', ...auditActionNames]).withDefault('all'),
  search: parseAsSearch(maxAuditSearch),
  from: parseAsDate,
  to: parseAsDate,
  student: parseAsString.withDefault(''),
  cursor: parseAsText((text) => (/^\d+\.[\da-f-]{36}$/.test(text) ? text : null)),
  entry: parseAsString.withDefault(''),
}

export type AuditAddress = inferParserType<typeof parsers>

export const auditAddress = createAddress(tabPath('audit'), parsers)

export function AuditTab() {
  const navigate = useNavigate()
  const address = auditAddress.read(useLocation().search)
  const { entry, ...filters } = address
  const { student } = filters
  // Others open it for one student.
  const seesAll = useAccount().can('audit')
  const query = useQuery({
    queryKey: ['students', 'audit', filters],
    meta: { topics: ['settings'] },
    queryFn: reading(api.audit.$get, { query: filters }),
    placeholderData: keepPreviousData,
  })
  const { data } = query

  function show(changes: Partial<AuditAddress>, options: { replace?: boolean } = {}) {
    const next = auditAddress.to({ ...filters, cursor: '', ...changes })
    void navigate(next, { ...options, preventScrollReset: true })
  }

  function showEntry(id: string) {
    void navigate(auditAddress.to({ ...filters, entry: id }), { replace: true, preventScrollReset: true })
  }

  return (
    <TabFrame query={query} failure="Failed to load the audit trail">
      <div className="flex flex-col gap-3">
        <div>
          <h1 className="text-2xl font-bold tracking-tight">Audit Trail</h1>
          <p className="mt-1 text-sm text-muted">
            Who did what, when and from where. Entries are read-only and deleted after the retention period.
          </p>
        </div>
        <AuditFilters address={address} canLeaveStudent={seesAll} onChange={show} />
        {data ? (
          <>
            {data.items.length === 0 ? (
              <EmptyState
                icon={ScrollText}
                title="No entries match these filters."
                action={
                  <SmallButton onClick={() => void navigate(auditAddress.to(seesAll ? {} : { student }))}>
                    Clear filters
                  </SmallButton>
                }
              />
            ) : (
              <AuditTable items={data.items} busy={query.isPlaceholderData} onOpen={showEntry} />
            )}
            <PageSteps
              cursor={filters.cursor}
              nextCursor={data.nextCursor}
              words={{ first: 'Newest entries', next: 'Older entries' }}
              pathOf={(cursor) => auditAddress.to({ ...filters, cursor })}
            />
            <AuditDetails
              item={data.items.find(({ id }) => id === entry) ?? null}
              onClose={() => showEntry('')}
            />
          </>
        ) : query.isError ? (
          <EmptyState icon={ScrollText} title="The audit trail could not be loaded." />
        ) : (
          <Loading what="the audit trail" lines={10} className="h-16" />
        )}
      </div>
    </TabFrame>
  )
}

const actionOptions = [
  { value: 'all', label: 'All actions' },
  ...auditActionNames.map((value) => ({ value, label: auditActions[value] })),
]

interface AuditFiltersProps {
  address: AuditAddress
  canLeaveStudent: boolean
  onChange: (changes: Partial<AuditAddress>, options?: { replace?: boolean }) => void
}

function AuditFilters({ address, canLeaveStudent, onChange }: AuditFiltersProps) {
  const { can } = useAccount()
  return (
    <div className="flex flex-wrap items-start gap-3">
      <SearchBox
        id="audit-search"
        className="min-w-[min(16rem,100%)] flex-[2_1_16rem] max-md:basis-full"
        placeholder={can('audit') ? 'User, IP address or reference code' : 'User or reference code'}
        mostLetters={maxAuditSearch}
        value={address.search}
        onSearch={(search) => onChange({ search }, { replace: true })}
      />
      <SelectField
        name="action"
        className="min-w-[min(11rem,100%)] flex-1 max-md:basis-full"
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
      {address.student !== '' && canLeaveStudent && (
        <SmallButton className="self-end" icon={X} onClick={() => onChange({ student: '' })}>
          One student only: show all
        </SmallButton>
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

/** The filter has a state for the typed date: the address changes later, and must not reset a date that is being typed. */
function DateFilter({ value, onChange, ...field }: DateFilterProps) {
  const [draft, setDraft] = useState({ text: value, reported: value, applied: value })

  // The address changed. If not by this control (Clear filters, Back), the control takes its value.
  if (value !== draft.applied) {
    const isOwn = value === draft.reported
    setDraft({ text: isOwn ? draft.text : value, reported: value, applied: value })
  }

  function type(text: string) {
    const isUnfinished = text !== '' && text < firstYear
    const reported = isUnfinished ? draft.reported : text
    setDraft({ ...draft, text, reported })
    if (reported !== draft.reported) onChange(reported)
  }

  return (
    <TextField
      {...field}
      type="date"
      className="min-w-[min(9rem,100%)] flex-1"
      density="compact"
      value={draft.text}
      onChange={({ target }) => type(target.value)}
    />
  )
}

interface AuditTableProps {
  items: readonly AuditItem[]
  busy: boolean
  onOpen: (entry: string) => void
}

function AuditTable({ items, busy, onOpen }: AuditTableProps) {
  return (
    <DataTable caption="Audit trail, newest first" busy={busy}>
      <thead>
        <tr>
          <HeadCell className="max-sm:hidden">When</HeadCell>
          <HeadCell>Action</HeadCell>
          <HeadCell className="max-sm:hidden">User / Location</HeadCell>
          <HeadCell className="w-10">
            <span className="sr-only">Details</span>
          </HeadCell>
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <AuditRow key={item.id} item={item} onOpen={onOpen} />
        ))}
      </tbody>
    </DataTable>
  )
}

function AuditRow({ item, onOpen }: Pick<AuditTableProps, 'onOpen'> & { item: AuditItem }) {
  const when = useInstantTexts().momentOf(item.at)
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
          {[item.clientAddress, browserOf(item.userAgent)].filter(Boolean).join(' · ')}
        </p>
      </Cell>
      <Cell className="w-10 px-1! align-top!">
        <IconButton
          id={`entry-${item.id}`}
          label={`Details: ${auditActions[item.action]}, ${when}`}
          className="max-sm:size-11"
          onClick={() => onOpen(item.id)}
          icon={Info}
        />
      </Cell>
    </tr>
  )
}

function AuditDetails({ item, onClose }: { item: AuditItem | null; onClose: () => void }) {
  const texts = useInstantTexts()
  return (
    <ModalOf
      thing={item}
      onClose={onClose}
      title={({ action }) => auditActions[action]}
      footer={<SmallButton onClick={onClose}>Close</SmallButton>}
    >
      {(shown) => (
        <div className="grid gap-5">
          <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-2">
            {factsOf(shown, texts).map(({ label, value }) => (
              <div key={label} className="min-w-0">
                <dt className="text-xs font-medium text-muted">{label}</dt>
                <dd className="wrap-anywhere">{value}</dd>
              </div>
            ))}
          </dl>
          {shown.studentId && <StudentLinks item={shown} />}
          {shown.hasValues && <AuditValues entry={shown.id} />}
        </div>
      )}
    </ModalOf>
  )
}

// These details are of earlier versions, in which an undo found the records by them.
const technicalDetails = new Set(['bulkChange', 'version', 'rejection'])

function factsOf(item: AuditItem, texts: InstantTexts): { label: string; value: string }[] {
  const facts = [
    { label: 'When', value: texts.momentOf(item.at) },
    { label: 'User', value: [item.actorName, actorText({ actor: item.actor })].filter(Boolean).join(', ') },
    { label: 'IP address', value: item.clientAddress },
    { label: 'Browser', value: browserOf(item.userAgent) },
    { label: 'Subject', value: subjectOf(item) },
    { label: 'Changed fields', value: item.fields.map(fieldLabel).join(', ') },
    { label: 'Request ID', value: item.requestId },
    ...Object.entries(item.detail)
      .filter(([name]) => !technicalDetails.has(name))
      .map(([name, value]) => ({ label: fieldLabel(name), value: valueText(name, value) })),
  ]
  return facts.filter(({ value }) => value !== '')
}

function StudentLinks({ item }: { item: AuditItem }) {
  const student = item.studentId ?? ''
  return (
    <p className="flex flex-wrap gap-x-5 gap-y-2 text-sm font-semibold text-primary">
      {item.studentName !== null && (
        <Link className="underline" to={tabPath('students', { archive: 'all', student })}>
          Open the student
        </Link>
      )}
      <Link className="underline" to={tabPath('audit', { student })}>
        All entries about this student
      </Link>
    </p>
  )
}

/** Security: personal values are shown on request, and each view is recorded. */
function AuditValues({ entry }: { entry: string }) {
  const reading = useMutation({
    networkMode: 'always',
    mutationFn: () => callApi(api.audit[':id'].values.$get({ param: { id: entry } })),
  })
  if (reading.data) return <ValuesTable {...reading.data} />
  return (
    <div className="grid gap-3">
      {reading.isError && <ErrorBanner message={`Failed to load the values: ${sentenceOf(reading.error)}`} />}
      <SmallButton className="w-fit" icon={Eye} disabled={reading.isPending} onClick={() => reading.mutate()}>
        Show old and new values
      </SmallButton>
      <p className="text-sm text-muted">Viewing them is recorded in the audit trail.</p>
    </div>
  )
}

function ValuesTable({ before, after }: { before: Record<string, unknown>; after: Record<string, unknown> }) {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return (
    <DataTable caption="Old and new values">
      <thead>
        <tr>
          <HeadCell>Field</HeadCell>
          <HeadCell>Before</HeadCell>
          <HeadCell>After</HeadCell>
        </tr>
      </thead>
      <tbody>
        {fields.map((field) => (
          <tr key={field}>
            <th scope="row" className="border-b px-3 py-2 align-top font-semibold">
              {fieldLabel(field)}
            </th>
            <ValueCell>{valueText(field, before[field])}</ValueCell>
            <ValueCell>{valueText(field, after[field])}</ValueCell>
          </tr>
        ))}
      </tbody>
    </DataTable>
  )
}

function ValueCell({ children }: { children: string }) {
  return <Cell className="align-top! wrap-anywhere whitespace-pre-wrap">{children}</Cell>
}

function subjectOf({ action, studentName, subject, affected }: AuditItem): string {
  const parts = [studentName ?? '', subject].filter(Boolean)
  if (affected > 1) parts.push(countOf(affected, affectedNoun(action)))
  return parts.join(' · ')
}

const detailLabels = new Map([
  ['sealed', 'Encrypted'],
  ['backupOf', 'Time of the backup'],
  ['secondProof', 'Second factor'],
])

/** 'contactNumber' → 'Contact Number' */
export function fieldLabel(field: string): string {
  const studentField = Object.entries(studentFields).find(([name]) => name === field)
  const label = studentField?.[1].label ?? detailLabels.get(field)
  if (label !== undefined) return label
  const words = fieldWords(field)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export function valueText(field: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return '—'
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (field === 'yearLevel' && typeof value === 'number') return yearLevelLabel(value)
  if (field === 'dateOfBirth' && typeof value === 'string') return dateOf(value)
  return typeof value === 'object' ? JSON.stringify(value, null, 1) : String(value)
}
