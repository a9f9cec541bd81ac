import {
  Bell,
  CircleHelp,
  DoorOpen,
  Inbox,
  ListChecks,
  MailPlus,
  Megaphone,
  Printer,
  QrCode,
  Send,
  Settings,
  UserRound,
  Users,
} from 'lucide-react'
import { registrationComponents } from '#shared/students/student-choices.ts'
import type { StudentListItem } from '#shared/students/student-response.ts'
import { defaultStudentFilters } from '#shared/students/students.ts'
import { managerAddress, newAnnouncement } from '#web/features/announcements/data.ts'
import { emailAddress } from '#web/features/mail/email-data.ts'
import { sections, settingsTitles } from '#web/features/settings/sections.ts'
import { settingsPath } from '#web/features/settings/setting-texts.ts'
import { guidePages } from '#web/features/site/guide/pages.ts'
import type { MenuItem } from '#web/features/site/menu.tsx'
import { listName } from '#web/features/students/data.ts'
import { helpPath, tabPath } from '#web/lib/admin-tab.ts'
import { api, callApi } from '#web/lib/api.ts'

const settingWords: Record<string, string> = {
  [sections.names.title]: 'school system logo address',
  [sections.maintenance.title]: 'close open registration',
  [sections.retention.title]: 'delete archive audit',
  [sections.hero.title]: 'home page banner',
}

function settingTarget(title: string): MenuItem {
  return {
    title,
    category: 'Settings',
    to: settingsPath(title),
    Icon: Settings,
    words: settingWords[title] ?? '',
  }
}

/** What the top bar's search finds besides the menu and the students. */
export const targets: readonly MenuItem[] = [
  {
    title: 'Profile Settings',
    category: 'Settings',
    to: tabPath('profile-settings'),
    Icon: UserRound,
    words: 'change password devices two-factor sign in',
  },
  ...settingsTitles.filter((title) => title !== 'Backup').map(settingTarget),
  {
    title: 'Getting started',
    category: 'Actions',
    to: tabPath('dashboard', { start: '1' }),
    Icon: ListChecks,
    words: 'checklist set up first steps',
  },
  {
    title: 'Share link and QR poster',
    category: 'Actions',
    to: '/poster',
    Icon: QrCode,
    words: 'print enlistment address try it yourself',
  },
  {
    title: 'New announcement',
    category: 'Actions',
    to: managerAddress.to({ open: newAnnouncement }),
    Icon: Megaphone,
    words: 'post add',
  },
  {
    title: 'Write an e-mail',
    category: 'Actions',
    to: emailAddress.to({}),
    Icon: MailPlus,
    words: 'send single',
  },
  {
    title: 'E-mail many students',
    category: 'Actions',
    to: emailAddress.to({ pane: 'bulk' }),
    Icon: Send,
    words: 'send bulk mass component',
  },
  {
    title: 'Outbox',
    category: 'Actions',
    to: emailAddress.to({ pane: 'outbox' }),
    Icon: Inbox,
    words: 'sent failed waiting e-mail',
  },
  {
    title: 'Possible duplicates',
    category: 'Actions',
    to: tabPath('students', { duplicates: 'only' }),
    Icon: Users,
    words: 'merge',
  },
  ...registrationComponents.map((name) => ({
    title: `Print sheets of ${name}`,
    category: 'Actions',
    to: tabPath('students', { component: name, sort: 'name', print: 'sheets' }),
    Icon: Printer,
    words: `print ${name} forms`,
  })),
  {
    title: 'Bounced addresses',
    category: 'Actions',
    to: emailAddress.to({ pane: 'returned' }),
    Icon: Bell,
    words: 'returned e-mail',
  },
  {
    title: 'Open or close registration',
    category: 'Actions',
    to: settingsPath(sections.enlistment.title),
    Icon: DoorOpen,
    words: 'enlistment',
  },
  { title: 'Help & Support', category: 'Help', to: helpPath, Icon: CircleHelp, words: 'guide manual' },
  ...guidePages.map(({ name, title, about }) => ({
    title,
    category: 'Help',
    to: `${helpPath}/${name}`,
    Icon: CircleHelp,
    words: about,
  })),
]

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
