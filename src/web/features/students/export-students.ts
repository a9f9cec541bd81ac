import type { StudentFilters } from '#shared/students.ts'
import { api } from '#web/lib/api.ts'
import { filterParams } from './student-query.ts'

/**
 * Downloads the workbook of exactly the students that the filters show.
 *
 * @throws ApiProblem; a download by link would leave the person with a file that holds an error
 */
export async function exportStudents(filters: StudentFilters): Promise<void> {
  const response = await api.students['export.xlsx'].$get({ query: filterParams(filters) })
  const workbook = await response.blob()
  saveFile(workbook, fileNameOf(response) ?? 'NSTP students.xlsx')
}

function fileNameOf(response: Response): string | undefined {
  return /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition') ?? '')?.[1]
}

function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  // The browser has taken the file over by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
