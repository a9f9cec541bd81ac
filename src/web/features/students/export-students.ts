import type { StudentFilters } from '#shared/students.ts'
import { api } from '#web/lib/api.ts'
import { saveDownload } from '#web/lib/save-download.ts'
import { filterParams } from './student-query.ts'

/**
 * Downloads the workbook of exactly the students that the filters show.
 *
 * @throws ApiProblem; a download by link would leave the person with a file that holds an error
 */
export async function exportStudents(filters: StudentFilters): Promise<void> {
  const response = await api.students['export.xlsx'].$get({ query: filterParams(filters) })
  await saveDownload(response, 'NSTP students.xlsx')
}
