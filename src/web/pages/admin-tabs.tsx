import type { ComponentProps } from 'react'
import { useNavigation } from 'react-router'
import type { StudentRecord } from '#shared/students/student.ts'
import type { Topic } from '#shared/topics.ts'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { StudentMailSection } from '#web/features/mail/student-mail.tsx'
import { loadDashboard } from '#web/features/statistics/dashboard-data.ts'
import { DashboardTab } from '#web/features/statistics/dashboard-tab.tsx'
import { loadStudents, studentsListConfig } from '#web/features/students/data.ts'
import { DuplicatesModal } from '#web/features/students/duplicates-modal.tsx'
import { SheetBatch, StudentSheetPanel } from '#web/features/students/print-sheet.tsx'
import { StudentsTab } from '#web/features/students/students-tab.tsx'
import { type AdminTab, tabOf } from '#web/lib/admin-tab.ts'
import { useLiveRevalidation } from '#web/lib/live-revalidation.ts'
import { useInitialRead, useLastValue } from '#web/lib/page-data.ts'
import { readDuringNavigation } from '#web/lib/session-end.ts'
import { failureToShow } from '#web/lib/stale-data.ts'
import type { Route } from './+types/admin-tabs'
import { ContentTab, type ContentTabName, isContentTab, loadContentTab } from './content-tab.tsx'
import { EmailTab, loadEmailTab } from './email-tab.tsx'
import { isSystemTab, loadSystemTab, SystemTab } from './system-tab.tsx'

// The first two are those of spec §8.
const failures: Record<AdminTab, string> = {
  dashboard: 'Failed to load students data',
  students: 'Failed to load students data',
  import: 'Failed to load the import',
  announcements: 'Failed to load announcements',
  slideshow: 'Failed to load slideshow',
  orgchart: 'Failed to load organizational chart',
  email: 'Failed to load the e-mail system',
  audit: 'Failed to load the audit trail',
  'profile-settings': 'Failed to load the profile settings',
  'system-settings': 'Failed to load the settings',
}

// Progress of an import doesn't reload the students.
const topics: Record<AdminTab, readonly Topic[]> = {
  dashboard: ['students', 'announcements', 'settings'],
  students: ['students', 'settings'],
  import: ['imports', 'settings'],
  announcements: ['announcements', 'mail', 'settings'],
  slideshow: ['slides', 'settings'],
  orgchart: ['org-chart', 'settings'],
  email: ['mail', 'mail-account', 'settings'],
  audit: ['students', 'settings'],
  'profile-settings': ['students', 'settings'],
  // Changes of tokens are announced under the topic of the mail account.
  'system-settings': ['students', 'settings', 'mail-account'],
}

type TabContent = Awaited<ReturnType<typeof loadTab>>

async function loadTab(tab: AdminTab, { url, signal }: Request) {
  if (isContentTab(tab)) return { tab, content: await loadContentTab(tab, new URL(url), signal) }
  if (isSystemTab(tab)) return { tab, content: await loadSystemTab(tab, new URL(url), signal) }
  switch (tab) {
    case 'dashboard':
      return { tab, dashboard: await loadDashboard(signal) }
    case 'students':
      return { tab, students: await loadStudents(new URL(url), studentsListConfig, signal) }
    case 'email':
      return { tab, email: await loadEmailTab(new URL(url), signal) }
  }
}

// The document has no records; the page reads them.
export function loader({ request }: Route.LoaderArgs) {
  return { tab: tabOf(new URL(request.url).search), content: null, failure: null }
}

// A refusal is shown above the tab.
export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const { pathname, search } = new URL(request.url)
  const tab = tabOf(search)
  try {
    return {
      tab,
      content: await readDuringNavigation(`${pathname}${search}`, () => loadTab(tab, request)),
      failure: null,
    }
  } catch (error) {
    const { message, problem } = failureToShow(error, request)
    // The page stays because of unsaved input, and the user is notified.
    if (problem.code === 'unauthenticated') return { tab, content: null, failure: null }
    return { tab, content: null, failure: `${failures[tab]}: ${message}` }
  }
}

export default function AdminTabs({ loaderData }: Route.ComponentProps) {
  const { tab, failure } = loaderData
  const content = useLastValue(loaderData.content, tab)
  const readAgain = useInitialRead({ read: loaderData.content, shown: content, failure })
  const next = useNavigation().location
  useLiveRevalidation(topics[tab])

  // A selected tab appears at once, as its skeleton.
  const shown = next?.pathname === '/admin' ? tabOf(next.search) : tab
  const isRead = shown === tab
  return (
    <>
      {failure && isRead && (
        <div className="mb-4">
          <ErrorBanner message={failure} onRetry={readAgain} />
        </div>
      )}
      <Tab
        tab={shown}
        content={isRead ? content : null}
        failed={isRead && failure !== null}
        onRetry={readAgain}
      />
    </>
  )
}

interface TabProps {
  tab: AdminTab
  content: TabContent | null
  failed: boolean
  onRetry: () => void
}

function Tab({ tab, content, failed, onRetry }: TabProps) {
  if (isContentTab(tab)) return <Content tab={tab} content={content} failed={failed} />
  if (isSystemTab(tab)) {
    const data = content?.tab === tab ? content.content : null
    return <SystemTab tab={tab} content={data} failed={failed} onChange={onRetry} />
  }
  switch (tab) {
    case 'email':
      return (
        <EmailTab data={content?.tab === tab ? content.email : null} failed={failed} onChange={onRetry} />
      )
    case 'dashboard':
      return (
        <Dashboard data={content?.tab === tab ? content.dashboard : null} failed={failed} onRetry={onRetry} />
      )
    case 'students': {
      const data = content?.tab === tab ? content.students : null
      return (
        <StudentsTab
          data={data}
          failed={failed}
          renderSheet={renderSheet}
          renderMail={renderMail}
          renderDuplicates={renderDuplicates}
          renderPrint={renderPrint}
        />
      )
    }
  }
}

function Content({ tab, content, failed }: Omit<TabProps, 'tab' | 'onRetry'> & { tab: ContentTabName }) {
  return <ContentTab tab={tab} content={content?.tab === tab ? content.content : null} failed={failed} />
}

function Dashboard({
  data,
  failed,
  onRetry,
}: ComponentProps<typeof DashboardTab> & Pick<TabProps, 'failed'>) {
  if (failed && data === null) return <h1 className="sr-only">Not loaded</h1>
  return <DashboardTab data={data} onRetry={onRetry} />
}

// Keyed, so that another student's sheet starts hidden.
function renderSheet(student: StudentRecord) {
  return <StudentSheetPanel key={student.id} student={student} />
}

function renderMail(student: StudentRecord) {
  return <StudentMailSection key={student.id} studentId={student.id} />
}

function renderDuplicates(id: string | null, onClose: () => void) {
  return <DuplicatesModal id={id} onClose={onClose} />
}

function renderPrint(students: readonly StudentRecord[], onDone: () => void) {
  return <SheetBatch students={students} onDone={onDone} />
}
