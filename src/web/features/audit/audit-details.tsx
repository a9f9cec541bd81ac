import { Eye } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { type AuditItem, actorText, auditActions } from '#shared/audit/audit.ts'
import { browserOf } from '#shared/auth/device-name.ts'
import { Button } from '#web/components/button.tsx'
import { Cell, DataTable, HeadCell } from '#web/components/data-table.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { Modal } from '#web/components/modal.tsx'
import { tabPath } from '#web/lib/admin-tab.ts'
import { api, callApi } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'
import type { InstantTexts } from '#web/lib/date-texts.ts'
import { fieldLabel, subjectOf, valueText } from './audit-texts.ts'

interface AuditDetailsProps {
  item: AuditItem | null
  texts: InstantTexts
  onClose: () => void
}

export function AuditDetails({ item, texts, onClose }: AuditDetailsProps) {
  // While the modal fades out it still shows what it showed.
  const [last, setLast] = useState(item)
  if (item !== null && item !== last) setLast(item)
  return (
    <Modal
      open={item !== null}
      onClose={onClose}
      title={last ? auditActions[last.action] : ''}
      footer={
        <Button variant="outline" size="sm" onClick={onClose}>
          Close
        </Button>
      }
    >
      {last && (
        <div className="grid gap-5">
          <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-2">
            {factsOf(last, texts).map(({ label, value }) => (
              <div key={label} className="min-w-0">
                <dt className="text-xs font-medium text-muted">{label}</dt>
                <dd className="wrap-anywhere">{value}</dd>
              </div>
            ))}
          </dl>
          {last.studentId && <StudentLinks item={last} />}
          {last.hasValues && <AuditValues key={last.id} entry={last.id} />}
        </div>
      )}
    </Modal>
  )
}

function factsOf(item: AuditItem, texts: InstantTexts): { label: string; value: string }[] {
  const facts = [
    { label: 'When', value: texts.momentOf(item.at) },
    { label: 'Who', value: actorText(item) },
    { label: 'Network address', value: item.clientAddress },
    { label: 'Browser', value: browserOf(item.userAgent) },
    { label: 'About', value: subjectOf(item) },
    { label: 'Changed fields', value: item.fields.map(fieldLabel).join(', ') },
    { label: 'Request', value: item.requestId },
    ...Object.entries(item.detail).map(([name, value]) => ({
      label: fieldLabel(name),
      value: valueText(name, value),
    })),
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
        Everything about this student
      </Link>
    </p>
  )
}

interface Values {
  before: Record<string, unknown>
  after: Record<string, unknown>
}

/** Security: personal values are shown on request, and each look is recorded. */
function AuditValues({ entry }: { entry: string }) {
  const [values, setValues] = useState<Values | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [isReading, setReading] = useState(false)

  async function read() {
    setReading(true)
    setFailure(null)
    try {
      setValues(await callApi(api.audit[':id'].values.$get({ param: { id: entry } })))
    } catch (error) {
      setFailure(sentenceOf(error))
    } finally {
      setReading(false)
    }
  }

  if (values) return <ValuesTable {...values} />
  return (
    <div className="grid gap-3">
      {failure && <ErrorBanner message={`Failed to load the values: ${failure}`} />}
      <Button
        variant="outline"
        size="sm"
        className="w-fit"
        icon={<Eye aria-hidden="true" className="size-4" />}
        disabled={isReading}
        onClick={() => void read()}
      >
        Show old and new values
      </Button>
      <p className="text-sm text-muted">Looking at them is recorded in the audit trail.</p>
    </div>
  )
}

function ValuesTable({ before, after }: Values) {
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
