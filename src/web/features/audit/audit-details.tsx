import { useState } from 'react'
import { Link } from 'react-router'
import { type AuditItem, actorText, auditActions } from '#shared/audit.ts'
import { browserOf } from '#shared/device-name.ts'
import { Button } from '#web/components/button.tsx'
import { Modal } from '#web/components/modal.tsx'
import { tabPath } from '#web/lib/admin-tab.ts'
import type { InstantTexts } from '#web/lib/instant-texts.ts'
import { fieldLabel, subjectOf, valueText } from './audit-texts.ts'
import { AuditValues } from './audit-values.tsx'

interface AuditDetailsProps {
  /** The entry that is open, null for none. */
  item: AuditItem | null
  texts: InstantTexts
  onClose: () => void
}

/** All that the trail keeps of one entry. */
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
