import type { Layout, LayoutColumn, LayoutList, LayoutSheet } from './layout.ts'

const columnsOfAll: LayoutColumn[] = [
  { head: 'No.', value: 'seq', format: 'number' },
  { head: 'Student No.', value: 'studentId' },
  { head: 'Surname', value: 'lastName' },
  { head: 'First Name', value: 'firstName' },
  { head: 'Middle Name', value: 'middleName' },
  { head: 'Program', value: 'officialProgram' },
  { head: 'Sex', value: 'sexLetter' },
  { head: 'Birthdate', value: 'dateOfBirth', format: 'shortDate' },
  { head: 'Street/Barangay', value: 'street' },
  { head: 'Municipality/City', value: 'town' },
  { head: 'Province', value: 'province' },
  { head: 'Contact Number', value: 'phone' },
  { head: 'Email Address', value: 'email' },
]

const widths = {
  A: 6,
  B: 15,
  C: 20,
  D: 22,
  E: 18,
  F: 30,
  G: 6,
  H: 12,
  I: 28,
  J: 20,
  K: 18,
  L: 16,
  M: 30,
  N: 14,
}

const closing: LayoutList['closing'] = [
  { down: 2, column: 'B', text: 'Prepared by' },
  { down: 2, column: 'F', text: 'Certified Correct' },
  { down: 2, column: 'J', text: 'Approved' },
  { down: 5, column: 'B', text: '{signatory:1}' },
  { down: 5, column: 'F', text: '{signatory:2}' },
  { down: 5, column: 'J', text: '{signatory:3}' },
  { down: 6, column: 'B', text: '{title:1}' },
  { down: 6, column: 'F', text: '{title:2}' },
  { down: 6, column: 'J', text: '{title:3}' },
]

const common = {
  code: 'osds-2b',
  title: 'OSDS Form 2-B',
  agency: 'CHED',
  needs: ['heiName'],
  order: 'name',
} as const

const sheetsOf = (title: string, { of, columns }: Pick<LayoutList, 'of' | 'columns'>): LayoutSheet[] => [
  {
    name: '2-B',
    widths,
    isLandscape: true,
    cells: [
      { at: 'A1', text: '{heiName}', style: 'line' },
      { at: 'A2', text: title, style: 'title' },
      { at: 'A3', text: '{component}, {academicYear}', style: 'line' },
    ],
    list: { of, headRow: 5, columns, closing },
  },
]

/** The form is unverified. */
export const osds2b: Layout = {
  ...common,
  purpose: 'enrolment',
  takes: {
    components: ['ROTC', 'CWTS', 'LTS'],
    isOfOneComponent: true,
    level: true,
    options: ['ofGraduates'],
  },
  sheets: sheetsOf('NSTP {level} ENROLLMENT LIST', { of: 'enrolment', columns: columnsOfAll }),
}

export const osds2bGraduates: Layout = {
  ...common,
  purpose: 'graduates',
  takes: { ...osds2b.takes },
  leavesOut: ['sentBefore'],
  sheets: sheetsOf('List of NSTP Graduates for Final Funding', {
    of: 'graduates',
    columns: [...columnsOfAll, { head: 'Is Transferee', value: 'transferee' }],
  }),
}
