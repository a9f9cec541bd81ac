import { Ban, Download } from 'lucide-react'
import { type Restriction, restrictionLabels } from '#shared/privacy/privacy.ts'
import type { StudentRecord } from '#shared/students/student-response.ts'
import { useActionWithToast } from '#web/components/action-toast.ts'
import { Badge } from '#web/components/badge.tsx'
import { SmallButton } from '#web/components/button.tsx'
import { Hint } from '#web/components/hint.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { saveDownload } from '#web/lib/save-download.ts'
import { useTask } from './data.ts'

export function RestrictionBadge({ restriction }: Pick<StudentRecord, 'restriction'>) {
  return restriction && <Badge tone="danger">{restrictionLabels[restriction]}</Badge>
}

/** The mark for a table's row, where the name needs the room. */
export function RestrictionMark({ restriction }: Pick<StudentRecord, 'restriction'>) {
  if (!restriction) return null
  const label = restrictionLabels[restriction]
  return (
    <span title={label} className="rounded-full bg-danger-soft px-1.5 py-1 text-danger">
      <Ban className="size-4" />
      <span className="sr-only">{label}</span>
    </span>
  )
}

const actionLabels: Record<Restriction, string> = { blocked: 'Block', withdrawn: 'Record consent withdrawal' }

/** The rights of RA 10173 that aren't in another place of the record. */
export function RecordPrivacy({ student }: { student: StudentRecord }) {
  const param = { id: student.id }
  const { run, isBusy: isSaving } = useTask('Failed to download')
  const restrict = useActionWithToast({
    topics: ['students'],
    mutationFn: (restriction: Restriction | null) =>
      callApi(api.students[':id'].restriction.$put({ param, json: { restriction } })),
    whatFailed: 'Failed to change',
  })

  async function download() {
    await saveDownload(await api.students[':id']['file.xlsx'].$get({ param }), 'Personal data.xlsx')
  }

  const choices: (Restriction | null)[] = student.restriction ? [null] : ['blocked', 'withdrawn']
  return (
    <section>
      <h3 className="border-b pb-1 font-semibold text-primary">Privacy</h3>
      <Hint className="mt-2">
        {student.restriction
          ? 'Excluded from bulk e-mail and exports.'
          : 'Blocked records are excluded from bulk e-mail and exports.'}
      </Hint>
      <div className="mt-2 flex flex-wrap gap-2">
        <SmallButton icon={Download} disabled={isSaving} onClick={() => run(download)}>
          Download all data
        </SmallButton>
        {choices.map((restriction) => (
          <SmallButton
            key={restriction}
            disabled={restrict.isPending}
            onClick={() => restrict.run(restriction)}
          >
            {restriction ? actionLabels[restriction] : 'Allow use again'}
          </SmallButton>
        ))}
      </div>
    </section>
  )
}
