import { Eye } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#web/components/button.tsx'
import { Cell, DataTable, HeadCell } from '#web/components/data-table.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { fieldLabel, valueText } from './audit-texts.ts'

interface Values {
  before: Record<string, unknown>
  after: Record<string, unknown>
}

/** Old and new values of an entry. They are personal: shown on request only, and the look is recorded. */
export function AuditValues({ entry }: { entry: string }) {
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
