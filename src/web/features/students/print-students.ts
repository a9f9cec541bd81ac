import type { StudentListItem } from '#shared/student.ts'
import { maxPageSize, type StudentFilters } from '#shared/students.ts'
import { api, callApi } from '#web/lib/api.ts'
import { filterParams } from './student-query.ts'

/** The longest list that is printed: about 60 sheets of paper. */
export const maxPrinted = 2_000

/**
 * Reads every student that the filters show, not only the page on the screen.
 *
 * @returns null when there are more than a printer should be given
 */
export async function readAllStudents(filters: StudentFilters): Promise<StudentListItem[] | null> {
  const students = new Map<string, StudentListItem>()
  for (let page = 1; ; page++) {
    const query = { ...filterParams(filters), page: String(page), pageSize: String(maxPageSize) }
    const { items, total } = await callApi(api.students.$get({ query }))
    if (total > maxPrinted) return null
    // A record that arrives meanwhile shifts the pages: the one it pushes over comes twice.
    for (const item of items) students.set(item.id, item)
    if (page * maxPageSize >= total) return [...students.values()]
  }
}
