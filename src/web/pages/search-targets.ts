import {
  Award,
  Bell,
  CalendarRange,
  CircleHelp,
  ClipboardCheck,
  DoorOpen,
  FileCheck,
  FilePlus,
  FileSpreadsheet,
  Inbox,
  ListChecks,
  type LucideIcon,
  MailPlus,
  Megaphone,
  MessageSquareText,
  Pencil,
  Printer,
  QrCode,
  Send,
  Settings,
  UserRound,
  UserRoundPlus,
  Users,
  UsersRound,
} from 'lucide-react'
import type { Permission } from '#shared/people/permissions.ts'
import { nstpComponents, registrationComponents } from '#shared/students/student-choices.ts'
import type { StudentListItem } from '#shared/students/student-response.ts'
import { defaultStudentFilters } from '#shared/students/students.ts'
import { guidePages } from '#web/features/admin/guide/pages.ts'
import type { MenuItem } from '#web/features/admin/menu.tsx'
import { managerAddress, newAnnouncement } from '#web/features/announcements/data.ts'
import { emailAddress } from '#web/features/mail/email-data.ts'
import { papersAddress } from '#web/features/papers/data.ts'
import { newPerson, peopleAddress } from '#web/features/people/data.ts'
import { sections } from '#web/features/settings/sections.ts'
import { settingsPath } from '#web/features/settings/setting-texts.ts'
import { settingsTitles, settingWords } from '#web/features/settings/settings-pages.ts'
import { listName } from '#web/features/students/student-texts.ts'
import { termsAddress } from '#web/features/terms/data.ts'
import { helpPath, tabPath } from '#web/lib/admin-tab.ts'
import { api, callApi } from '#web/lib/api.ts'

type Found = readonly [
  title: string,
  to: string,
  Icon: LucideIcon,
  words: string,
  needs?: Permission,
  component?: string,
]

const settings: readonly Found[] = [
  ['Profile Settings', tabPath('profile-settings'), UserRound, 'change password devices two-factor sign in'],
  ...settingsTitles
    .filter((title) => title !== 'Backup')
    .map((title): Found => [title, settingsPath(title), Settings, settingWords[title] ?? '']),
]

const sheetsOf = (component: string) => tabPath('students', { component, sort: 'name', print: 'sheets' })

const mailTo = (component: string) => tabPath('email', { pane: 'bulk', component })

const actions: readonly Found[] = [
  [
    'Getting started',
    tabPath('dashboard', { start: '1' }),
    ListChecks,
    'checklist set up first steps',
    'settings',
  ],
  ['Share link and QR poster', '/poster', QrCode, 'print enlistment address try it yourself test'],
  ['New announcement', managerAddress.to({ open: newAnnouncement }), Megaphone, 'post add'],
  ['Write an e-mail', emailAddress.to({}), MailPlus, 'send single'],
  ['E-mail many students', emailAddress.to({ pane: 'bulk' }), Send, 'send bulk mass component'],
  ...nstpComponents.map(
    (name): Found => [`E-mail all ${name} students`, mailTo(name), Send, 'send bulk', 'mail', name],
  ),
  ['Outbox', emailAddress.to({ pane: 'outbox' }), Inbox, 'sent failed waiting e-mail'],
  [
    'Export students to Excel',
    tabPath('students'),
    FileSpreadsheet,
    'export download workbook list',
    'students.take-out',
  ],
  [
    'Correct a student’s record',
    tabPath('students'),
    Pencil,
    'edit change name date of birth address phone',
    'students.edit',
  ],
  [
    'Requests of students',
    tabPath('requests'),
    MessageSquareText,
    'correction component copy blocking erasure own page decide',
    'students.edit',
  ],
  ['Possible duplicates', tabPath('students', { duplicates: 'only' }), Users, 'merge', 'students.change'],
  ...registrationComponents.map(
    (name): Found => [
      `Print sheets of ${name}`,
      sheetsOf(name),
      Printer,
      `print ${name} forms`,
      'students.take-out',
      name,
    ],
  ),
  [
    'Add a person',
    peopleAddress.to({ person: newPerson }),
    UserRoundPlus,
    'account role people staff password',
  ],
  [
    'Open a term',
    termsAddress.to({ open: 'new-term' }),
    CalendarRange,
    'semester section class academic year plan',
    'terms',
  ],
  [
    'Place students in sections',
    termsAddress.to({}),
    UsersRound,
    'term section platoon class list',
    'enrolments',
  ],
  [
    'Compare with the registrar’s list',
    termsAddress.to({ pane: 'lists' }),
    FileCheck,
    'official import enrollment',
    'enrolments',
  ],
  [
    'Enter marks',
    termsAddress.to({ pane: 'marks' }),
    ClipboardCheck,
    'grades outcome passed failed',
    'marks',
  ],
  [
    'Import marks from a file',
    tabPath('terms', { pane: 'lists', list: 'marks' }),
    FileCheck,
    'grades Excel upload list',
    'marks',
  ],
  [
    'Make a paper',
    papersAddress.to({ open: 'make' }),
    FilePlus,
    'CHED workbook AFP 2-B grades roster report list',
    'papers',
  ],
  ['Serial numbers', papersAddress.to({}), FileCheck, 'CHED DND import range returned graduates', 'papers'],
  [
    'Issue certificates',
    papersAddress.to({ pane: 'certificates' }),
    Award,
    'print certificate completion graduates verify',
    'papers',
  ],
  ['Bounced addresses', emailAddress.to({ pane: 'returned' }), Bell, 'returned e-mail'],
  ['Open or close registration', settingsPath(sections.enlistment.title), DoorOpen, 'enlistment'],
]

const help: readonly Found[] = [
  ['Help & Support', helpPath, CircleHelp, 'guide manual'],
  // The others have the titles of their screens, where the key ? opens them.
  ...guidePages
    .filter(({ name }) => name === 'year' || name === 'shortcuts')
    .map(({ name, title, about }): Found => [title, `${helpPath}/${name}`, CircleHelp, about]),
]

/** What the top bar's search finds besides the menu and the students. */
export const targets: readonly MenuItem[] = Object.entries({
  Settings: settings,
  Actions: actions,
  Help: help,
}).flatMap(([category, found]) =>
  found.map(([title, to, Icon, words, needs = 'signed-in', component]) => {
    return { title, to, Icon, words, category, needs, component }
  }),
)

const mostFound = 6

export async function findStudents(search: string, signal: AbortSignal): Promise<MenuItem[]> {
  const query = {
    ...defaultStudentFilters,
    search,
    archive: 'all' as const,
    page: '1',
    pageSize: String(mostFound),
  }
  const { items } = await callApi(api.students.$get({ query }, { init: { signal } }))
  return items.map(studentTarget)
}

type NamedStudent = Pick<
  StudentListItem,
  'id' | 'lastName' | 'firstName' | 'middleName' | 'nstpComponent' | 'archived'
>

export function studentTarget(student: NamedStudent): MenuItem {
  const { id, archived, nstpComponent } = student
  return {
    title: listName(student),
    category: 'Students',
    to: tabPath('students', { ...(archived && { archive: 'all' }), student: id }),
    Icon: UserRound,
    note: [nstpComponent, archived && 'archived'].filter(Boolean).join(', '),
  }
}
