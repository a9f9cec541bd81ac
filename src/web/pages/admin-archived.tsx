import type { StudentRecord } from '#shared/students/student.ts'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { ArchivedStudents } from '#web/features/students/archived-students.tsx'
import { archiveListConfig, loadStudents } from '#web/features/students/data.ts'
import { StudentForm } from '#web/features/students/print-sheet.tsx'
import { useLiveRevalidation } from '#web/lib/live-revalidation.ts'
import { useInitialRead, useLastValue } from '#web/lib/page-data.ts'
import { pageMeta } from '#web/lib/page-meta.ts'
import { readDuringNavigation } from '#web/lib/session-end.ts'
import { failureToShow } from '#web/lib/stale-data.ts'
import type { Route } from './+types/admin-archived'

export function meta({ matches: [, frame] }: Route.MetaArgs): Route.MetaDescriptors {
  return pageMeta({ title: 'Archived Students', site: frame.loaderData?.settings })
}

// The document has no records; the page reads them.
export function loader() {
  return { data: null, failure: null }
}

// A refusal is shown above the list.
export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const url = new URL(request.url)
  try {
    const read = () => loadStudents(url, archiveListConfig, request.signal)
    return { data: await readDuringNavigation(`${url.pathname}${url.search}`, read), failure: null }
  } catch (error) {
    const { message } = failureToShow(error, request)
    return { data: null, failure: `Failed to load archived students: ${message}` }
  }
}

export default function AdminArchived({ loaderData }: Route.ComponentProps) {
  const { failure } = loaderData
  const data = useLastValue(loaderData.data, 'archived')
  const readAgain = useInitialRead({ read: loaderData.data, shown: data, failure })
  useLiveRevalidation(['students', 'settings'])

  return (
    <>
      {failure && (
        <div className="mb-4">
          <ErrorBanner message={failure} onRetry={readAgain} />
        </div>
      )}
      <ArchivedStudents data={data} failed={failure !== null} renderForm={renderForm} />
    </>
  )
}

function renderForm(student: StudentRecord) {
  return <StudentForm student={student} />
}
