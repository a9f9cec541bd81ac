import {
  Archive,
  CalendarRange,
  ChartColumn,
  DatabaseBackup,
  FileBadge,
  FileUp,
  House,
  Images,
  LayoutDashboard,
  ListChecks,
  type LucideIcon,
  Mail,
  Megaphone,
  MessageSquareText,
  Network,
  ScrollText,
  Settings,
  ShieldCheck,
  UserRound,
  Users,
  UsersRound,
} from 'lucide-react'
import { type ComponentProps, type ComponentType, lazy, Suspense, useEffect } from 'react'
import { Outlet, useSearchParams } from 'react-router'
import { AdminData } from '#web/components/admin-queries.tsx'
import { Controls } from '#web/components/controls.tsx'
import { AdminFrame } from '#web/features/admin/admin-frame.tsx'
import type { Leaving, MenuItem } from '#web/features/admin/menu.tsx'
import type { SearchSources } from '#web/features/admin/quick-search.tsx'
import { countKeptCalls } from '#web/features/attendance/kept-calls.ts'
import { forgetKeptRoll } from '#web/features/attendance/kept-roll.ts'
import { forgetDrafts } from '#web/features/registration/draft-key.ts'
import { accountOf } from '#web/lib/account.ts'
import { type AdminTab, tabOf, tabPath } from '#web/lib/admin-tab.ts'
import { lazyPart } from '#web/lib/lazy-part.ts'
import { adminPath, rollPath } from '#web/lib/next-path.ts'
import { type StaticMetaArgs, staticMeta } from '#web/lib/page-meta.ts'

interface Tab {
  title: string
  Icon: LucideIcon
  Screen: ComponentType & { load: () => Promise<unknown> }
}

function lazyScreen(load: () => Promise<{ default: ComponentType }>) {
  return Object.assign(lazy(load), { load })
}

function lazyNamed<Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name) {
  return lazyScreen(async () => ({ default: (await load())[name] }))
}

const BackupPanel = lazyPart(async () => (await import('#web/features/backup/backup-panel.tsx')).BackupPanel)
const TokenPanel = lazyPart(async () => (await import('#web/features/auth/token-panel.tsx')).TokenPanel)
const StudentMail = lazyPart(
  async () => (await import('#web/features/mail/student-mail.tsx')).StudentMailSection,
)

const StudentProgram = lazyPart(
  async () => (await import('#web/features/terms/student-program.tsx')).StudentProgram,
)

const StudentCertificates = lazyPart(
  async () => (await import('#web/features/certificates/student-certificates.tsx')).StudentCertificates,
)

const EarlierGraduates = lazyPart(
  async () => (await import('#web/features/terms/earlier-graduates.tsx')).EarlierGraduatesModal,
)

// The panels below the figures of the dashboard load after them.
const ThisTerm = lazyPart(async () => (await import('#web/features/terms/this-term.tsx')).ThisTerm)

const DuePapers = lazyPart(async () => (await import('#web/features/papers/due-papers.tsx')).DuePapers)

/** A tab's scripts are loaded when it is opened. */
const adminTabs: Record<AdminTab, Tab> = {
  dashboard: {
    title: 'Dashboard',
    Icon: LayoutDashboard,
    Screen: lazyScreen(async () => {
      const [{ DashboardTab }, { DayCode }] = await Promise.all([
        import('#web/features/statistics/dashboard-tab.tsx'),
        import('#web/features/settings/day-code.tsx'),
      ])
      const thisTerm = (
        <Suspense fallback={null}>
          <ThisTerm />
          <DuePapers />
        </Suspense>
      )
      return { default: () => <DashboardTab dayCode={<DayCode />} thisTerm={thisTerm} /> }
    }),
  },
  students: {
    title: 'Student Management',
    Icon: Users,
    Screen: lazyScreen(async () => {
      const { StudentsTab } = await import('#web/features/students/students-tab.tsx')
      // Keyed, so that those of another student are read anew. While scripts load, only their own part is missing: without
      // its Suspense React would hide the whole tab, with the open record and its focus.
      return {
        default: () => (
          <StudentsTab
            renderMail={({ id }) => (
              <Suspense>
                <StudentMail key={id} studentId={id} />
              </Suspense>
            )}
            renderCredits={(ids, onClose) => (
              <Suspense>
                <EarlierGraduates ids={ids} onClose={onClose} />
              </Suspense>
            )}
            renderProgram={(student) => (
              <Suspense>
                <StudentProgram
                  key={student.id}
                  student={student}
                  certificates={
                    <Suspense>
                      <StudentCertificates student={student} />
                    </Suspense>
                  }
                />
              </Suspense>
            )}
          />
        ),
      }
    }),
  },
  requests: {
    title: 'Requests',
    Icon: MessageSquareText,
    Screen: lazyNamed(() => import('#web/features/requests/requests-tab.tsx'), 'RequestsTab'),
  },
  import: {
    title: 'Import Students',
    Icon: FileUp,
    Screen: lazyNamed(() => import('#web/features/imports/import-tab.tsx'), 'ImportTab'),
  },
  audit: {
    title: 'Audit Trail',
    Icon: ScrollText,
    Screen: lazyNamed(() => import('#web/features/audit/audit-tab.tsx'), 'AuditTab'),
  },
  privacy: {
    title: 'Privacy',
    Icon: ShieldCheck,
    Screen: lazyScreen(async () => {
      const [{ PrivacyTab }, { ExpiredRecords }] = await Promise.all([
        import('#web/features/privacy/privacy-tab.tsx'),
        import('#web/features/settings/expired-records.tsx'),
      ])
      return { default: () => <PrivacyTab expired={<ExpiredRecords />} /> }
    }),
  },
  terms: {
    title: 'Terms & Sections',
    Icon: CalendarRange,
    Screen: lazyScreen(async () => {
      const [{ TermsTab }, { TermLists }, { OpenLists }, { AttendancePane }] = await Promise.all([
        import('#web/features/terms/terms-tab.tsx'),
        import('#web/features/imports/term-lists.tsx'),
        import('#web/features/imports/open-lists.tsx'),
        import('#web/features/attendance/attendance-pane.tsx'),
      ])
      return {
        default: () => (
          <TermsTab
            renderLists={(term) => <TermLists term={term} />}
            renderOpenLists={(term) => <OpenLists term={term} />}
            renderAttendance={(term, cell) => (
              <AttendancePane key={`${cell.component} ${cell.level}`} term={term} cell={cell} />
            )}
          />
        ),
      }
    }),
  },
  papers: {
    title: 'Papers & Serials',
    Icon: FileBadge,
    Screen: lazyScreen(async () => {
      const [{ PapersTab }, { CertificatesPane }, { PaperSerials }, { CreditForm }, { ModalOf }] =
        await Promise.all([
          import('#web/features/papers/papers-tab.tsx'),
          import('#web/features/certificates/certificates-pane.tsx'),
          import('#web/features/imports/paper-serials.tsx'),
          import('#web/features/terms/credit-form.tsx'),
          import('#web/components/modal.tsx'),
        ])
      return {
        default: () => (
          <PapersTab
            certificates={<CertificatesPane />}
            renderSerials={(paper) => <PaperSerials paper={paper} />}
            renderCredit={(student, onClose, sendWithin) => (
              <ModalOf thing={student} onClose={onClose} size="sm" title="Credit or exemption">
                {({ id, name }) => (
                  <CreditForm studentId={id} name={name} onClose={onClose} sendWithin={sendWithin} />
                )}
              </ModalOf>
            )}
          />
        ),
      }
    }),
  },
  announcements: {
    title: 'Announcements',
    Icon: Megaphone,
    Screen: lazyNamed(() => import('#web/features/announcements/announcements-tab.tsx'), 'AnnouncementsTab'),
  },
  email: {
    title: 'Email System',
    Icon: Mail,
    Screen: lazyNamed(() => import('#web/features/mail/email-tab.tsx'), 'EmailTab'),
  },
  slideshow: {
    title: 'Slideshow',
    Icon: Images,
    Screen: lazyNamed(() => import('#web/features/slideshow/slideshow-tab.tsx'), 'SlideshowTab'),
  },
  orgchart: {
    title: 'Organization Chart',
    Icon: Network,
    Screen: lazyNamed(() => import('#web/features/org-chart/org-chart-tab.tsx'), 'OrgChartTab'),
  },
  people: {
    title: 'People',
    Icon: UsersRound,
    Screen: lazyNamed(() => import('#web/features/people/people-tab.tsx'), 'PeopleTab'),
  },
  'profile-settings': {
    title: 'Profile Settings',
    Icon: UserRound,
    Screen: lazyNamed(() => import('#web/features/auth/profile-tab.tsx'), 'ProfileTab'),
  },
  'system-settings': {
    title: 'System Settings',
    Icon: Settings,
    Screen: lazyScreen(async () => {
      const { SettingsTab } = await import('#web/features/settings/settings-tab.tsx')
      return { default: () => <SettingsTab backup={<BackupPanel />} tokens={<TokenPanel />} /> }
    }),
  },
}

// A failure shows when the tab is opened, which tries again.
function loadAhead(tab: AdminTab) {
  adminTabs[tab].Screen.load().catch(() => undefined)
}

// The address's own tab, while the page is still being taken over.
if (!import.meta.env.SSR && window.location.pathname === adminPath) loadAhead(tabOf(window.location.search))

function itemsOf(category: string, ...tabs: AdminTab[]): MenuItem[] {
  return tabs.map((tab) => {
    const { title, Icon } = adminTabs[tab]
    return { title, category, Icon, to: tabPath(tab), loadAhead: () => loadAhead(tab) }
  })
}

/** The items are in the order of the side menu. */
const menuItems: readonly MenuItem[] = [
  ...itemsOf('Management', 'dashboard', 'students', 'requests'),
  { title: 'Archived', category: 'Management', to: '/admin/archived', Icon: Archive },
  { title: 'Statistics', category: 'Management', to: '/statistics', Icon: ChartColumn },
  ...itemsOf('Management', 'import', 'audit', 'privacy'),
  { title: 'Roll', category: 'Program', to: rollPath, Icon: ListChecks },
  ...itemsOf('Program', 'terms', 'papers'),
  ...itemsOf('Communication', 'announcements', 'email'),
  ...itemsOf('Content', 'slideshow', 'orgchart'),
  ...itemsOf('System', 'people', 'system-settings'),
  { title: 'Backup', category: 'System', to: `${tabPath('system-settings')}#backup`, Icon: DatabaseBackup },
  { title: 'Back to Home', category: 'System', to: '/', Icon: House, words: 'public site website visitors' },
]

export const searchSources: SearchSources = { menu: menuItems, load: () => import('./search-targets.ts') }

/** The data and the frame of every screen of the administration. */
const leaving: Leaving = {
  // A facilitator has this screen alone.
  countWaiting: async ({ id, can }) => (can('roll') ? await countKeptCalls(id) : 0),
  async forget() {
    forgetDrafts()
    await forgetKeptRoll()
  },
}

export function AdminScreens(data: Omit<ComponentProps<typeof AdminData>, 'children'>) {
  const hasRoll = accountOf(data.user).can('roll')
  // A facilitator used this browser before, or has another role now.
  useEffect(() => void (hasRoll || forgetKeptRoll()), [hasRoll])
  return (
    <AdminData {...data}>
      <AdminFrame user={data.user} now={data.now} search={searchSources} leaving={leaving}>
        <Outlet />
      </AdminFrame>
    </AdminData>
  )
}

export const meta = (args: StaticMetaArgs & { location: { search: string } }) =>
  staticMeta({ title: adminTabs[tabOf(args.location.search)].title })(args)

export default function AdminTabs() {
  const [params] = useSearchParams()
  const tab = tabOf(params.toString())
  const { Screen } = adminTabs[tab]
  // Keyed: a selected tab appears at once, empty until its scripts are there.
  return (
    <Suspense key={tab} fallback={<div aria-busy="true" className="min-h-screen" />}>
      <Controls>
        <Screen />
      </Controls>
    </Suspense>
  )
}
