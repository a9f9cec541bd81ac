import type { Layout } from './layout.ts'

const groups = '{levelName} {SEX} CADETS'

/** Certificate and report of grades. Unverified. Marks that were entered without parts leave the columns of parts blank. */
export const rotcGrades: Layout = {
  code: 'rotc-grades',
  title: 'ROTC grades (COG, ROG)',
  agency: 'AFP',
  purpose: 'grades',
  takes: { components: ['ROTC'], term: true },
  needs: ['heiName'],
  order: 'levelAndSex',
  sheets: [
    {
      name: 'COG',
      widths: { A: 6, B: 36, C: 14, D: 12, E: 8, F: 12, G: 8, H: 12, I: 8, J: 12, K: 8, L: 14, M: 12, N: 14 },
      isLandscape: true,
      cells: [
        { at: 'A6', text: '{heiName}', style: 'line' },
        { at: 'M6', text: '{date}' },
        { at: 'A8', text: '({termLabel}, SY {academicYear})', style: 'line' },
      ],
      list: {
        of: 'enrolment',
        headRow: 10,
        groups,
        columns: [
          { head: 'NR', value: 'seq', format: 'number' },
          { head: 'NAME', value: 'capitalName' },
          { head: 'COURSE', value: 'course' },
          { head: 'ATTENDANCE', value: 'attendancePercent', format: 'number' },
          { head: '30%', value: 'attendancePoints', format: 'number' },
          { head: 'ATTITUDE (100)', value: 'attitudePercent', format: 'number' },
          { head: '30%', value: 'attitudePoints', format: 'number' },
          { head: 'MIDTERM EXAM', value: 'midtermPercent', format: 'number' },
          { head: '20%', value: 'midtermPoints', format: 'number' },
          { head: 'FINAL EXAM', value: 'finalPercent', format: 'number' },
          { head: '20%', value: 'finalPoints', format: 'number' },
          { head: 'TOTAL (GRADE IN %)', value: 'percent', format: 'number' },
          { head: 'Equivalent', value: 'mark' },
          { head: 'REMARKS', value: 'remark' },
        ],
      },
    },
    {
      name: 'ROG',
      widths: { A: 6, B: 36, C: 14, D: 14, E: 12, F: 14 },
      cells: [
        { at: 'A6', text: '{heiName}', style: 'line' },
        { at: 'E6', text: '{date}' },
        { at: 'A9', text: '({termLabel}, SY {academicYear})', style: 'line' },
      ],
      list: {
        of: 'enrolment',
        headRow: 11,
        groups,
        columns: [
          { head: 'NR', value: 'seq', format: 'number' },
          { head: 'NAME', value: 'capitalName' },
          { head: 'COURSE', value: 'course' },
          { head: 'TOTAL (GRADE IN %)', value: 'percent', format: 'number' },
          { head: 'Equivalent', value: 'mark' },
          { head: 'REMARKS', value: 'remark' },
        ],
      },
    },
  ],
}
