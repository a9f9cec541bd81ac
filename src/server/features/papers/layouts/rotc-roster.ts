import type { Layout } from './layout.ts'

/** Lists the graduates. The form is unverified. */
export const rotcRoster: Layout = {
  code: 'rotc-roster',
  title: 'ROTC roster',
  agency: 'AFP',
  purpose: 'roster',
  takes: { components: ['ROTC'] },
  needs: ['heiName'],
  order: 'name',
  sheets: [
    {
      name: 'Roster',
      widths: { A: 24, B: 20, C: 22, D: 18, E: 14, F: 20, G: 15, H: 12, I: 6, J: 20, K: 40 },
      isLandscape: true,
      cells: [
        { at: 'A1', text: '{heiName}', style: 'line' },
        { at: 'A2', text: 'ROTC roster, {academicYear}', style: 'line' },
      ],
      list: {
        of: 'graduates',
        headRow: 4,
        columns: [
          { head: 'Serial Number', value: 'serialNumber' },
          { head: 'Surname', value: 'lastName' },
          { head: 'First Name', value: 'firstName' },
          { head: 'Middle Name', value: 'middleName' },
          { head: 'Course', value: 'course' },
          { head: 'Platoon', value: 'section' },
          { head: 'ID No.', value: 'studentId' },
          { head: 'Birthdate', value: 'dateOfBirth', format: 'shortDate' },
          { head: 'Sex', value: 'sexLetter' },
          { head: 'Barangay', value: 'barangay' },
          { head: 'Present Address', value: 'address' },
        ],
      },
    },
  ],
}
