import { type StudentSort, type StudentSortKey, sortParts } from '#shared/students.ts'

/** How a column is sorted, as its head tells it. */
export function directionOf(sort: StudentSort, column: StudentSortKey) {
  const { key, descending } = sortParts(sort)
  if (key !== column) return 'none'
  return descending ? 'descending' : 'ascending'
}

const dates: readonly StudentSortKey[] = ['registrationDate', 'archivedDate']

/** The order after a press on a column's head: that column, or the other way round. Dates begin with the newest. */
export function nextSort(sort: StudentSort, column: StudentSortKey): StudentSort {
  if (dates.includes(column)) return sort === `-${column}` ? column : `-${column}`
  return sort === column ? `-${column}` : column
}
