import type { AudiencePreview } from '#shared/mail-history.ts'
import { nstpComponents } from '#shared/student-choices.ts'
import { archiveFilters } from '#shared/students.ts'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { SelectField } from '#web/components/select-field.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import { leftOutTexts } from './batch-texts.ts'
import type { BulkStart } from './bulk-data.ts'
import { fieldIds } from './field-ids.ts'
import { RecipientCount } from './recipient-count.tsx'
import type { AudienceReading } from './use-audience.ts'
import type { BulkFormState } from './use-bulk-form.ts'

interface StudentRecipientsProps {
  form: BulkFormState
  start: BulkStart
  audience: AudienceReading
  error: string | undefined
}

const archiveLabels = { all: 'All Students', active: 'Active Only', archived: 'Archived Only' } as const
const archiveOptions = archiveFilters.map((value) => ({ value, label: archiveLabels[value] }))

/** Recipients by the filters of the students' list, with their number. */
export function StudentRecipients({ form, start, audience, error }: StudentRecipientsProps) {
  const { values, change } = form
  const { preview, failure, retry } = audience
  return (
    <>
      <div className="grid gap-3 max-md:[&_select]:min-h-11 sm:grid-cols-2">
        <SelectField
          id={fieldIds.component}
          name="component"
          label="NSTP Component"
          density="compact"
          placeholder="All components"
          options={nstpComponents}
          error={error}
          value={values.component}
          onChange={({ target }) =>
            change({ component: nstpComponents.find((component) => component === target.value) ?? '' })
          }
        />
        <SelectField
          id="bulk-year"
          name="academicYear"
          label="Academic Year"
          density="compact"
          placeholder="All Years"
          options={start.academicYears}
          value={values.academicYear}
          onChange={({ target }) => change({ academicYear: target.value })}
        />
        <SelectField
          id="bulk-course"
          name="course"
          label="Course"
          density="compact"
          placeholder="All courses"
          options={start.courses}
          value={values.course}
          onChange={({ target }) => change({ course: target.value })}
        />
        <SelectField
          id="bulk-archive"
          name="archive"
          label="Archive Status"
          density="compact"
          options={archiveOptions}
          value={values.archive}
          onChange={({ target }) =>
            change({ archive: archiveFilters.find((archive) => archive === target.value) ?? 'active' })
          }
        />
      </div>
      {failure === null ? <Counted preview={preview} /> : <ErrorBanner message={failure} onRetry={retry} />}
    </>
  )
}

function Counted({ preview }: { preview: AudiencePreview | null }) {
  if (preview === null) {
    return (
      <div role="status">
        <span className="sr-only">Counting the students</span>
        <Skeleton className="h-13 w-full" />
      </div>
    )
  }
  const { count, optedOut, duplicates, invalid } = preview
  return (
    <RecipientCount
      count={count}
      noun="student"
      leftOut={leftOutTexts({ optedOutCount: optedOut, duplicateCount: duplicates, invalidCount: invalid })}
    />
  )
}
