import { useMutation } from '@tanstack/react-query'
import { Eye, Info, ScrollText, X } from 'lucide-react'
import { type inferParserType, parseAsString, parseAsStringLiteral } from 'nuqs/server'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
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
import { Cell, type Column, DataTable, ListTable } from '#web/components/data-table.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { TextField } from '#web/components/field.tsx'
import { Hint } from '#web/components/hint.tsx'
import { SearchFilter, SelectFilter } from '#web/components/list-filters.tsx'
import { ModalOf } from '#web/components/modal.tsx'
import { PageSteps } from '#web/components/pagination.tsx'
import { Loaded, TabFrame } from '#web/components/tab-frame.tsx'
import { useAccount } from '#web/lib/account.ts'
import { createAddress, parseAsSearch, parseAsText } from '#web/lib/address.ts'
import { tabPath } from '#web/lib/admin-tab.ts'
import { api, callApi } from '#web/lib/api.ts'
import { failureText } from '#web/lib/api-problem.ts'
import { type InstantTexts, useInstantTexts } from '#web/lib/date-texts.ts'
import { factsText } from '#web/lib/facts-text.ts'
import { type ListAddress, useListAddress, usePage } from '#web/lib/list.ts'
import { countOf } from '#web/lib/number-texts.ts'
import { optionsOf } from '#web/lib/options.ts'
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
  const list = useListAddress(auditAddress, { cursor: '', entry: '' })
  const { entry, ...filters } = list.values
  const { student, cursor } = filters
  // Other accounts open it for one student.
  const seesAll = useAccount().can('audit')
  const query = usePage(['students', 'audit'], api.audit.$get, { query: filters }, ['settings'])
  const showEntry = (id: string) => list.show({ entry: id, cursor }, { replace: true })

  return (
    <TabFrame query={query} failure="Failed to load the audit trail">
      <div className="flex flex-col gap-3">
        <div>
          <h1 className="text-2xl font-bold tracking-tight">Audit Trail</h1>
          <Hint className="mt-1">
            Who did what, when and from where. Entries are read-only and deleted after the retention period.
          </Hint>
        </div>
        <AuditFilters list={list} seesAll={seesAll} />
        <Loaded query={query} what="the audit trail" lines={10} className="h-16">
          {({ items, nextCursor }) => (
            <>
              {items.length === 0 ? (
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
                <AuditTable items={items} busy={query.isPlaceholderData} onOpen={showEntry} />
              )}
              <PageSteps list={list} nextCursor={nextCursor} first="Newest entries" next="Older entries" />
              <AuditDetails
                item={items.find(({ id }) => id === entry) ?? null}
                onClose={() => showEntry('')}
              />
            </>
          )}
        </Loaded>
      </div>
    </TabFrame>
  )
}

const actionOptions = [{ value: 'all', label: 'All actions' }, ...optionsOf(auditActionNames, auditActions)]

function AuditFilters({ list, seesAll }: { list: ListAddress<AuditAddress>; seesAll: boolean }) {
  const { from, to, student } = list.values
  return (
    <div className="flex flex-wrap items-start gap-3">
      <SearchFilter
        list={list}
        id="audit-search"
        placeholder={seesAll ? 'User, IP address or reference code' : 'User or reference code'}
        mostLetters={maxAuditSearch}
      />
      <SelectFilter
        list={list}
        name="action"
        className="min-w-[min(11rem,100%)] flex-1 max-md:basis-full"
        label="Action"
        options={actionOptions}
      />
      <DateFilter list={list} name="from" label="From" max={to || undefined} />
      <DateFilter list={list} name="to" label="To" min={from || undefined} />
      {student !== '' && seesAll && (
        <SmallButton className="self-end" icon={X} onClick={() => list.show({ student: '' })}>
          One student only: show all
        </SmallButton>
      )}
    </div>
  )
}

// A half-typed year reads as '0020'.
const firstYear = '1900'

interface DateFilterProps {
  list: ListAddress<AuditAddress>
  name: 'from' | 'to'
  label: string
  min?: string | undefined
  max?: string | undefined
}

/** The filter has a state for the typed date: the address changes later, and must not reset a date that is being typed. */
function DateFilter({ list, ...field }: DateFilterProps) {
  const value = list.values[field.name]
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
    if (reported !== draft.reported) list.choose(field.name, reported, { replace: true })
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
  const { momentOf } = useInstantTexts()
  const columns: readonly Column<AuditItem>[] = [
    {
      head: 'When',
      className: 'whitespace-nowrap tabular-nums',
      cell: ({ at }) => <time dateTime={at}>{momentOf(at)}</time>,
    },
    {
      head: 'Action',
      className: 'sm:max-w-72 max-md:pr-14',
      cell: (item) => {
        const subject = subjectOf(item)
        return (
          <>
            <p className="font-semibold">{auditActions[item.action]}</p>
            {subject !== '' && <p className="wrap-anywhere">{subject}</p>}
            {item.fields.length > 0 && (
              <p className="text-xs text-muted">{item.fields.map(fieldLabel).join(', ')}</p>
            )}
          </>
        )
      },
    },
    {
      head: 'User / Location',
      cell: (item) => (
        <>
          <p className="wrap-anywhere">{actorText(item)}</p>
          <p className="text-xs text-muted max-md:hidden">
            {factsText(item.clientAddress, browserOf(item.userAgent))}
          </p>
        </>
      ),
    },
  ]
  return (
    <ListTable
      caption="Audit trail, newest first"
      busy={busy}
      items={items}
      columns={columns}
      menu={({ id, action, at }) => (
        <IconButton
          id={`entry-${id}`}
          label={`Details: ${auditActions[action]}, ${momentOf(at)}`}
          className="max-md:size-11"
          onClick={() => onOpen(id)}
          icon={Info}
        />
      )}
    />
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
      {(entry) => (
        <div className="grid gap-5">
          <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-2">
            {factsOf(entry, texts).map(({ label, value }) => (
              <div key={label} className="min-w-0">
                <dt className="text-xs font-medium text-muted">{label}</dt>
                <dd className="wrap-anywhere">{value}</dd>
              </div>
            ))}
          </dl>
          {entry.studentId && <StudentLinks item={entry} />}
          {entry.hasValues && <AuditValues entry={entry.id} />}
        </div>
      )}
    </ModalOf>
  )
}

// Details of earlier versions, in which an undo found the records by them.
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
      {reading.isError && <ErrorBanner message={failureText('Failed to load the values', reading.error)} />}
      <SmallButton className="w-fit" icon={Eye} disabled={reading.isPending} onClick={() => reading.mutate()}>
        Show old and new values
      </SmallButton>
      <Hint>Viewing them is recorded in the audit trail.</Hint>
    </div>
  )
}

function ValuesTable({ before, after }: { before: Record<string, unknown>; after: Record<string, unknown> }) {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return (
    <DataTable caption="Old and new values" heads={['Field', 'Before', 'After']}>
      {fields.map((field) => (
        <tr key={field}>
          <th scope="row" className="border-b px-3 py-2 align-top font-semibold">
            {fieldLabel(field)}
          </th>
          <ValueCell>{valueText(field, before[field])}</ValueCell>
          <ValueCell>{valueText(field, after[field])}</ValueCell>
        </tr>
      ))}
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
  ['sectionIds', 'Sections'],
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
