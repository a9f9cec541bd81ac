import type { Layout } from './layout.ts'

/** Unverified. Marks that were typed or imported have no percent. */
export const registrarGrades: Layout = {
  code: 'registrar-grades',
  title: 'Grades for the registrar',
  agency: 'Registrar',
  purpose: 'grades',
  takes: { components: ['ROTC', 'CWTS', 'LTS'], term: true },
  needs: [],
  order: 'name',
  sheets: [
    {
      name: 'Grades',
      widths: { A: 16, B: 40, C: 12, D: 24, E: 10, F: 10, G: 14 },
      cells: [{ at: 'A1', text: 'NSTP grades, {termLabel} {academicYear}', style: 'line' }],
      list: {
        of: 'enrolment',
        headRow: 3,
        columns: [
          { head: 'Student No.', value: 'studentId' },
          { head: 'Name', value: 'capitalName' },
          { head: 'Component', value: 'component' },
          { head: 'Section', value: 'section' },
          { head: 'Percent', value: 'percent', format: 'number' },
          { head: 'Mark', value: 'mark' },
          { head: 'Remarks', value: 'remark' },
        ],
      },
    },
  ],
}
