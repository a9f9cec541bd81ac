interface GuidePage {
  /** The name of its text, `name.md`. Its address has the same name: on /admin as the tab, elsewhere as the last part of the path. */
  name: string
  title: string
  about: string
}

export const guidePages: readonly GuidePage[] = [
  { name: 'year', title: 'The office’s year', about: 'What to do from enlistment to serial numbers.' },
  { name: 'shortcuts', title: 'Keyboard shortcuts', about: 'Keys for searching, moving and getting help.' },
  { name: 'dashboard', title: 'Dashboard', about: 'Counts, what needs attention, and recent activity.' },
  { name: 'students', title: 'Student Management', about: 'Find, check, edit, print and archive records.' },
  { name: 'requests', title: 'Requests', about: 'Decide what students ask for on their own page.' },
  { name: 'archived', title: 'Archived Students', about: 'Records of earlier years.' },
  { name: 'statistics', title: 'Statistics', about: 'Figures by period and component.' },
  { name: 'import', title: 'Import Students', about: 'Add or update records from a spreadsheet.' },
  { name: 'audit', title: 'Audit Trail', about: 'Who did what, and when.' },
  { name: 'my', title: 'My NSTP', about: 'What students see on their own page, and how they get in.' },
  { name: 'privacy', title: 'Privacy', about: 'Requests of students, breaches, and how long data stays.' },
  { name: 'terms', title: 'Terms & Sections', about: 'Semesters, their sections, and who is in them.' },
  { name: 'roll', title: 'Roll for facilitators', about: 'Call the attendance of your sections on a phone.' },
  {
    name: 'papers',
    title: 'Papers & Serials',
    about: 'Lists for CHED and the AFP, serial numbers, certificates.',
  },
  { name: 'announcements', title: 'Announcements', about: 'Post news on the site and by e-mail.' },
  { name: 'email', title: 'Email System', about: 'Set up the account, send e-mails and check the outbox.' },
  { name: 'slideshow', title: 'Slideshow', about: 'Images on the home page.' },
  { name: 'orgchart', title: 'Organization Chart', about: 'The people of the program and their positions.' },
  {
    name: 'people',
    title: 'Your people',
    about: 'Give each person an account that sees what the work needs.',
  },
  { name: 'profile-settings', title: 'Profile Settings', about: 'Your password, sign-in and devices.' },
  { name: 'system-settings', title: 'System Settings', about: 'Names, years, courses and site content.' },
  { name: 'backup', title: 'Backup', about: 'Save all data in one file, and restore it.' },
]
